import type { Received } from '../measure/received.ts'
import type { Scenario, Transport } from '../scenarios.ts'

/** What `npm run agents` measured; `agents/results.json` is one of these. */
export interface Report {
  /** The day of the measurement, as in 2026-11-17. */
  date: string
  /** Of the memory that was served. */
  nodes: number
  programs: ProgramResult[]
}

export interface ProgramResult {
  name: string
  title: string
  package: string
  version: string
  /** Why it was not measured. */
  skipped?: string
  runs: RunResult[]
}

export interface RunResult {
  scenario: Scenario['name']
  transport: Transport
  /** The revision of MCP that program and server agreed on. */
  protocol: string | null
  /** Characters of the server's instructions, and how many of them stand in the prompt. */
  instructions: { sent: number; seen: number }
  tools: ToolsResult
  steps: StepResult[]
  searches: SearchResult[]
  /** Why not every step was made. */
  failure?: string
}

export interface ToolsResult {
  listed: number
  /** Those that the first request to the model has, when that is not all of them. */
  inFirstPrompt: string[] | 'all'
  /** How the model reaches the others: by a search among tools, or from a program that it writes. */
  othersBy: 'search' | 'code' | null
  /** Tools whose schema the model saw, in the first request or later. */
  shown: number
  /** Over all tools: see `schemaChanges`. */
  schemaChanges: string[]
  /** Characters that every description keeps; null when all are whole. */
  descriptionLimit: number | null
}

export interface StepResult extends Received {
  name: string
  tool: string
  /** Whether the call is wrong on purpose. */
  isError: boolean
  /** The beginning of what the model read instead of our answer. */
  instead?: string
}

export interface SearchResult {
  query: string
  /** The tools that were found, best first: the server's, and the program's own. */
  found: string[]
  expected: readonly string[]
}
