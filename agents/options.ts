import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Program } from './programs/program.ts'
import { PROGRAMS } from './programs/programs.ts'
import { SCENARIOS, type Scenario, TRANSPORTS, type Transport } from './scenarios.ts'

export const HELP = `npm run agents [-- <program>…] [flags]

Runs agent programs with a scripted model and a remindb server, and prints what the model really got: which part of an
answer, how many characters, what was cut or refused, which tools a search finds.

  <program>            ${PROGRAMS.map(({ name }) => name).join(', ')}; default: all
  --use name@version   another version of a program than the pinned one; may be given several times
  --transport stdio    or http; default: both
  --scenario tree      or doors, unattended; default: all
  --timeout 240        seconds that one run may take
  --cache folder       where programs are installed; default: node_modules/.cache/agents
  --keep               keep the folder of the run, with every request and answer, and print its name
  --write              store the result in agents/results.json and write docs/reference/agents.md from it
  --json               the result as JSON instead of the table
  --help               this text

Programs are installed from the package registry; nothing else uses the network. They run one after the other in a
temporary folder, with a home of their own and no key. Those that cannot be installed or run are skipped, with the reason.
On Linux and macOS.`

const FLAGS = {
  use: { type: 'string', multiple: true },
  transport: { type: 'string' },
  scenario: { type: 'string' },
  timeout: { type: 'string', default: '240' },
  cache: { type: 'string', default: join(import.meta.dirname, '..', 'node_modules', '.cache', 'agents') },
  keep: { type: 'boolean', default: false },
  write: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const

export class UsageError extends Error {}

export interface Options {
  programs: Program[]
  transports: readonly Transport[]
  scenarios: readonly Scenario[]
  timeoutMs: number
  cache: string
  isKept: boolean
  isWritten: boolean
  isJson: boolean
  isHelp: boolean
}

/** Throws UsageError, which says what is wrong. */
export function readOptions(args: string[]): Options {
  const { values, positionals } = parse(args)
  const seconds = Number(values.timeout)
  if (!(seconds > 0)) throw new UsageError('--timeout takes a number of seconds')
  if (values.write && (positionals.length > 0 || values.use || values.transport || values.scenario))
    throw new UsageError('--write stores a whole measurement of the pinned versions: give no other flags')
  return {
    programs: choosePrograms(positionals, values.use ?? []),
    ...chooseRuns(values),
    ...{ timeoutMs: seconds * 1000, cache: values.cache, isKept: values.keep, isWritten: values.write },
    ...{ isJson: values.json, isHelp: values.help },
  }
}

function choosePrograms(names: readonly string[], use: readonly string[]): Program[] {
  const versions = new Map(use.map(versionOf))
  const chosen = names.map((name) => oneOf('program', name, PROGRAMS, programName))
  return (chosen.length > 0 ? chosen : PROGRAMS).map((program) => ({
    ...program,
    version: versions.get(program.name) ?? program.version,
  }))
}

function chooseRuns({ scenario, transport }: ReturnType<typeof parse>['values']) {
  const scenarios = scenario ? [oneOf('scenario', scenario, SCENARIOS, ({ name }) => name)] : SCENARIOS
  const transports = transport ? [oneOf('transport', transport, TRANSPORTS, String)] : TRANSPORTS
  if (!scenarios.some((one) => one.transports.some((over) => transports.includes(over))))
    throw new UsageError(`${scenario} is not measured over ${transport}`)
  return { scenarios, transports }
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options: FLAGS, allowPositionals: true })
  } catch (error) {
    const [reason] = (error as Error).message.split('. ')
    throw new UsageError(`${reason}; see npm run agents -- --help`)
  }
}

const programName = ({ name }: Program): string => name

function versionOf(text: string): [string, string] {
  const [, name = '', version] = /^(.+)@(\S+)$/.exec(text) ?? []
  if (!version)
    throw new UsageError(`--use takes a program and a version, such as codex@0.166.0; got ${text}`)
  return [oneOf('program', name, PROGRAMS, programName).name, version]
}

function oneOf<T>(what: string, given: string, known: readonly T[], nameOf: (one: T) => string): T {
  const found = known.find((one) => nameOf(one) === given)
  if (found === undefined)
    throw new UsageError(`unknown ${what} ${given}; choose from ${known.map(nameOf).join(', ')}`)
  return found
}
