import { SEARCHES } from '../script/steps.ts'
import { grouped } from './markdown.ts'
import type { RunResult, StepResult } from './report.ts'

/** A row of the table of programs: what the runs of one program over one transport say about it. */
export interface Aspect {
  title: string
  scenarios: readonly RunResult['scenario'][]
  /** Whether it is said of both transports together. */
  isJoint?: boolean
  of(runs: readonly RunResult[]): string
}

const TREE = ['tree'] as const
const SCRIPTS = ['tree', 'doors'] as const

export const ASPECTS: readonly Aspect[] = [
  {
    title: 'revision of MCP',
    scenarios: SCRIPTS,
    of: (runs) => unique(runs.map((run) => run.protocol ?? '–')),
  },
  { title: 'model reads, tree', scenarios: TREE, of: successForms },
  { title: 'model reads, records, keys, files', scenarios: ['doors'], of: successForms },
  {
    title: 'model reads, error',
    scenarios: SCRIPTS,
    of: (runs) =>
      unique(
        stepsOf(runs)
          .filter((step) => step.isError && isWhole(step))
          .map(formOf),
      ),
  },
  {
    title: 'longest answer that is whole',
    scenarios: SCRIPTS,
    isJoint: true,
    of: (runs) =>
      grouped(
        Math.max(
          0,
          ...stepsOf(runs)
            .filter(isWhole)
            .map(({ gotLength }) => gotLength),
        ),
      ),
  },
  { title: 'cut', scenarios: SCRIPTS, of: (runs) => namesOf(runs, 'cut') },
  { title: 'replaced', scenarios: SCRIPTS, of: (runs) => namesOf(runs, 'replaced') },
  { title: 'did not reach the server', scenarios: SCRIPTS, of: (runs) => namesOf(runs, 'refused') },
  { title: '`instructions`', scenarios: TREE, of: (runs) => unique(runs.map(instructionsOf)) },
  { title: 'tools in the first prompt', scenarios: TREE, of: (runs) => unique(runs.map(toolsOf)) },
  { title: 'descriptions', scenarios: SCRIPTS, of: (runs) => unique(runs.map(descriptionsOf)) },
  {
    title: 'schema changes',
    scenarios: SCRIPTS,
    of: (runs) => unique(runs.flatMap(schemasOf)) || 'none',
  },
  ...SEARCHES.map(({ query }) => ({
    ...{ title: `finds “${query}”`, scenarios: TREE },
    of: (runs: readonly RunResult[]) => unique(runs.map((run) => foundOf(run, query))),
  })),
  {
    title: 'calls unattended, without settings',
    scenarios: ['unattended'],
    of: (runs) =>
      unique(stepsOf(runs).flatMap(({ name, kind }) => (kind === 'refused' ? [] : [name]))) || 'nothing',
  },
]

function successForms(runs: readonly RunResult[]): string {
  return unique(
    stepsOf(runs)
      .filter((step) => !step.isError && isWhole(step))
      .map(formOf),
  )
}

const stepsOf = (runs: readonly RunResult[]): StepResult[] => runs.flatMap(({ steps }) => steps)
const unique = (values: readonly string[]): string => [...new Set(values)].join(', ')

export const isWhole = ({ kind }: StepResult): boolean =>
  kind === 'text' || kind === 'json' || kind === 'both'

/** How a whole answer reads: `text`, `text in an object`, `JSON`, `text and JSON`. */
export function formOf({ kind, wrapper }: StepResult): string {
  const form = {
    text: 'text',
    json: 'JSON',
    both: 'text and JSON',
    cut: 'cut',
    replaced: 'replaced',
    refused: 'refused',
  }[kind]
  if (wrapper === undefined) return form
  return `${form} in ${wrapper === 'object' ? 'an object' : `\`${wrapper}\``}`
}

function namesOf(runs: readonly RunResult[], kind: StepResult['kind']): string {
  return unique(stepsOf(runs).flatMap((step) => (step.kind === kind ? [step.name] : []))) || 'nothing'
}

function instructionsOf({ instructions: { sent, seen } }: RunResult): string {
  if (seen === 0) return 'absent'
  // Line ends are not counted.
  return seen >= sent * 0.98 ? 'whole' : `first ${seen} characters`
}

function toolsOf({ tools: { inFirstPrompt, listed, othersBy } }: RunResult): string {
  if (inFirstPrompt === 'all') return `all ${listed}`
  const rest = othersBy ? `, the others by ${othersBy}` : ''
  return `${inFirstPrompt.length} of ${listed}${rest}`
}

function descriptionsOf({ tools: { descriptionLimit, shown } }: RunResult): string {
  if (shown === 0) return '–'
  return descriptionLimit === null ? 'whole' : `first ${descriptionLimit} characters`
}

function schemasOf({ tools: { schemaChanges, shown } }: RunResult): string[] {
  if (shown === 0) return ['–']
  return schemaChanges.map((change) => `\`${change}\``)
}

/** Nobody has to search for a tool that is in the first prompt. */
function foundOf({ searches, tools: { inFirstPrompt, othersBy } }: RunResult, query: string): string {
  if (inFirstPrompt === 'all' || othersBy !== 'search') return '–'
  const { expected = [] } = SEARCHES.find((one) => one.query === query) ?? {}
  const shown = expected.find((name) => inFirstPrompt.includes(name))
  if (shown) return `${shown} (in the prompt)`
  const search = searches.find((one) => one.query === query)
  if (!search || search.found.length === 0) return 'nothing'
  const at = search.found.findIndex((name) => expected.includes(name))
  return at < 0 ? `not: ${search.found.slice(0, 3).join(', ')}` : `${search.found[at]} (${at + 1}.)`
}
