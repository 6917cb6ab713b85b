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

/** Checks the reference counts of texts, and that no unreferenced text is left. */
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
          ? pass(`${keys.size()} texts have the right reference count`)
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

/** Recounts references; unreferenced texts are deleted. */
export async function recountReferences(tx: WriteTx): Promise<void> {
  const counted = countingReferences()
  await seeRows(tx, counted.see)
  for await (const page of pagesOf(tx, 'texts'))
    await tx.commit({ texts: page.flatMap((row) => referenceChange(row, counted.of(row.key)) ?? []) })
}

/** Undefined: the count is right. */
export function referenceChange(
  { digest, references }: Pick<ScannedText, 'digest' | 'references'>,
  count: number,
): TextReferences | undefined {
  const stored = typeof references === 'number' ? references : 0
  // An unreferenced text is deleted with its last reference, also if it had none.
  if (count === 0) return { digest, text: null, by: stored > 0 ? -stored : 0 }
  return references === count ? undefined : { digest, text: null, by: count - stored }
}

/** Checks that texts match their digests. A digest cannot restore a text, so there is no repair. */
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
          ? pass(`${total} texts match their digests`)
          : fail(`${wrong} texts do not match their digests; ${RESTORE}`),
    },
  }
}
