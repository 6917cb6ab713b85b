import type { OverlayPut } from '../../core/port/write-set.ts'
import { type Context, digestBlob, listParameter } from './context.ts'
import { statement } from './statements.ts'

type Nullable = string | null
type PutParameters = [number, string, number | null, Nullable, Nullable, Nullable, Nullable, Buffer | null]

export function overlayWrites({ db }: Context) {
  const put = statement<PutParameters>(
    db,
    `INSERT OR REPLACE INTO overlays (node_key, operation, parent_key, position, type, format, label, digest)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const remove = statement<[string]>(
    db,
    'DELETE FROM overlays WHERE node_key IN (SELECT value FROM json_each(?))',
  )
  return {
    putOverlays(overlays: readonly OverlayPut[]): void {
      for (const { nodeKey, operation, base } of overlays) {
        if (base) {
          const { parentKey, position, type, format, label, digest } = base
          put().run(nodeKey, operation, parentKey, position, type, format, label, digestBlob(digest))
        } else put().run(nodeKey, operation, null, null, null, null, null, null)
      }
    },
    deleteOverlays(nodeKeys: readonly number[]): void {
      remove().run(listParameter(nodeKeys))
    },
  }
}
