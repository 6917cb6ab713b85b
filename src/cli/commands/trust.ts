import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { MemoryError } from '../../core/errors.ts'
import { placesOf } from '../../runtime/places/places.ts'
import { loadConfig, ownTrustedPath } from '../../runtime/settings/config.ts'
import { FOLDER_FILE } from '../../runtime/settings/config-file.ts'
import { type AskedSetting, trustFolder } from '../../runtime/settings/trusted-folders.ts'
import { writeLines } from '../../util/terminal/output.ts'
import { alignColumns } from '../../util/terminal/table.ts'
import { printable } from '../../util/text/printable.ts'
import { plural } from '../../util/text/units.ts'
import { type Context, defineCommand } from '../base/command.ts'

export const command = defineCommand({
  parameters: { folder: { kind: 'text', help: 'The folder that has the .remindb' } },
  flags: { yes: { kind: 'switch', help: 'Accept without asking' } },
  examples: ['remindb trust .', 'remindb trust ~/work/site --yes'],

  async run(context, { parameters: { folder: named }, flags: { yes } }) {
    const { out, cwd } = context
    const { stateFolder, home } = placesOf(existingFolder(cwd, named))
    const { asked, trust } = loadConfig({ stateFolder })
    const folder = printable(home)
    if (asked.length === 0) {
      await writeLines(out, [
        `nothing to trust: ${FOLDER_FILE} of ${folder} has no settings that need your consent`,
      ])
      return 0
    }
    await writeLines(out, [
      `${folder} ${trust === 'changed' ? 'changed, and now has' : 'has'} settings that need your consent:`,
      ...settingLines(asked),
    ])
    if (trust === 'trusted') {
      await writeLines(out, ['trusted already; nothing changed'])
      return 0
    }
    if (!yes && !(await isConfirmed(context))) {
      await writeLines(out, ['not trusted; nothing changed'])
      return 1
    }
    await trustFolder(ownTrustedPath(), home, asked)
    await writeLines(out, [`trusted: ${plural(asked.length, 'setting')} of ${folder}, until they change`])
    return 0
  },
})

function existingFolder(cwd: string, named: string): string {
  const folder = resolve(cwd, named)
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder
  throw new MemoryError('NOT_FOUND', `there is no folder ${named}`)
}

/** Values in full: people must see everything they accept. */
function settingLines(asked: readonly AskedSetting[]): string[] {
  return alignColumns(asked.map(({ name, value }) => [`  ${name}`, printable(JSON.stringify(value))]))
}

async function isConfirmed({ in: input, err }: Context): Promise<boolean> {
  if (!input.isTerminal)
    throw new MemoryError('INVALID_INPUT', 'nothing was changed; to accept these settings, add --yes')
  await err.write('Accept these settings? [y/N] ')
  return /^\s*y(es)?\s*$/i.test(await input.readLine())
}
