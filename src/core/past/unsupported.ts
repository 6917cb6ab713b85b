/** For reads that nothing needs of the past. */
export function unsupported(what: string): never {
  throw new Error(`${what} cannot be read as of a snapshot`)
}
