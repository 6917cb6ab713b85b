import { plural } from '../../util/text/units.ts'
import type { ScannedDocument, ScannedFileFacts } from '../port/scan.ts'
import type { WriteTx } from '../port/store.ts'
import { pagesOf } from '../rows/stored-pages.ts'
import { fail, pass, type RowChecks } from './check.ts'

/**
 * Checks that file facts are plausible. Facts that merely do not match the document are fine: the file is read again.
 */
export function fileCheck(): RowChecks {
  const erased = new Set<string>()
  let unsound = 0
  return {
    see: {
      documents: (row) => noteErased(erased, row),
      fileFacts(row) {
        if (!isSound(row, erased)) unsound++
      },
    },
    findings: {
      files: () =>
        unsound === 0
          ? pass('file facts are sound')
          : fail(`${plural(unsound, 'file has', 'files have')} wrong facts`),
    },
  }
}

function noteErased(
  erased: Set<string>,
  { address, state }: Pick<ScannedDocument, 'address' | 'state'>,
): void {
  if (address?.kind === 'source' && state === 'erased') erased.add(placeOf(address))
}

function placeOf({ root, path }: { root: string; path: string }): string {
  return JSON.stringify([root, path])
}

const DIGEST_DIGITS = 32

/** `erased`: the addresses of erased documents, whose digests must be gone. */
export function isSound(row: ScannedFileFacts, erased: ReadonlySet<string>): boolean {
  const { root, path, sizeBytes, modifiedAt, changedAt, scannedAt, digest, failure } = row
  const isInside = root !== '' && path !== '' && !path.startsWith('/') && !path.split('/').includes('..')
  const numbers = [sizeBytes, modifiedAt, changedAt, scannedAt]
  const isMeasured = numbers.every(Number.isSafeInteger) && Number(sizeBytes) >= 0
  const isExplained = !failure || (failure.reason !== '' && failure.reason !== null)
  return (
    isInside && isMeasured && digest?.length === DIGEST_DIGITS && isExplained && !erased.has(placeOf(row))
  )
}

/** Deletes wrong facts: the next compile reads those files again. */
export async function healFiles(tx: WriteTx): Promise<void> {
  const erased = new Set<string>()
  for await (const page of pagesOf(tx, 'documents')) for (const row of page) noteErased(erased, row)
  for await (const page of pagesOf(tx, 'fileFacts')) {
    const unsound = page.filter((row) => !isSound(row, erased))
    for (const [root, rows] of Map.groupBy(unsound, (row) => row.root))
      await tx.commit({ fileFacts: { root, put: [], remove: rows.map(({ path }) => path) } })
  }
}
