import { fail, pass, RESTORE, type RowChecks } from './check.ts'
import { isAsStored } from './labels.ts'

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
