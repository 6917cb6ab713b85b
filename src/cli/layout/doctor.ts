import type { DoctorReport, HealedCheck } from '../../core/doctor/doctor.ts'
import type { CheckStatus } from '../../core/port/store.ts'
import type { Palette } from '../../util/terminal/color.ts'
import { printable } from '../../util/text/printable.ts'

const GLYPHS: Record<CheckStatus, string> = { pass: '✓', warn: '⚠', fail: '✗' }
const VERDICTS: Record<CheckStatus, string> = {
  pass: 'Database is healthy',
  warn: 'Database has warnings',
  fail: 'Database is unhealthy',
}

export function doctorLines(report: DoctorReport, palette: Palette): string[] {
  const glyph = (status: CheckStatus): string => {
    const paint = { pass: palette.green, warn: palette.yellow, fail: palette.red }[status]
    return paint(GLYPHS[status])
  }
  return [
    `${glyph(report.status)} ${palette.bold(VERDICTS[report.status])}`,
    '',
    ...report.checks.map(
      (check) => `${glyph(check.status)} ${check.name.padEnd(20)} ${printable(check.detail)}${fixOf(check)}`,
    ),
  ]
}

function fixOf({ fix_applied, fix_error }: HealedCheck): string {
  if (fix_error !== undefined) return `  (fix error: ${printable(fix_error)})`
  return fix_applied ? '  (fixed)' : ''
}
