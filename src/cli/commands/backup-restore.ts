import { mkdirSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { RestoredMemory } from '../../runtime/backup/restore-memory.ts'
import type { RestoredSpaces } from '../../runtime/backup/restore-spaces.ts'
import { writeLines, writePieces } from '../../util/terminal/output.ts'
import { createProgress } from '../../util/terminal/progress.ts'
import { jsonPieces } from '../../util/text/json-pieces.ts'
import { printable } from '../../util/text/printable.ts'
import { shellWord } from '../../util/text/shell-word.ts'
import { plural } from '../../util/text/units.ts'
import { type Context, defineCommand, UsageError } from '../base/command.ts'
import { chooseDatabase, shortName } from '../base/databases.ts'
import { interruptible } from '../base/interrupt.ts'
import { commandFor } from '../base/invocation.ts'
import { namedMemory, spacesFolder } from '../base/which-memory.ts'

export const command = defineCommand({
  parameters: {
    backup: { kind: 'text', help: 'A file that backup wrote; or the folder, for --spaces without --space' },
  },
  flags: { json: { kind: 'switch', help: 'Print JSON' } },
  examples: [
    'remindb backup restore /mnt/safe/memory.db',
    'remindb backup restore /mnt/safe/remindb-backup-2026-11-16T10-00-00.000Z --spaces team',
  ],

  async run(context, { parameters: { backup }, flags: { json } }) {
    const path = resolve(context.cwd, backup)
    const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
    const named = namedMemory(context)
    const isAll = named?.kind === 'space' && named.space === undefined
    if (isFolder && !isAll) throw new UsageError(folderHint(backup, context))
    if (isFolder || (isAll && !isThere(path))) await restoreAll(context, path, json)
    else await restoreOne(context, path, json)
    return 0
  },
})

function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined
}

function folderHint(backup: string, { space }: Context): string {
  if (space === undefined)
    return `${backup} is a folder: to restore a backup of spaces, name their folder with --spaces DIR`
  return `${backup} is a folder: omit --space to restore all of it, or name the memory.db of one space in it`
}

async function restoreOne(context: Context, backup: string, json: boolean): Promise<void> {
  const file = await databaseFor(context)
  const { restoreMemory } = await import('../../runtime/backup/restore-memory.ts')
  const restored = await restoreMemory({ backup, db: file, now: Date.now() })
  if (json) await writePieces(context.out, jsonPieces({ db_path: restored.db, aside: restored.aside }))
  else await writeLines(context.out, linesOfOne(context, backup, restored))
}

/** Accepts a missing space too: that may be why a backup is restored. */
async function databaseFor(context: Context): Promise<string> {
  const named = namedMemory(context)
  if (named?.kind !== 'space') return (await chooseDatabase(context)).file
  const { locateSpace } = await import('../../runtime/spaces/find-space.ts')
  const { files } = await locateSpace(named.folder, named.space)
  mkdirSync(files.folder, { recursive: true, mode: 0o700 })
  return files.db
}

function linesOfOne(context: Context, backup: string, { db, aside }: RestoredMemory): string[] {
  const lines = [`restored ${printable(shortName(db))} from ${printable(backup)}; every check passed`]
  if (aside === null) return lines
  const back = commandFor(context, db)(`backup restore ${shellWord(aside)}`)
  return [...lines, `the previous memory is now ${printable(aside)}`, `to go back: ${printable(back)}`]
}

async function restoreAll(context: Context, backup: string, json: boolean): Promise<void> {
  const dir = spacesFolder(context)
  const { restoreSpaces } = await import('../../runtime/backup/restore-spaces.ts')
  const bar = createProgress({ stream: process.stderr, now: () => performance.now() })
  try {
    const restored = await interruptible('nothing was changed', (signal) =>
      restoreSpaces({
        ...{ backup, dir, now: Date.now(), signal },
        onProgress: (state) => bar.update({ label: 'restoring', ...state }),
      }),
    )
    bar.finish()
    if (json) await writePieces(context.out, jsonPieces(allJson(restored)))
    else await writeLines(context.out, linesOfAll(context, backup, restored))
  } finally {
    bar.finish()
  }
}

function allJson({ dir, aside, spaces, isFinished }: RestoredSpaces) {
  return { spaces_path: dir, aside, spaces, finished_earlier: isFinished }
}

function linesOfAll(context: Context, backup: string, restored: RestoredSpaces): string[] {
  const { dir, aside, spaces, isFinished } = restored
  const done = isFinished ? 'finished restoring' : 'restored'
  const lines = [
    `${done} ${plural(spaces, 'space')} of ${printable(dir)} from ${printable(backup)}`,
    'passwords, keys, users and clients are those of the backup: what was revoked or disabled since works again',
  ]
  if (aside === null) return lines
  const back = commandFor({ ...context, db: undefined }, dir)(`backup restore ${shellWord(aside)}`)
  return [...lines, `the previous spaces are now in ${printable(aside)}`, `to go back: ${printable(back)}`]
}
