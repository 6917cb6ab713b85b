import { compareReceived } from '../measure/received.ts'
import { schemaChanges } from '../measure/schema-changes.ts'
import { seenLength } from '../measure/seen.ts'
import { toolsFound } from '../measure/tool-ranks.ts'
import type { FinishedRun, RunPlan } from '../run.ts'
import type { StepRecord } from '../script/script.ts'
import type { CallStep, SearchStep } from '../script/steps.ts'
import type { Toolbox } from '../script/toolbox.ts'
import type { RunResult, SearchResult, StepResult, ToolsResult } from './report.ts'

const SHOWN = 120

export function resultOfRun(plan: RunPlan, run: FinishedRun): RunResult {
  const { program, scenario, transport, memory } = plan
  const { script, traffic } = run
  const records = script.records
  const ours = new Map(traffic.tools.map(({ name }) => [program.toolName(name), name]))
  const made = records.filter(({ got, isMissing }) => got !== undefined || isMissing).length
  const failure = made < scenario.steps(memory).length ? failureOf(run, made) : undefined
  return {
    ...{ scenario: scenario.name, transport, protocol: traffic.protocol ?? null },
    instructions: {
      sent: traffic.instructions.length,
      seen: seenLength(traffic.instructions, script.firstPrompt ?? ''),
    },
    tools: toolsResult(run),
    steps: records.flatMap((record) =>
      record.step.kind === 'call' ? [stepResult(record.step, record, plan.folder)] : [],
    ),
    searches: records.flatMap((record) =>
      record.step.kind === 'search' && record.got !== undefined
        ? [searchResult(record.step, record.got, ours)]
        : [],
    ),
    ...(failure === undefined ? {} : { failure }),
  }
}

function failureOf({ script, exitCode }: FinishedRun, made: number): string {
  if (script.firstPrompt === undefined)
    return exitCode === undefined
      ? 'it never asked the model'
      : `it ended with ${exitCode} before it asked the model`
  const end = exitCode === undefined ? 'was ended after its time' : `ended with ${exitCode}`
  return `it ${end} after ${made} steps`
}

function toolsResult({ script: { toolbox }, traffic }: FinishedRun): ToolsResult {
  const { offered, inFirstPrompt: first } = toolbox
  const known = traffic.tools.filter(({ name }) => offered.has(name))
  const limits = known.flatMap(({ name, description }) => {
    const seen = seenLength(description, offered.get(name)?.description ?? '')
    return seen < description.trim().length ? [seen] : []
  })
  const changes = known.flatMap(({ name, inputSchema }) =>
    schemaChanges(inputSchema, offered.get(name)?.schema ?? {}),
  )
  return {
    listed: traffic.tools.length,
    inFirstPrompt: first.length === traffic.tools.length ? 'all' : first,
    othersBy: othersBy(toolbox),
    shown: known.length,
    schemaChanges: [...new Set(changes)].sort(),
    descriptionLimit: limits.length > 0 ? Math.min(...limits) : null,
  }
}

function othersBy({ codeTool, searchTool }: Toolbox): ToolsResult['othersBy'] {
  if (codeTool) return 'code'
  return searchTool ? 'search' : null
}

function stepResult(step: CallStep, { got = '', sent }: StepRecord, folder: string): StepResult {
  const { name, tool, isError = false } = step
  const received = compareReceived(sent, got)
  const isOurs = ['text', 'json', 'both'].includes(received.kind)
  const instead = withoutPaths(got, folder).slice(0, SHOWN)
  return { name, tool, isError, ...received, ...(isOurs ? {} : { instead }) }
}

/** Names of files differ from run to run and say nothing. */
function withoutPaths(text: string, folder: string): string {
  return text.replaceAll(folder, '…').replaceAll(/…\/\S*/g, '…')
}

function searchResult(
  { query, expected }: SearchStep,
  got: string,
  ours: ReadonlyMap<string, string>,
): SearchResult {
  return { query, expected, found: toolsFound(got, ours).slice(0, 5) }
}
