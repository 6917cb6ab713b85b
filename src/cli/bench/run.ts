import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { MemoryError } from '../../core/errors.ts'
import { openMemory } from '../../runtime/open-memory.ts'
import { readProject } from './project.ts'
import { queriesFor } from './queries.ts'
import { type BenchReport, compared, type Scenario, totalsOf } from './report.ts'
import { deltaScenario, fetchScenario, type Project, searchScenario, treeScenario } from './scenarios.ts'

export interface BenchInput {
  folder: string
  /** Of a search, and of a fetch, in tokens. */
  budget?: number
  /** Default: three that the headings of the folder suggest. */
  queries?: string[]
}

/**
 * What an agent reads of a folder with remindb, beside what it reads with list, read, grep and diff. The folder is only
 * read; the databases and the copy that this takes are in a temporary folder and gone at the end.
 */
export async function runBench({ folder, budget = 1000, queries = [] }: BenchInput): Promise<BenchReport> {
  const workshop = mkdtempSync(join(tmpdir(), 'remindb-bench-'))
  try {
    await using memory = await openMemory({ db: join(workshop, 'bench.db') })
    await memory.compile(folder)
    const files = await readProject(memory, resolve(folder))
    if (files.length === 0)
      throw new MemoryError('INVALID_INPUT', 'there is no file in this folder that can be compiled')
    const { roots } = await memory.forest()
    const asked = queries.length > 0 ? queries : queriesFor(roots)
    const project = { folder: resolve(folder), files, memory, workshop, budget }
    const scenarios = await runScenarios(project, asked)
    const { nodes } = await memory.overview()
    return {
      files: files.length,
      nodes: nodes.total,
      budget,
      queries: asked,
      scenarios: scenarios.map(compared),
      totals: totalsOf(scenarios),
    }
  } finally {
    rmSync(workshop, { recursive: true, force: true })
  }
}

async function runScenarios(project: Project, queries: readonly string[]): Promise<Scenario[]> {
  const scenarios: (Scenario | undefined)[] = [await treeScenario(project)]
  for (const query of queries) scenarios.push(await searchScenario(project, query))
  scenarios.push(await fetchScenario(project), await deltaScenario(project))
  return scenarios.filter((scenario) => scenario !== undefined)
}
