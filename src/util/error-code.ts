/** Whether a system error has one of these codes, such as `ENOENT`. */
export function hasCode(error: unknown, ...codes: readonly string[]): error is Error {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}
