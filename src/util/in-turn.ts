const lasts = new WeakMap<object, Promise<unknown>>()

/** Runs work one after the other for each owner, in the order it came; one that fails does not hold up the next. */
export function inTurn<T>(owner: object, work: () => Promise<T>): Promise<T> {
  const turn = (lasts.get(owner) ?? Promise.resolve()).then(work)
  lasts.set(
    owner,
    turn.catch(() => undefined),
  )
  return turn
}
