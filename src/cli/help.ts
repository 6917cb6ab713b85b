import { SETTINGS } from '../runtime/settings/settings.ts'
import { alignColumns } from '../util/terminal/table.ts'
import { type Command, type Flag, type Flags, isAboutSpaces } from './base/command.ts'
import { COMMANDS, type CommandGroup } from './commands.ts'
import { GLOBAL_FLAGS } from './parse-arguments.ts'

const TAGLINE = 'remindb: the memory of AI agents, in one database that a person can watch and trust'
const EXIT_CODES = 'Exit codes: 0 done, 1 failed, 2 called in a wrong way.'

export function programHelp(): string[] {
  return [
    TAGLINE,
    '',
    programUsage(),
    '',
    'Commands:',
    ...commandLines(COMMANDS),
    '',
    'Flags of every command:',
    ...flagLines(GLOBAL_FLAGS),
    '',
    'Start with: remindb compile <folder>, then: remindb search <words> --db <folder>',
    EXIT_CODES,
  ]
}

export function programUsage(): string {
  return 'Usage: remindb <command> [arguments] [flags]'
}

export function groupHelp(name: string, { summary, commands }: CommandGroup): string[] {
  return [
    `remindb ${name}: ${lowerFirst(summary)}`,
    '',
    groupUsage(name),
    '',
    'Commands:',
    ...commandLines(commands),
    '',
    `For details: remindb ${name} ${Object.keys(commands)[0]} --help`,
  ]
}

export function groupUsage(name: string): string {
  return `Usage: remindb ${name} <command> [arguments] [flags]`
}

function commandLines(commands: Record<string, { summary: string }>): string[] {
  return indent(alignColumns(Object.entries(commands).map(([name, { summary }]) => [name, summary])))
}

export function commandUsage(name: string, command: Command): string {
  const { parameters, flags } = command
  const words = Object.entries(parameters).map(
    ([parameter, { optional, many }]) =>
      (optional ? `[${parameter}]` : `<${parameter}>`) + (many ? '...' : ''),
  )
  const options = Object.entries(flags).map(([flag, definition]) => {
    const isRequired = 'required' in definition && definition.required
    return isRequired ? spelling(flag, definition) : `[${spelling(flag, definition)}]`
  })
  const memory = isAboutSpaces(command) ? [] : [ONE_MEMORY]
  return ['Usage: remindb', name, ...words, ...options, ...memory].join(' ')
}

const ONE_MEMORY = '[--db PATH | --spaces DIR --space NAME]'

/** Every flag that it takes, its own first. */
function allFlags(command: Command): Flags {
  const { db: _db, space: _space, ...others } = GLOBAL_FLAGS
  return { ...command.flags, ...(isAboutSpaces(command) ? others : GLOBAL_FLAGS), ...command.flags }
}

export function commandHelp(name: string, summary: string, command: Command): string[] {
  const parameters = Object.entries(command.parameters).map(([parameter, { help }]) => [
    `<${parameter}>`,
    help,
  ])
  const section = (title: string, lines: string[]): string[] =>
    lines.length === 0 ? [] : ['', title, ...lines]
  return [
    `remindb ${name}: ${lowerFirst(summary)}`,
    '',
    commandUsage(name, command),
    ...section('Arguments:', indent(alignColumns(parameters))),
    ...section('Flags:', flagLines(allFlags(command))),
    ...section('Examples:', indent(command.examples)),
  ]
}

function flagLines(flags: Flags): string[] {
  const rows = Object.entries(flags).map(([name, flag]) => [
    `${flag.short ? `-${flag.short}, ` : '    '}${spelling(name, flag)}`,
    helpOf(flag),
  ])
  return indent(alignColumns(rows))
}

function spelling(name: string, flag: Flag): string {
  return flag.kind === 'switch' ? `--${name}` : `--${name} ${flag.value}`
}

function helpOf(flag: Flag): string {
  if (flag.kind !== 'setting') return flag.help
  const setting = SETTINGS.find(({ name }) => name === flag.setting)
  return setting ? `${setting.help}. Default: the setting ${setting.name}` : ''
}

function indent(lines: string[]): string[] {
  return lines.map((line) => `  ${line}`)
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
