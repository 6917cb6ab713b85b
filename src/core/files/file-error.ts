import { type ErrorCode, MemoryError } from '../errors.ts'

/** What the files door says went wrong, in the words of file systems. ENOTMEM: the tool has no memory to work on. */
export const FILE_CODES = ['ENOENT', 'EISDIR', 'EINVAL', 'ENOTMEM'] as const
export type FileCode = (typeof FILE_CODES)[number]

const CODES: Record<FileCode, ErrorCode> = {
  ENOENT: 'NOT_FOUND',
  EISDIR: 'INVALID_INPUT',
  EINVAL: 'INVALID_INPUT',
  ENOTMEM: 'INVALID_INPUT',
}

/** A failure that an agent gets as part of an ordinary answer. */
export class FileError extends MemoryError {
  readonly fileCode: FileCode

  constructor(fileCode: FileCode, message: string, options?: { cause?: unknown }) {
    super(CODES[fileCode], message, options)
    this.fileCode = fileCode
  }
}

export function fileNotFound(): FileError {
  return new FileError('ENOENT', 'ENOENT: file not found')
}

export function isFolderError(): FileError {
  return new FileError('EISDIR', 'EISDIR: path is a directory')
}
