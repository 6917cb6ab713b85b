/**
 * For a promise that is awaited later, or never because something else fails first: its rejection must not end the
 * process.
 */
export function later<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined)
  return promise
}
