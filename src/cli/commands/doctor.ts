import { doctorJson } from '../../core/doctor-json.ts'
import { untilClosed, writeLines, writePieces } from '../../util/terminal-output.ts'
import { printable } from '../../util/terminal-text.ts'
import { defineCommand } from '../command.ts'
import { withMemory } from '../databases.ts'
import { doctorLines } from '../layout/doctor.ts'

export const command = defineCommand({
  parameters: {},
  flags: {
    fix: { kind: 'switch', help: 'Repair what can be repaired, after a backup' },
    json: { kind: 'switch', help: 'Print JSON, as remindb://doctor has it' },
  },
  examples: ['remindb doctor', 'remindb doctor --fix', 'remindb doctor --json --db docs'],

  run(context, { flags: { fix, json } }) {
    return withMemory(context, async (memory) => {
      let backup: string | undefined
      const report = fix
        ? await memory.heal((file) => {
            backup = file
          })
        : await memory.doctor()
      if (backup !== undefined)
        await writeLines(context.err, [`doctor: backup written to ${printable(backup)}`])
      await untilClosed(
        json
          ? writePieces(context.out, doctorJson(report))
          : writeLines(context.out, doctorLines(report, context.palette)),
      )
      return report.status === 'fail' ? 1 : 0
    })
  },
})
