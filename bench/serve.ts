/**
 * How fast a server starts and answers, beside the least that could: an echo in the same Node, and a tool that does nothing
 * over the same stack plus the operation in this process. `npm run bench -- serve [--size 100k]`: a table on stderr, JSON on
 * stdout.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openMemory } from '../src/index.ts'
import { nodesOf, writeCorpus } from './engine/corpus.ts'
import { milliseconds, table, verdict, verdictLines } from './engine/table.ts'
import { measureCalls } from './serve/calls.ts'
import { measureStarts } from './serve/starts.ts'

const { values } = parseArgs({ options: { size: { type: 'string', default: '100k' } } })
const work = mkdtempSync(join(tmpdir(), 'remindb-bench-'))
try {
  const notes = join(work, 'notes')
  process.stderr.write(`${values.size}: writing and compiling notes…\n`)
  writeCorpus(notes, nodesOf(values.size))
  await compile(notes)
  process.stderr.write('starting…\n')
  const starts = await measureStarts(notes)
  process.stderr.write('calling…\n')
  const calls = await measureCalls(notes)
  const verdicts = [
    verdict(
      'from spawn to the first answer: at most 1.5 × an echo, and 60 ms',
      starts.firstAnswerMs - 1.5 * starts.echoMs,
      60,
      ' ms above 1.5 × the echo',
    ),
    ...calls.map(({ tool, ratio }) =>
      verdict(`${tool}: at most 1.3 × (nothing over the same stack + the operation)`, ratio, 1.3, ' ×'),
    ),
  ]
  const lines = [
    ...table([starts], {
      echo: (row) => milliseconds(row.echoMs),
      'first answer': (row) => milliseconds(row.firstAnswerMs),
      'first search': (row) => milliseconds(row.firstSearchMs),
    }),
    ...table(calls, {
      tool: (row) => row.tool,
      'round trip': (row) => milliseconds(row.roundTripMs),
      nothing: (row) => milliseconds(row.noopMs),
      operation: (row) => milliseconds(row.operationMs),
      ratio: (row) => row.ratio.toFixed(2),
    }),
    ...verdictLines(verdicts),
  ]
  process.stderr.write(`${lines.join('\n')}\n`)
  process.stdout.write(`${JSON.stringify({ size: values.size, starts, calls, verdicts }, null, 2)}\n`)
} finally {
  rmSync(work, { recursive: true, force: true })
}

async function compile(notes: string): Promise<void> {
  await using memory = await openMemory({ db: notes, settings: { author: 'bench' } })
  await memory.compile(notes)
}
