import type { ForgetReads } from '../../core/port/forget.ts'
import { by } from '../../util/order.ts'
import type { Sync } from '../tx.ts'
import type { Tables } from './tables.ts'

/** What has to be known before history is taken out. */
export function forgetReads(tables: Tables): Sync<ForgetReads> {
  return {
    heldTexts(select) {
      const isHeld = (documentId: number, snapshotId: number): boolean =>
        'document' in select ? documentId === select.document : snapshotId > select.after
      const documentOf = (key: number): number => tables.nodes.get(key)?.documentId ?? 0
      const versions = [...tables.versions.values()].flat()
      const documentVersions = [...tables.documentVersions.values()].flat()
      const digests = [
        ...versions
          .filter((one) => isHeld(documentOf(one.key), one.snapshotId))
          .map(({ state }) => state?.digest),
        ...documentVersions
          .filter((one) => isHeld(one.documentId, one.snapshotId))
          .map(({ textDigest }) => textDigest),
      ]
      const held = digests.flatMap((digest) => digest ?? [])
      return [...Map.groupBy(held, (digest) => digest)].map(([digest, same]) => ({
        digest,
        count: same.length,
      }))
    },
    removedAfter(target, { after, limit }) {
      const gone = [...tables.nodes.values()].filter(
        ({ key, removedIn }) => (removedIn ?? 0) > target && key > after,
      )
      const page = gone.sort(by(({ key }) => [key])).slice(0, limit)
      return page.map(({ key, documentId }) => ({
        key,
        knownIn:
          tables.versions.get(key)?.findLast(({ snapshotId }) => snapshotId <= target)?.snapshotId ?? null,
        hasOverlay: tables.overlays.has(key),
        isErased: tables.documents.get(documentId)?.state === 'erased',
      }))
    },
  }
}
