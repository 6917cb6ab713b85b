import { existsSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { MemoryError } from '../../core/errors.ts'
import { writeLines, writePieces } from '../../util/terminal/output.ts'
import { jsonPieces } from '../../util/text/json-pieces.ts'
import { printable } from '../../util/text/printable.ts'
import { formatSize } from '../../util/text/units.ts'
import { defineCommand } from '../base/command.ts'
import { withMemory } from '../base/databases.ts'

export const command = defineCommand({
  parameters: {
    file: {
      kind: 'text',
      optional: true,
      help: 'Where to, a file or a folder. Default: beside the database, under a name with the time',
    },
  },
  flags: { json: { kind: 'switch', help: 'Print JSON' } },
  examples: ['remindb backup', 'remindb backup /mnt/safe/memory.db'],

  async run(context, { parameters: { file }, flags: { json } }) {
    await withMemory(context, async (memory) => {
      const target = file === undefined ? undefined : targetFile(resolve(context.cwd, file), memory.path)
      const written = await memory.backup(target)
      const { size } = statSync(written)
      if (json) await writePieces(context.out, jsonPieces({ file: written, bytes: size }))
      else await writeLines(context.out, [`backup written to ${printable(written)} (${formatSize(size)})`])
    })
    return 0
  },
})

function targetFile(path: string, db: string): string {
  const isFolder = existsSync(path) && statSync(path).isDirectory()
  if (isFolder) return join(path, `${basename(db)}.bak.${new Date().toISOString().replaceAll(':', '-')}`)
  const folder = dirname(path)
  if (!existsSync(folder)) throw new MemoryError('NOT_FOUND', `there is no folder ${folder}; create it first`)
  return path
}
