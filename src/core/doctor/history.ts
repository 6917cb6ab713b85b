import { createNumberSet } from '../../util/number-set.ts'
import type { WriteTx } from '../port/store.ts'
import { pagesOf } from '../rows/stored-pages.ts'
import { adoptTexts, snapshotIds } from './adopt-texts.ts'
import { fail, pass, type RowChecks } from './check.ts'
import { recountReferences } from './texts.ts'

/** Checks that versions belong to existing snapshots. */
export function historyCheck(): RowChecks {
  const snapshots = createNumberSet()
  let dangling = 0
  const see = ({ snapshotId }: { snapshotId: number }): void => {
    if (!snapshots.has(snapshotId)) dangling++
  }
  return {
    see: { snapshots: ({ id }) => snapshots.add(id), versions: see, documentVersions: see },
    findings: {
      dangling_diffs: () =>
        dangling === 0
          ? pass('no dangling diffs')
          : fail(`${dangling} diff rows reference a missing snapshot`),
    },
  }
}

export async function healHistory(tx: WriteTx): Promise<void> {
  await adoptTexts(tx)
  const snapshots = await snapshotIds(tx)
  for await (const page of pagesOf(tx, 'versions')) {
    const lost = page.filter(({ snapshotId }) => !snapshots.has(snapshotId))
    const remove = lost.map(({ nodeKey: key, snapshotId }) => ({ key, snapshotId }))
    await tx.commit({ versions: { put: [], remove } })
  }
  for await (const page of pagesOf(tx, 'documentVersions')) {
    const lost = page.filter(({ snapshotId }) => !snapshots.has(snapshotId))
    const remove = lost.map(({ documentId, snapshotId }) => ({ documentId, snapshotId }))
    await tx.commit({ documentVersions: { put: [], remove } })
  }
  await recountReferences(tx)
}
