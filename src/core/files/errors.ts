import { type ErrorCode, isMemoryError, MemoryError } from '../errors.ts'

/** The error codes of the files door, named like those of file systems. ENOTMEM: the tool has no memory to work on. */
export const FILE_CODES = ['ENOENT', 'EISDIR', 'EINVAL', 'ENOTMEM'] as const
export type FileCode = (typeof FILE_CODES)[number]

const CODES: Record<FileCode, ErrorCode> = {
  ENOENT: 'NOT_FOUND',
  EISDIR: 'INVALID_INPUT',
  EINVAL: 'INVALID_INPUT',
  ENOTMEM: 'INVALID_INPUT',
}

/** An error that an agent gets as part of an ordinary answer. */
export class FileError extends MemoryError {
  readonly fileCode: FileCode

  constructor(fileCode: FileCode, message: string, options?: { cause?: unknown }) {
    super(CODES[fileCode], message, { ...options, detail: fileCode })
    this.fileCode = fileCode
  }
}

/** An error from an operation, possibly from another thread, as an error of this door. */
export function toFileError(error: unknown): unknown {
  if (!isMemoryError(error) || error instanceof FileError) return error
  const code = FILE_CODES.find((known) => known === error.detail)
  return code ? new FileError(code, error.message, { cause: error }) : error
}

export function fileNotFound(): FileError {
  return new FileError('ENOENT', 'ENOENT: file not found')
}

export function isFolderError(): FileError {
  return new FileError('EISDIR', 'EISDIR: path is a directory')
}
