/** Somebody else's handler: what it throws, now or later, goes to `onFailure` and never to whoever calls it. */
export function guard<T>(
  handler: (value: T) => unknown,
  onFailure: (error: unknown) => void = () => undefined,
): (value: T) => void {
  return (value) => void (async () => handler(value))().catch(onFailure)
}
