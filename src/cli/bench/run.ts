import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { MemoryError } from '../../core/errors.ts'
import { openMemory } from '../../runtime/memory/open-memory.ts'
import { readProject } from './project.ts'
import { queriesFor } from './queries.ts'
import { type BenchReport, compared, passedOnOf, type Scenario, totalsOf } from './report.ts'
import { deltaScenario, fetchScenario, type Project, searchScenario, treeScenario } from './scenarios.ts'

export interface BenchInput {
  folder: string
  /** Of a search, and of a fetch, in tokens. */
  budget?: number
  /** Default: three that the headings of the folder suggest. */
  queries?: string[]
  /** Aborts the run and removes its temporary files. */
  signal?: AbortSignal
}

const NEVER = new AbortController().signal

/**
 * Compares the tokens an agent reads of a folder with remindb to those it reads with list, read, grep and diff. The folder is only
 * read; the databases and the copy are in a temporary folder, which is removed at the end.
 */
export async function runBench({
  folder,
  budget = 1000,
  queries = [],
  signal = NEVER,
}: BenchInput): Promise<BenchReport> {
  const workshop = mkdtempSync(join(tmpdir(), 'remindb-bench-'))
  try {
    await using memory = await openMemory({ db: join(workshop, 'bench.db'), rememberRoots: false })
    await memory.compile(folder, { signal })
    const files = await readProject(memory, resolve(folder))
    if (files.length === 0)
      throw new MemoryError('INVALID_INPUT', 'there is no file in this folder that can be compiled')
    const { roots } = await memory.forest()
    const asked = queries.length > 0 ? queries : queriesFor(roots)
    const project = { folder: resolve(folder), files, memory, workshop, budget, signal }
    const scenarios = await runScenarios(project, asked)
    const { nodes } = await memory.overview()
    return {
      files: files.length,
      nodes: nodes.total,
      budget,
      queries: asked,
      scenarios: scenarios.map(compared),
      totals: totalsOf(scenarios),
      passedOn: passedOnOf(scenarios),
    }
  } finally {
    rmSync(workshop, { recursive: true, force: true })
  }
}

async function runScenarios(project: Project, queries: readonly string[]): Promise<Scenario[]> {
  const steps = [
    () => treeScenario(project),
    ...queries.map((query) => () => searchScenario(project, query)),
    () => fetchScenario(project),
    () => deltaScenario(project),
  ]
  const scenarios: (Scenario | undefined)[] = []
  for (const step of steps) {
    // A signal is only noticed while the program waits.
    await setImmediate()
    project.signal.throwIfAborted()
    scenarios.push(await step())
  }
  return scenarios.filter((scenario) => scenario !== undefined)
}
