/** An object without the members that are undefined. */
export type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

/** Removes undefined members, so that defaults apply and data has no gaps. */
export function given<T extends object>(members: T): Given<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Given<T>
}
