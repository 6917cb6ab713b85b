/** What an answer without entries says: `none` where there are none at all. `pastEnd`: the offset, where it passed over all of them. */
export function nothingLine(none: string, pastEnd: number | undefined): string {
  return pastEnd === undefined ? none : `nothing after offset=${pastEnd}`
}
