import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { MIN_BUDGET } from '../../core/find/budget.ts'
import { writeLines, writePieces } from '../../util/terminal/output.ts'
import { jsonPieces } from '../../util/text/json-pieces.ts'
import { defineCommand, UsageError } from '../base/command.ts'
import { interruptible } from '../base/interrupt.ts'
import type { BenchReport, Comparison } from '../bench/report.ts'
import { runBench } from '../bench/run.ts'
import { benchLines } from '../layout/bench.ts'

export const command = defineCommand({
  parameters: {},
  flags: {
    dir: {
      kind: 'text',
      value: 'FOLDER',
      required: true,
      help: 'The folder to read; nothing in it is changed',
    },
    budget: {
      kind: 'number',
      value: 'TOKENS',
      min: MIN_BUDGET,
      help: 'Of each search and each fetch. Default: 1000',
    },
    query: {
      kind: 'text',
      value: 'TEXT',
      many: true,
      help: 'A query to search for; may be given several times. Default: three headings of the folder',
    },
    json: { kind: 'switch', help: 'Print JSON' },
  },
  examples: [
    'remindb bench --dir docs',
    'remindb bench --dir docs --query "retry policy" --query alerts --json',
  ],

  async run({ cwd, db, spaces, space, out, palette }, { flags: { dir, budget, query, json } }) {
    if (dir === undefined) throw new UsageError('--dir is required: the folder to read')
    const named = db !== undefined ? '--db' : spaces !== undefined ? '--spaces' : '--space'
    if (db !== undefined || spaces !== undefined || space !== undefined)
      throw new UsageError(`bench creates its own database; omit ${named}`)
    const folder = resolve(cwd, dir)
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
      throw new UsageError(`--dir must be a folder, got ${JSON.stringify(dir)}`)
    const input = { folder, queries: query, ...(budget === undefined ? {} : { budget }) }
    const report = await interruptible('nothing is left of the bench', (signal) =>
      runBench({ ...input, signal }),
    )
    if (json) await writePieces(out, jsonPieces(toJson(dir, report)))
    else await writeLines(out, benchLines(report, palette))
    return 0
  },
})

function toJson(dir: string, report: BenchReport) {
  const { files, nodes, budget, queries, scenarios, totals, passedOn } = report
  const compared = (some: Record<string, Comparison>) =>
    Object.fromEntries(Object.entries(some).map(([name, tokens]) => [name, comparison(tokens)]))
  return {
    dir,
    files,
    nodes,
    budget,
    queries,
    scenarios: scenarios.map(({ name, ...tokens }) => ({ name, ...comparison(tokens) })),
    totals: compared(totals),
    passed_on: compared(passedOn),
  }
}

function comparison({ naive, remindb, saved }: Comparison) {
  return {
    naive_tokens: naive,
    remindb_tokens: remindb,
    saved_percent: saved === null ? null : Number(saved.toFixed(1)),
  }
}
