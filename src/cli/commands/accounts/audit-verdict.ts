import { timeText } from '../../../core/audit/page.ts'
import type { KnownEnd, Verified } from '../../../core/audit/verify.ts'
import { printable } from '../../../util/text/printable.ts'
import { plural } from '../../../util/text/units.ts'

export interface Verdict {
  result: Verified
  /** The end of the chain, as it is kept apart. */
  known: KnownEnd | undefined
  /** Where it is kept. */
  headFile: string
  /** The chain is whole in itself: only its end is not the one that is kept apart. */
  isWhole: boolean
}

export function verdictLines({ result, known, headFile, isWhole }: Verdict): string[] {
  if (result.status === 'ok') {
    const line = `ok: ${plural(result.entries, 'entry', 'entries')}`
    const isChecked = known !== undefined || result.entries === 0
    return [isChecked ? line : `${line}; ${printable(headFile)} is missing, so the end was not checked`]
  }
  const { number, at, reason } = result
  return [
    `broken: entry ${number}${at === null ? '' : ` (${timeText(at)})`} ${reason}`,
    isWhole
      ? 'Entries were removed or replaced, or an older copy of the database was put in place without `remindb backup restore`.'
      : 'The database was changed. Entries before this one are as they were recorded.',
    'To find out what is missing, compare with an export or a backup. New entries are still recorded.',
    ...(isWhole ? [`To accept the audit as it is now, delete ${printable(headFile)}`] : []),
  ]
}

export function verdictJson({ result }: Verdict): object {
  if (result.status === 'ok') return result
  const { status, number, at, reason } = result
  return { status, number, time: at === null ? null : timeText(at), reason }
}
