import type { Row } from './rows.ts'
/** What was last seen of a file on disk, so that an unchanged one need not be read again. */
export interface FileFacts extends Row {
  path: string
  sizeBytes: number
  /** Times of the file system, in microseconds since 1970: of its content, and of anything about it. */
  modifiedAt: number
  changedAt: number
  /** What the file system knows it by. */
  inode: string
  /** When it was looked at, in milliseconds since 1970. */
  scannedAt: number
  /** Of what was read, as `LoadedFile` has it. */
  digest: string
  /** As `SourceFolder.parserOf` had it. */
  parser: string
  /** Why it could not be parsed; null when it could. */
  failure: { line: number | null; reason: string } | null
}

export interface FileReads {
  /** With `scope` only of that file, and of those below it. */
  listFileFacts(root: string, scope?: string): Promise<FileFacts[]>
}
