import { createNumberMap } from '../../util/number-map.ts'
import { createNumberSet } from '../../util/number-set.ts'
import { costLine } from '../history/cost.ts'
import { utf8Length } from '../tokens.ts'
import { pass, type RowChecks } from './check.ts'

/** Counts what the past costs; it never fails. */
export function historyCostCheck(): RowChecks {
  const sizes = createNumberMap()
  const appended = createNumberSet()
  let [snapshots, versions] = [0, 0]
  const isPresent = (textKey: number | null): void => {
    if (textKey !== null) sizes.set(textKey, 0)
  }
  function textBytes(): number {
    let sum = 0
    for (const [, bytes] of sizes.entries()) sum += bytes
    return sum
  }
  return {
    see: {
      snapshots: () => void snapshots++,
      texts({ key, text }) {
        sizes.set(key, utf8Length(String(text)))
      },
      documents(row) {
        isPresent(row.textKey)
        if (row.appended) appended.add(row.id)
      },
      documentVersions({ documentId, textKey }) {
        versions++
        if (appended.has(documentId)) isPresent(textKey)
      },
      nodes: ({ textKey }) => isPresent(textKey),
      versions: () => void versions++,
    },
    findings: { history: () => pass(costLine({ snapshots, versions, textBytes: textBytes() })) },
  }
}
