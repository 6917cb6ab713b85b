import { existsSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { MemoryError } from '../../core/errors.ts'
import { writeLines, writePieces } from '../../util/terminal/output.ts'
import { createProgress } from '../../util/terminal/progress.ts'
import { jsonPieces } from '../../util/text/json-pieces.ts'
import { printable } from '../../util/text/printable.ts'
import { formatSize, plural } from '../../util/text/units.ts'
import { type Context, defineCommand } from '../base/command.ts'
import { withMemory } from '../base/databases.ts'
import { namedMemory } from '../base/which-memory.ts'

export const command = defineCommand({
  parameters: {
    file: {
      kind: 'text',
      optional: true,
      help: 'Where to, a file or a folder. Default: beside the database, under a name with the time',
    },
  },
  flags: { json: { kind: 'switch', help: 'Print JSON' } },
  examples: [
    'remindb backup',
    'remindb backup /mnt/safe/memory.db',
    'remindb backup /mnt/safe --spaces team',
    'remindb backup restore /mnt/safe/memory.db',
  ],

  async run(context, { parameters: { file }, flags: { json } }) {
    const named = namedMemory(context)
    const isAll = named?.kind === 'space' && named.space === undefined
    await (isAll ? backUpAll(context, named.folder, file, json) : backUpOne(context, file, json))
    return 0
  },
})

async function backUpOne(context: Context, file: string | undefined, json: boolean): Promise<void> {
  await withMemory(context, async (memory) => {
    const target = file === undefined ? undefined : targetFile(resolve(context.cwd, file), memory.path)
    const written = await memory.backup(target)
    const { size } = statSync(written)
    if (json) await writePieces(context.out, jsonPieces({ file: written, bytes: size }))
    else await writeLines(context.out, [`backup written to ${printable(written)} (${formatSize(size)})`])
  })
}

async function backUpAll(
  context: Context,
  dir: string,
  file: string | undefined,
  json: boolean,
): Promise<void> {
  const { backupFolderName, backupSpaces } = await import('../../runtime/backup/backup-spaces.ts')
  const now = Date.now()
  const named = file === undefined ? undefined : resolve(context.cwd, file)
  const target = named !== undefined && isFolder(named) ? join(named, backupFolderName(now)) : named
  const bar = createProgress({ stream: process.stderr, now: () => performance.now() })
  try {
    const { folder, bytes, spaces } = await backupSpaces({
      ...{ dir, target, now },
      onProgress: (state) => bar.update({ label: 'copying', ...state }),
    })
    bar.finish()
    if (json) await writePieces(context.out, jsonPieces({ folder, bytes, spaces }))
    else
      await writeLines(context.out, [
        `backup of ${plural(spaces, 'space')} written to ${printable(folder)} (${formatSize(bytes)})`,
      ])
  } finally {
    bar.finish()
  }
}

function targetFile(path: string, db: string): string {
  if (isFolder(path))
    return join(path, `${basename(db)}.bak.${new Date().toISOString().replaceAll(':', '-')}`)
  const folder = dirname(path)
  if (!existsSync(folder)) throw new MemoryError('NOT_FOUND', `there is no folder ${folder}; create it first`)
  return path
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
