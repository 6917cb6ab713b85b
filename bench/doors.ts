/**
 * What keys, records and files cost, each operation beside the raw SQL that does the least for the same answer.
 * `npm run bench -- doors [--documents 100k] [--appends 10k]`: tables on stderr, JSON on stdout.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Appended } from './doors/appends.ts'
import { figureLines, judge } from './doors/figures.ts'
import type { Asked } from './doors/measure.ts'
import { child } from './engine/child.ts'
import { nodesOf } from './engine/corpus.ts'

const { values } = parseArgs({
  options: { documents: { type: 'string', default: '100k' }, appends: { type: 'string', default: '10k' } },
})

const work = mkdtempSync(join(tmpdir(), 'remindb-bench-'))
try {
  const db = join(work, 'doors.db')
  const count = (size: string): string => String(nodesOf(size))
  process.stderr.write(`${values.documents} documents: storing…\n`)
  child(script('prepare'), [db, count(values.documents)])
  process.stderr.write(`${values.documents} documents: asking…\n`)
  const asked = child<Asked>(script('measure'), [db])
  process.stderr.write(`${values.appends} appends to one file…\n`)
  const appended = child<Appended>(script('appends'), [join(work, 'appends.db'), count(values.appends)])
  const verdicts = judge(asked, appended)
  process.stderr.write(`${figureLines(asked, appended, verdicts).join('\n')}\n`)
  process.stdout.write(`${JSON.stringify({ asked, appended, verdicts }, null, 2)}\n`)
} finally {
  rmSync(work, { recursive: true, force: true })
}

function script(name: string): string {
  return join(import.meta.dirname, 'doors', `${name}.ts`)
}
