/** Wraps a foreign handler: errors it throws, now or later, go to `onFailure` and never to its caller. */
export function guard<T>(
  handler: (value: T) => unknown,
  onFailure: (error: unknown) => void = () => undefined,
): (value: T) => void {
  return (value) => void (async () => handler(value))().catch(onFailure)
}
