/** A problem in a file, and where. */
export interface FileProblem {
  line: number | null
  reason: string
}

/** A file that cannot be compiled: it is reported and skipped, its last good nodes stay. */
export interface SkippedFile extends FileProblem {
  path: string
}

/** A file at the time of the scan. Times of the file system, in microseconds since 1970. */
export interface ListedFile {
  path: string
  sizeBytes: number
  modifiedAt: number
  changedAt: number
  /** Its file system identity: another file under the same name has another one. */
  inode: string
  /** Of a link: the file that it leads to, by its path. */
  target?: string
}

export interface LoadRequest {
  path: string
  /** As listed: nothing but this very file is read. */
  target?: string
  /** As listed: how much work it will be. */
  sizeBytes: number
  /** Of the text that is known already; null for none. */
  knownDigest: string | null
}

/** The result of one request. A digest covers the text and how it is parsed; null: the file could not be read. */
export type LoadedFile =
  | { kind: 'unchanged'; digest: string }
  /** `blocks`: a `Block[]` as JSON. It comes from another thread and waits in a spool: it is unpacked once, at the end. */
  | { kind: 'parsed'; digest: string; sizeBytes: number; blocks: string; warnings: FileProblem[] }
  | { kind: 'failed'; digest: string | null; line: number | null; reason: string }

/** A folder as compile sees it. Paths are relative to the compile root, with `/`. */
export interface SourceFolder {
  /** Looks at the folder: the files to compile, in order. */
  list(): Promise<ListedFile[]>
  /** Entries that `list` found and that are not compiled, to be reported. */
  problems(): { path: string; reason: string }[]
  /** By extension, most frequent first, how many files `list` met of no kind that is read. Without an extension: ''. */
  unread(): Record<string, number>
  /** True for a path that `list` would give if it were to be compiled: an absent one was deleted, or is left out now. */
  covers(path: string): boolean
  /** Everything besides its text that decides how a file is parsed: part of its digest. */
  parserOf(path: string): string
  /** Reads the files and parses those whose digest differs from the known one. Answers in the order of the requests. */
  load(requests: readonly LoadRequest[]): AsyncIterable<LoadedFile>
}

/** Holds parsed files between parsing and writing, without holding them all in memory. */
export interface Spool<T> {
  push(item: T, sizeBytes: number): void
  drain(): Iterable<T>
  close(): void
}
