import { createNumberMap } from '../../util/number-map.ts'
import { createNumberSet } from '../../util/number-set.ts'
import type { ScannedText } from '../port/scan.ts'
import type { WriteTx } from '../port/store.ts'
import type { TextReferences } from '../port/write-set.ts'
import { pagesOf } from '../rows/stored-pages.ts'
import { adoptTexts } from './adopt-texts.ts'
import { fail, pass, RESTORE, type RowChecks, type Seeing } from './check.ts'
import { isAsStored } from './labels.ts'
import { seeRows } from './see-rows.ts'

/** Texts are counted as often as something refers to them, and none is left that nothing refers to. */
export function textReferenceCheck(): RowChecks {
  const keys = createNumberSet()
  const stored = createNumberMap()
  const counted = countingReferences()
  return {
    see: {
      ...counted.see,
      texts({ key, references }) {
        keys.add(key)
        stored.set(key, Number(references))
      },
    },
    findings: {
      text_refs() {
        let wrong = 0
        for (const key of keys.values()) {
          const count = counted.of(key)
          if (count === 0 || count !== stored.get(key)) wrong++
        }
        return wrong === 0
          ? pass(`${keys.size()} texts, each counted right`)
          : fail(`${wrong} texts have a wrong reference count`)
      },
    },
  }
}

/** Versions of nodes, documents and their versions each hold a reference. */
function countingReferences() {
  const counts = createNumberMap()
  const see = ({ textKey }: { textKey: number | null }): void => {
    if (textKey !== null) counts.add(textKey, 1)
  }
  return {
    see: { documents: see, documentVersions: see, versions: see } satisfies Seeing,
    of: (key: number): number => counts.get(key) ?? 0,
  }
}

export async function healTextReferences(tx: WriteTx): Promise<void> {
  await adoptTexts(tx)
  await recountReferences(tx)
}

/** Counts again; what nothing refers to goes. */
export async function recountReferences(tx: WriteTx): Promise<void> {
  const counted = countingReferences()
  await seeRows(tx, counted.see)
  for await (const page of pagesOf(tx, 'texts'))
    await tx.commit({ texts: page.flatMap((row) => referenceChange(row, counted.of(row.key)) ?? []) })
}

/** Undefined: it is counted right. */
export function referenceChange(
  { digest, references }: Pick<ScannedText, 'digest' | 'references'>,
  count: number,
): TextReferences | undefined {
  const stored = typeof references === 'number' ? references : 0
  // One that nothing refers to goes with its last reference, also where it had none.
  if (count === 0) return { digest, text: null, by: stored > 0 ? -stored : 0 }
  return references === count ? undefined : { digest, text: null, by: count - stored }
}

/** Texts are what was stored. What that was cannot be told from a digest: nothing to heal with. */
export function textDigestCheck(): RowChecks {
  let total = 0
  let wrong = 0
  return {
    see: {
      texts(row) {
        total++
        if (!isAsStored(row)) wrong++
      },
    },
    findings: {
      text_digest: () =>
        wrong === 0
          ? pass(`${total} texts are what was stored`)
          : fail(`${wrong} texts are not what was stored; ${RESTORE}`),
    },
  }
}
