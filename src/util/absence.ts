/** Whether an error of the file system says that there is nothing: no such name, or links that lead nowhere or in circles. */
export function isAbsence(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && ['ENOENT', 'ENOTDIR', 'ELOOP'].includes(String(error.code))
  )
}
