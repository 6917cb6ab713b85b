import type { DoctorReport, HealedCheck } from '../../core/doctor/doctor.ts'
import { isMemoryError } from '../../core/errors.ts'
import type { CheckStatus } from '../../core/port/store.ts'
import { doctorJson } from '../../core/render/doctor-json.ts'
import type { Palette } from '../../util/terminal/color.ts'
import { untilClosed, writeLines, writePieces } from '../../util/terminal/output.ts'
import { printable } from '../../util/text/printable.ts'
import { type Context, defineCommand, type ExitCode } from '../base/command.ts'
import { chooseDatabase, withMemory } from '../base/databases.ts'

const GLYPHS: Record<CheckStatus, string> = { pass: '✓', warn: '⚠', fail: '✗' }
const VERDICTS: Record<CheckStatus, string> = {
  pass: 'Database is healthy',
  warn: 'Database has warnings',
  fail: 'Database is unhealthy',
}

interface Flags {
  fix?: boolean | undefined
  json?: boolean | undefined
}

/** The check of the schema. */
const SCHEMA = 'schema_objects'
const CLEANED =
  'doctor: those parts were removed from the backup too: both held erased text that had yet to be overwritten'

export const command = defineCommand({
  parameters: {},
  flags: {
    fix: { kind: 'switch', help: 'Make a backup, then repair as much as possible' },
    json: { kind: 'switch', help: 'Print JSON, as remindb://doctor has it' },
  },
  examples: ['remindb doctor', 'remindb doctor --fix', 'remindb doctor --json --db docs'],

  async run(context, { flags }) {
    try {
      return await print(context, flags, await examine(context, flags))
    } catch (error) {
      if (!isMemoryError(error) || error.code !== 'CORRUPTED_DATA') throw error
      const report = await examineSchema(context, flags)
      if (report === undefined) throw error
      return print(context, flags, report)
    }
  },
})

function examine(context: Context, { fix }: Flags): Promise<DoctorReport> {
  return withMemory(context, async (memory) => {
    let backup: string | undefined
    const report = fix
      ? await memory.heal((file) => {
          backup = file
        })
      : await memory.doctor()
    if (backup !== undefined) await tellBackup(context, backup)
    return report
  })
}

/** Findings for a memory that cannot be opened because of its schema. Undefined: it cannot be opened for another reason. */
async function examineSchema(context: Context, flags: Flags): Promise<DoctorReport | undefined> {
  const { foreignObjectsOf } = await import('../../runtime/places/foreign-objects.ts')
  const foreign = foreignObjectsOf((await chooseDatabase(context)).file)
  const found = foreign.describe()
  if (found === undefined) return undefined
  // No other check can run.
  const check: HealedCheck = { name: SCHEMA, status: 'fail', detail: `not made by remindb: ${found}` }
  if (!flags.fix) return { status: 'fail', checks: [check] }
  try {
    const { backup, isBackupCleaned } = foreign.remove(Date.now())
    await tellBackup(context, backup)
    if (isBackupCleaned) await writeLines(context.err, [CLEANED])
  } catch (error) {
    const fix_error = error instanceof Error ? error.message : String(error)
    return { status: 'fail', checks: [{ ...check, fix_error }] }
  }
  const report = await examine(context, flags)
  const withFix = (one: HealedCheck): HealedCheck =>
    one.name === SCHEMA && one.status === 'pass' ? { ...one, fix_applied: true } : one
  return { ...report, checks: report.checks.map(withFix) }
}

function tellBackup(context: Context, backup: string): Promise<void> {
  return writeLines(context.err, [`doctor: backup written to ${printable(backup)}`])
}

async function print(context: Context, { json }: Flags, report: DoctorReport): Promise<ExitCode> {
  await untilClosed(
    json
      ? writePieces(context.out, doctorJson(report))
      : writeLines(context.out, doctorLines(report, context.palette)),
  )
  return report.status === 'fail' ? 1 : 0
}

function doctorLines(report: DoctorReport, palette: Palette): string[] {
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
