import { closest } from '../util/text/closest.ts'
import { UsageError } from './base/command.ts'
import { COMMANDS, type CommandEntry, type CommandGroup } from './commands.ts'
import { type CommandLine, splitCommandLine } from './parse-arguments.ts'

/** The command that a line names, and the rest of the line. */
export type Found = { name: string; rest: string[] } & (
  | { kind: 'command'; entry: CommandEntry }
  /** Without saying which of its commands. */
  | { kind: 'group'; entry: CommandGroup }
)

/** Finds the command that `name` begins: the next word may be a subcommand. Throws `UsageError`. */
export function findCommand(
  { name, rest }: CommandLine & { name: string },
  known: Record<string, CommandEntry | CommandGroup> = COMMANDS,
): Found {
  const entry = choose(known, name, '')
  if (!('commands' in entry)) return { kind: 'command', name, rest, entry }
  const { load, summary, commands } = entry
  const below = splitBelow(entry, rest)
  if (load && (below.name === undefined || !Object.hasOwn(commands, below.name)))
    return { kind: 'command', name, rest, entry: { summary, load } }
  if (below.name === undefined) return { kind: 'group', name, rest, entry }
  const full = `${name} ${below.name}`
  return { kind: 'command', name: full, rest: below.rest, entry: choose(commands, below.name, `${name} `) }
}

/** Flags may come first if a command can also be called alone. */
function splitBelow({ load }: CommandGroup, rest: string[]): CommandLine {
  try {
    return splitCommandLine(rest)
  } catch (error) {
    if (load && error instanceof UsageError) return { name: undefined, rest }
    throw error
  }
}

function choose<T>(entries: Record<string, T>, name: string, above: string): T {
  const entry = Object.hasOwn(entries, name) ? entries[name] : undefined
  if (entry !== undefined) return entry
  const meant = closest(name, Object.keys(entries))
  const hint = meant ? `did you mean ${above}${meant}?` : `there are ${namesOf(entries, above)}`
  throw new UsageError(`unknown command ${JSON.stringify(above + name)}; ${hint}`)
}

export function namesOf(entries: Record<string, unknown>, above: string): string {
  return Object.keys(entries)
    .map((name) => above + name)
    .join(', ')
}
