import type { Row } from './rows.ts'
/** What was last seen of a file on disk, so that an unchanged file is not read again. */
export interface FileFacts extends Row {
  path: string
  sizeBytes: number
  /** File system times in microseconds since 1970: of the content, and of the inode. */
  modifiedAt: number
  changedAt: number
  /** What the file system knows it by. */
  inode: string
  /** When it was scanned, in milliseconds since 1970. */
  scannedAt: number
  /** Digest of what was read, as in `LoadedFile`. */
  digest: string
  /** As returned by `SourceFolder.parserOf`. */
  parser: string
  /** Why parsing failed; null if it did not. */
  failure: { line: number | null; reason: string } | null
}

export interface FileReads {
  /** With `scope`: only that file and those below it. */
  listFileFacts(root: string, scope?: string): Promise<FileFacts[]>
}
