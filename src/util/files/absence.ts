import { hasCode } from '../error-code.ts'

/** Whether a file system error means that nothing is there: no such name, or broken or circular links. */
export function isAbsence(error: unknown): boolean {
  return hasCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP')
}
