import { existsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { MemoryError } from '../../core/errors.ts'
import type { ExportResult } from '../../core/transfer/export.ts'
import type { Memory } from '../../runtime/memory/open-memory.ts'
import { writeWholeFile } from '../../util/files/whole-file.ts'
import { type Output, writeLines } from '../../util/terminal/output.ts'
import { createProgress } from '../../util/terminal/progress.ts'
import { printable, printableJson } from '../../util/text/printable.ts'
import { formatSize } from '../../util/text/units.ts'
import { defineCommand } from '../base/command.ts'
import { withMemory } from '../base/databases.ts'
import { interruptible } from '../base/interrupt.ts'
import { countsLine } from '../layout/transferred.ts'

export const command = defineCommand({
  parameters: {
    file: { kind: 'text', optional: true, help: 'The file to write. Default, and for -: stdout' },
  },
  flags: { force: { kind: 'switch', help: 'Overwrite an existing file' } },
  examples: ['remindb export memory.jsonl', 'remindb export | gzip > memory.jsonl.gz'],

  async run(context, { parameters: { file = '-' }, flags: { force } }) {
    await withMemory(context, async (memory) => {
      if (file === '-') return void (await exportTo(memory, toOutput(context.out)))
      const target = resolve(context.cwd, file)
      const confirm = (): void => checkTarget(target, file, force)
      confirm()
      const counts = await writeWholeFile(target, (write) => exportTo(memory, write), confirm)
      const size = formatSize(statSync(target).size)
      await writeLines(context.out, [`exported ${countsLine(counts)} to ${printable(file)} (${size})`])
    })
    return 0
  },
})

/** Unchanged, but on a terminal with control characters escaped: the JSON means the same. */
function toOutput(out: Output): (text: string) => Promise<void> {
  if (!out.isTerminal) return (text) => out.write(text)
  return (text) => out.write(text.split('\n').map(printableJson).join('\n'))
}

function checkTarget(target: string, name: string, isForced: boolean): void {
  const found = statSync(target, { throwIfNoEntry: false })
  if (found?.isDirectory())
    throw new MemoryError('INVALID_INPUT', `${name} is a folder; name the file to write`)
  // A device must not be replaced by a file.
  if (found && !found.isFile())
    throw new MemoryError('INVALID_INPUT', `${name} is not a regular file; use - to write to stdout`)
  if (found && !isForced)
    throw new MemoryError(
      'CONFLICT',
      `${name} already exists; choose another name, or overwrite it with --force`,
    )
  if (!existsSync(dirname(target)))
    throw new MemoryError('NOT_FOUND', `there is no folder ${dirname(target)}; create it first`)
}

async function exportTo(memory: Memory, write: (text: string) => Promise<void>): Promise<ExportResult> {
  const bar = createProgress({ stream: process.stderr, now: () => performance.now() })
  try {
    return await interruptible('nothing is left of the export', (signal) =>
      memory.export(
        (text) => {
          signal.throwIfAborted()
          return write(text)
        },
        { onProgress: (state) => bar.update({ label: 'exporting', ...state }) },
      ),
    )
  } finally {
    bar.finish()
  }
}
