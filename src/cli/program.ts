import { colorChoice } from '../runtime/settings/config.ts'
import { VERSION } from '../runtime/timing/version.ts'
import { createPalette } from '../util/terminal/color.ts'
import type { TextInput } from '../util/terminal/input.ts'
import { ClosedOutputError, type Output, untilClosed, writeLines } from '../util/terminal/output.ts'
import { printable } from '../util/text/printable.ts'
import { type Command, type Context, type ExitCode, InterruptedError, UsageError } from './base/command.ts'
import { describeError, errorJson } from './base/describe-error.ts'
import { type Found, findCommand, namesOf } from './find-command.ts'
import { commandHelp, commandUsage, groupHelp, groupUsage, programHelp, programUsage } from './help.ts'
import { parseLine, splitCommandLine } from './parse-arguments.ts'

export interface Invocation {
  argv: readonly string[]
  /** The file that was started. */
  script: string
  cwd: string
  in: TextInput
  out: Output
  err: Output
}

/** Runs one command line. Never throws: errors go to `err`, and to the exit code. */
export async function runProgram({ err, ...given }: Invocation): Promise<ExitCode> {
  const invocation = { ...given, err: forgiving(err) }
  try {
    return await dispatch(invocation)
  } catch (error) {
    // The reader has seen enough: not a failure.
    if (error instanceof ClosedOutputError) return 0
    if (error instanceof InterruptedError) {
      await writeLines(invocation.err, [`remindb: ${error.message}`])
      return 130
    }
    if (given.argv.includes('--json')) await untilClosed(given.out.write(errorJson(error)))
    await writeLines(invocation.err, describeError(error))
    return 1
  }
}

async function dispatch(invocation: Invocation): Promise<ExitCode> {
  let usage = programUsage()
  let help = 'remindb --help'
  try {
    const { name, rest } = expandHelp(splitCommandLine(invocation.argv))
    if (name === undefined) return await runWithoutCommand(invocation, rest)
    const found = findCommand({ name, rest })
    help = `remindb ${found.name} --help`
    if (found.kind === 'group') {
      usage = groupUsage(found.name)
      return await runGroup(invocation, found)
    }
    const { command } = await found.entry.load()
    usage = commandUsage(found.name, command)
    return await runCommand(invocation, found, command)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    await writeLines(invocation.err, [`remindb: ${printable(error.message)}`, usage, `Try: ${help}`])
    return 2
  }
}

/** `remindb help keys create` is `remindb keys create --help`. */
function expandHelp({ name, rest }: { name: string | undefined; rest: string[] }) {
  if (name !== 'help') return { name, rest }
  const [topic, ...below] = rest.filter((word) => !word.startsWith('-'))
  return { name: topic, rest: [...below, '--help'] }
}

async function runWithoutCommand({ out, err }: Invocation, rest: string[]): Promise<ExitCode> {
  const { wants } = parseLine(rest, undefined)
  if (wants === 'version') await writeLines(out, [`remindb ${VERSION}`])
  else if (wants === 'help') await writeLines(out, programHelp())
  else {
    await writeLines(err, ['remindb: no command given', '', ...programHelp()])
    return 2
  }
  return 0
}

async function runGroup(
  { out }: Invocation,
  { name, entry, rest }: Extract<Found, { kind: 'group' }>,
): Promise<ExitCode> {
  const { wants } = parseLine(rest, undefined)
  if (wants === 'run') throw new UsageError(`missing command; one of ${namesOf(entry.commands, `${name} `)}`)
  await writeLines(out, wants === 'version' ? [`remindb ${VERSION}`] : groupHelp(name, entry))
  return 0
}

async function runCommand(
  { in: input, out, err, cwd, script }: Invocation,
  { name, rest, entry }: Extract<Found, { kind: 'command' }>,
  command: Command,
): Promise<ExitCode> {
  const { wants, named, input: given } = parseLine(rest, command)
  if (wants === 'version') await writeLines(out, [`remindb ${VERSION}`])
  else if (wants === 'help') await writeLines(out, commandHelp(name, entry.summary, command))
  else {
    const choice = colorChoice()
    const palette = createPalette(choice === 'always' || (choice === 'auto' && out.isTerminal))
    const context: Context = { in: input, out, err, palette, cwd, script, ...named }
    return command.run(context, given)
  }
  return 0
}

/** Nothing may be reading stderr: that is not a reason to fail. */
function forgiving(output: Output): Output {
  return { ...output, write: (text) => untilClosed(output.write(text)) }
}
