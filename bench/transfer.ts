/**
 * How fast a memory goes through export and import, and how much memory that takes. `npm run bench -- transfer
 * [--nodes 100000]`: a table on stderr, JSON on stdout. The first compile of the same notes is beside it.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openMemory } from '../src/index.ts'
import { child } from './engine/child.ts'
import { writeCorpus } from './engine/corpus.ts'

interface Step {
  nodes: number
  ms: number
  peakBytes: number
}

const { values } = parseArgs({ options: { nodes: { type: 'string', default: '100000' } } })
const folder = mkdtempSync(join(tmpdir(), 'remindb-bench-'))
try {
  const [notes, db, file] = [join(folder, 'notes'), join(folder, 'memory.db'), join(folder, 'memory.jsonl')]
  writeCorpus(notes, Number(values.nodes))
  const compileMs = await compile(db, notes)
  const exported = run('export', db, file)
  const imported = run('import', join(folder, 'copy.db'), file)
  const fileBytes = statSync(file).size
  print(compileMs, fileBytes, { export: exported, import: imported })
  process.stdout.write(`${JSON.stringify({ compileMs, fileBytes, exported, imported }, null, 2)}\n`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function compile(db: string, notes: string): Promise<number> {
  await using memory = await openMemory({ db, settings: { author: 'bench' } })
  const start = performance.now()
  await memory.compile(notes)
  return performance.now() - start
}

function run(...args: string[]): Step {
  return child(join(import.meta.dirname, 'transfer', 'step.ts'), args)
}

function print(compileMs: number, fileBytes: number, steps: Record<string, Step>): void {
  const lines = Object.entries(steps).map(([name, { nodes, ms, peakBytes }]) => {
    const rates = `${(fileBytes / 1e3 / ms).toFixed(1)} MB/s, ${Math.round((nodes * 1000) / ms)} nodes/s`
    return `${name}: ${(ms / 1000).toFixed(2)} s, ${rates}, ${(peakBytes / 2 ** 20).toFixed(0)} MB of memory`
  })
  const first = `compile: ${(compileMs / 1000).toFixed(2)} s; the export has ${(fileBytes / 1e6).toFixed(1)} MB`
  process.stderr.write(`${[first, ...lines].join('\n')}\n`)
}
