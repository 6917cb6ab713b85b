import { plural } from '../../util/terminal-units.ts'
import type { RawDocument, RawFileFacts } from '../port/raw-rows.ts'
import type { WriteTx } from '../port/store.ts'
import { fail, pass, type RowChecks } from './check.ts'
import { pagesOf } from './pages.ts'

/** What is known of files makes sense. One that merely tells nothing of its document is no fault: the file is then read again. */
export function fileCheck(): RowChecks {
  const erased = new Set<string>()
  let unsound = 0
  return {
    see: {
      documentRows: (row) => noteErased(erased, row),
      fileFacts(row) {
        if (!isSound(row, erased)) unsound++
      },
    },
    findings: {
      files: () =>
        unsound === 0
          ? pass('what is known of files is sound')
          : fail(`${plural(unsound, 'file is', 'files are')} known wrongly`),
    },
  }
}

function noteErased(erased: Set<string>, { file, state }: Pick<RawDocument, 'file' | 'state'>): void {
  if (file && state === 'erased') erased.add(placeOf(file))
}

function placeOf({ root, path }: { root: string; path: string }): string {
  return JSON.stringify([root, path])
}

const DIGEST_DIGITS = 32

/** `erased`: the places of erased documents, whose digests must be gone. */
export function isSound(row: RawFileFacts, erased: ReadonlySet<string>): boolean {
  const { root, path, size, modifiedAt, changedAt, scannedAt, digest, line, reason } = row
  const isInside = root !== '' && path !== '' && !path.startsWith('/') && !path.split('/').includes('..')
  const numbers = [size, modifiedAt, changedAt, scannedAt]
  const isMeasured = numbers.every(Number.isSafeInteger) && Number(size) >= 0
  const isExplained = reason !== '' && (line === null || reason !== null)
  return (
    isInside && isMeasured && digest?.length === DIGEST_DIGITS && isExplained && !erased.has(placeOf(row))
  )
}

/** What is not known of a file is learnt by the next compile. */
export async function healFiles(tx: WriteTx): Promise<void> {
  const erased = new Set<string>()
  for await (const page of pagesOf(tx, 'documentRows')) for (const row of page) noteErased(erased, row)
  for await (const page of pagesOf(tx, 'fileFacts')) {
    const unsound = page.filter((row) => !isSound(row, erased))
    for (const [root, rows] of Map.groupBy(unsound, (row) => row.root))
      await tx.commit({ fileFacts: { root, put: [], remove: rows.map(({ path }) => path) } })
  }
}
