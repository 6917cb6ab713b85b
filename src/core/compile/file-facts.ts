import type { FileFacts } from '../port/file-facts.ts'
import type { ListedFile, LoadedFile } from './source-folder.ts'

/** Some file systems have timestamps in steps of two seconds: two changes within one step look like one. */
const COARSEST_STEP_MS = 2000

/** Whether a change after the scan of the file must show in its times. */
export function isSettled({ modifiedAt, changedAt, scannedAt }: FileFacts): boolean {
  return Math.max(modifiedAt, changedAt) < (scannedAt - COARSEST_STEP_MS) * 1000
}

/** Whether a file is certainly unchanged and would be parsed the same way: then it need not be read. */
export function isUntouched(file: ListedFile, facts: FileFacts, parser: string): boolean {
  return isSameFile(file, facts) && facts.parser === parser && isSettled(facts)
}

/** The facts to remember about a file; undefined if its text was not read. */
export function factsOf(
  { path, sizeBytes, modifiedAt, changedAt, inode }: ListedFile,
  loaded: LoadedFile,
  seen: { scannedAt: number; parser: string; known: FileFacts | undefined },
): FileFacts | undefined {
  const { digest } = loaded
  if (digest === null) return undefined
  const { scannedAt, parser, known } = seen
  return {
    path,
    sizeBytes,
    modifiedAt,
    changedAt,
    inode,
    scannedAt,
    digest,
    parser,
    failure: failureOf(loaded, known),
  }
}

/** A text that failed before and is the same still fails. */
export function failureOf(loaded: LoadedFile, known: FileFacts | undefined): FileFacts['failure'] {
  if (loaded.kind === 'failed') return { line: loaded.line, reason: loaded.reason }
  return loaded.kind === 'unchanged' && known?.digest === loaded.digest ? known.failure : null
}

/** Whether the facts differ from the stored ones; a different time of inspection alone does not count. */
export function isNews(facts: FileFacts, stored: FileFacts | undefined): boolean {
  if (!stored || !isSameFile(facts, stored)) return true
  if (facts.digest !== stored.digest || facts.parser !== stored.parser) return true
  return isSettled(facts) && !isSettled(stored)
}

function isSameFile(file: ListedFile, facts: ListedFile): boolean {
  return (
    file.sizeBytes === facts.sizeBytes &&
    file.modifiedAt === facts.modifiedAt &&
    file.changedAt === facts.changedAt &&
    file.inode === facts.inode
  )
}
