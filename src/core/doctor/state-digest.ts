import { plural } from '../../util/text/units.ts'
import { type Hash64, nodeMark } from '../digest.ts'
import type { WriteTx } from '../port/store.ts'
import { type DoctorTools, type Finding, fail, pass, type RowChecks } from './check.ts'
import { type NodeStateRow, nodeStates } from './checked-rows.ts'
import { changeNodeRows } from './node-rows.ts'

/** Checks that the state digest is the sum of the nodes' marks, and that the head's `cursor_hash` matches. */
export function stateDigestCheck({ hash }: Pick<DoctorTools, 'hash'>): RowChecks {
  let stored: { headId: number | null; digest: bigint | null } | undefined
  let cursorHash: string | undefined
  let sum = 0n
  let wrong = 0
  function finding(): Finding {
    const counted = toHex(sum)
    if (stored?.digest !== BigInt.asUintN(64, sum)) return fail('the state digest does not match the nodes')
    if (wrong > 0) return fail(`${plural(wrong, 'node has', 'nodes have')} a wrong share of the state digest`)
    if (cursorHash !== undefined && cursorHash !== counted)
      return fail('the cursor_hash of the HEAD snapshot does not match the nodes')
    return pass(`cursor_hash ${counted} matches the nodes`)
  }
  return {
    see: {
      space(row) {
        stored = row
      },
      snapshots(row) {
        if (row.id === stored?.headId) cursorHash = row.cursorHash
      },
      nodeStates(row) {
        const mark = markOf(hash, row)
        sum += mark
        if (row.mark !== mark) wrong++
      },
    },
    findings: { cursor_hash: finding },
  }
}

function markOf(hash: Hash64, { ownLabel, ...row }: NodeStateRow): bigint {
  return nodeMark(hash, row.id, row.parentId, { ...row, label: ownLabel })
}

function toHex(value: bigint): string {
  return BigInt.asUintN(64, value).toString(16).padStart(16, '0')
}

/** Recomputes marks, state digest and the head's `cursor_hash` from the nodes. */
export async function remark(tx: WriteTx, { hash }: Pick<DoctorTools, 'hash'>): Promise<void> {
  let sum = 0n
  for await (const page of nodeStates(tx)) {
    const wrong = new Map<number, bigint>()
    for (const row of page) {
      const mark = markOf(hash, row)
      sum += mark
      if (row.mark !== mark) wrong.set(row.key, mark)
    }
    await changeNodeRows(tx, [...wrong.keys()], (before) => {
      const mark = wrong.get(before.key)
      return mark === undefined ? undefined : { ...before, mark }
    })
  }
  const { head } = await tx.state()
  await tx.commit({
    state: { digest: BigInt.asUintN(64, sum) },
    ...(head && { snapshots: [{ ...head, cursorHash: toHex(sum) }] }),
  })
}
