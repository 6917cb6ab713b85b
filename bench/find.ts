/**
 * How fast what is stored is found, each operation beside the raw SQL that does the least for the same answer, at growing
 * sizes. `npm run bench -- find [--sizes 10k,100k,1M] [--keep <folder>] [--cpu]`: a table on stderr, JSON on stdout. With `--keep`
 * the memories are made in that folder, stay there, and are used again the next time. With `--cpu` figures are time of the processor.
 */
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { child } from './engine/child.ts'
import { nodesOf, writeCorpus } from './engine/corpus.ts'
import { type Found, figureLines, judge } from './find/figures.ts'

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '10k,100k,1M' },
    keep: { type: 'string' },
    cpu: { type: 'boolean', default: false },
  },
})

const work = mkdtempSync(join(tmpdir(), 'remindb-bench-'))
try {
  const found = values.sizes.split(',').map((size) => measure(size.trim()))
  const verdicts = judge(found)
  process.stderr.write(`${figureLines(found, verdicts).join('\n')}\n`)
  process.stdout.write(`${JSON.stringify({ sizes: found, verdicts }, null, 2)}\n`)
} finally {
  rmSync(work, { recursive: true, force: true })
}

function measure(size: string): Found {
  const folder = values.keep ?? work
  mkdirSync(folder, { recursive: true })
  const db = join(folder, `find-${size}.db`)
  if (!existsSync(db)) prepare(size, db)
  process.stderr.write(`${size}: asking…\n`)
  const found = child<Omit<Found, 'size'>>(script('measure'), [db, values.cpu ? 'cpu' : 'wall'])
  if (!values.keep) rmSync(db)
  return { size, ...found }
}

/** Under its name only when it is complete: a memory that was left half made must not be used again. */
function prepare(size: string, db: string): void {
  process.stderr.write(`${size}: writing and compiling notes…\n`)
  const notes = join(work, `notes-${size}`)
  writeCorpus(notes, nodesOf(size))
  child(script('prepare'), [notes, `${db}.part`])
  rmSync(notes, { recursive: true })
  renameSync(`${db}.part`, db)
}

function script(name: string): string {
  return join(import.meta.dirname, 'find', `${name}.ts`)
}
