import { hasCode } from '../error-code.ts'

/** Whether an error of the file system says that there is nothing: no such name, or links that lead nowhere or in circles. */
export function isAbsence(error: unknown): boolean {
  return hasCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP')
}
