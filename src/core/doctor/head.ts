import type { WriteTx } from '../port/store.ts'
import { type Finding, fail, pass, type RowChecks } from './check.ts'

/** Checks that the head is an existing snapshot. */
export function headCheck(): RowChecks {
  let headId: number | null = null
  let newest: number | undefined
  let isThere = false
  function finding(): Finding {
    if (!headId) return newest ? fail('there are snapshots, but no HEAD cursor') : pass('no HEAD cursor')
    return isThere ? pass(`HEAD → snapshot ${headId}`) : fail(`HEAD points at missing snapshot ${headId}`)
  }
  return {
    see: {
      space(row) {
        headId = row.headId
      },
      snapshots({ id }) {
        newest = id
        isThere ||= id === headId
      },
    },
    findings: { head_cursor: finding },
  }
}

export async function healHead(tx: WriteTx): Promise<void> {
  const [newest] = await tx.snapshots({ limit: 1 })
  await tx.commit({ state: { headId: newest?.id ?? null } })
}
