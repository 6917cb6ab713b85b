import { contentDigest } from '../../util/text/hash.ts'
import { plural } from '../../util/text/units.ts'
import { labelOf } from '../label.ts'
import type { ScannedText } from '../port/scan.ts'
import { INDEX_CHECK, type WriteTx } from '../port/store.ts'
import { fail, pass, type RowChecks } from './check.ts'
import { type NodeStateRow, nodeStates } from './checked-rows.ts'
import { changeNodeRows } from './node-rows.ts'

/** Checks labels against the history and the texts. */
export function labelCheck(): RowChecks {
  let wrong = 0
  return {
    see: {
      nodeStates(row) {
        if (betterLabel(row) !== undefined) wrong++
      },
    },
    findings: {
      labels: () =>
        wrong === 0
          ? pass('labels agree with the history and the texts')
          : fail(
              `${plural(wrong, 'node has', 'nodes have')} a label that differs from their history or text`,
            ),
    },
  }
}

/** The correct label of a node; undefined: it has it. A damaged text says nothing about a label. */
export function betterLabel(
  row: Pick<NodeStateRow, 'type' | 'format' | 'ownLabel' | 'label' | 'digest' | 'text'>,
): string | undefined {
  const { type, format, ownLabel, text } = row
  const label = ownLabel ?? labelOf({ type, format, text: String(text) })
  return label !== row.label && (ownLabel !== null || isAsStored(row)) ? label : undefined
}

export function isAsStored({ digest, text }: Pick<ScannedText, 'digest' | 'text'>): boolean {
  return typeof text === 'string' && contentDigest(text) === digest
}

export async function healLabels(tx: WriteTx): Promise<void> {
  for await (const page of nodeStates(tx)) {
    const labels = new Map<number, string>()
    for (const row of page) {
      const label = betterLabel(row)
      if (label !== undefined) labels.set(row.key, label)
    }
    await changeNodeRows(tx, [...labels.keys()], (before) => {
      const label = labels.get(before.key)
      return label === undefined ? undefined : { ...before, label }
    })
  }
  // The index words of a damaged node are unknown.
  await tx.engineHeal(INDEX_CHECK)
}
