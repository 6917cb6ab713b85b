import type { DoctorReport, HealedCheck } from '../../core/doctor/doctor.ts'
import { doctorJson } from '../../core/doctor/doctor-json.ts'
import { isMemoryError } from '../../core/errors.ts'
import { untilClosed, writeLines, writePieces } from '../../util/terminal/output.ts'
import { printable } from '../../util/text/printable.ts'
import { type Context, defineCommand, type ExitCode } from '../base/command.ts'
import { chooseDatabase, withMemory } from '../base/databases.ts'
import { doctorLines } from '../layout/doctor.ts'

interface Flags {
  fix?: boolean | undefined
  json?: boolean | undefined
}

/** The check that is about what the schema holds. */
const SCHEMA = 'schema_objects'
const CLEANED =
  'doctor: the backup is without those parts, too: erased text was still to be overwritten, and it was in both'

export const command = defineCommand({
  parameters: {},
  flags: {
    fix: { kind: 'switch', help: 'Repair what can be repaired, after a backup' },
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

/** A memory that is not opened because of what its schema holds. Undefined: that is not why. */
async function examineSchema(context: Context, flags: Flags): Promise<DoctorReport | undefined> {
  const { foreignObjectsOf } = await import('../../runtime/places/foreign-objects.ts')
  const foreign = foreignObjectsOf((await chooseDatabase(context)).file)
  const found = foreign.describe()
  if (found === undefined) return undefined
  // Nothing else can be asked of it.
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
