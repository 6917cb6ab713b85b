import type { Command, Flag, Flags } from '../../src/cli/base/command.ts'
import { COMMANDS, listCommands } from '../../src/cli/commands.ts'
import { GLOBAL_FLAGS } from '../../src/cli/parse-arguments.ts'
import { SETTINGS } from '../../src/runtime/settings/settings.ts'
import { anchorOf, code, type GeneratedTable, prose } from './table.ts'

const COLUMNS = ['argument', 'meaning']

export async function commandTables(): Promise<GeneratedTable[]> {
  const general = { heading: 'Flags of every command', columns: COLUMNS, rows: flagRows(GLOBAL_FLAGS) }
  const tables = [listOfCommands('Commands', COMMANDS, ''), general]
  for (const [name, entry] of Object.entries(COMMANDS))
    if ('commands' in entry) tables.push(listOfCommands(name, entry.commands, `${name} `))
  for (const [name, { load }] of listCommands()) {
    const { command } = await load()
    const rows = [...argumentRows(command), ...flagRows(command.flags)]
    tables.push({ heading: name, columns: COLUMNS, rows })
  }
  return tables
}

function listOfCommands(
  heading: string,
  commands: Record<string, { summary: string }>,
  above: string,
): GeneratedTable {
  const rows = Object.entries(commands).map(([name, { summary }]) => [
    `[${code(above + name)}](${anchorOf(above + name)})`,
    summary,
  ])
  return { heading, columns: ['command', 'what it does'], rows }
}

function argumentRows({ parameters }: Command): string[][] {
  return Object.entries(parameters).map(([name, { help, optional, many }]) => {
    const word = `${name}${many ? '...' : ''}`
    return [code(optional ? `[${word}]` : `<${word}>`), prose(help)]
  })
}

function flagRows(flags: Flags): string[][] {
  return Object.entries(flags).map(([name, flag]) => [spelling(name, flag), prose(meaningOf(name, flag))])
}

function spelling(name: string, flag: Flag): string {
  const long = flag.kind === 'switch' ? `--${name}` : `--${name} <${flag.value.toLowerCase()}>`
  return flag.short ? `${code(`-${flag.short}`)}, ${code(long)}` : code(long)
}

/** A flag that overrides a setting leads to it. */
function meaningOf(name: string, flag: Flag): string {
  const setting = SETTINGS.find((one) => one.flag === name)
  const help = flag.kind === 'setting' ? (setting?.help ?? '') : flag.help
  return setting ? `${help}. Setting: [${setting.name}](configuration.md${anchorOf(setting.name)})` : help
}
