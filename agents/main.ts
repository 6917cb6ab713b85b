/** What the models of agent programs really get from remindb. Started by `scripts/agents.mjs`; see docs/reference/agents.md. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { measurePrograms } from './measure-programs.ts'
import { HELP, type Options, readOptions, UsageError } from './options.ts'
import { pageOf } from './report/page.ts'
import type { Report } from './report/report.ts'
import { tablesOf } from './report/tables.ts'

const RESULTS = join(import.meta.dirname, 'results.json')
const PAGE = join(import.meta.dirname, '..', 'docs', 'reference', 'agents.md')
const USAGE_ERROR = 2

process.exitCode = await main(process.argv.slice(2))

async function main(args: string[]): Promise<number> {
  try {
    const options = readOptions(args)
    if (options.isHelp) return print(HELP)
    const report = await measurePrograms(options, (line) => process.stderr.write(`${line}\n`))
    if (options.isWritten) store(report)
    return print(resultText(report, options))
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    process.stderr.write(`${error.message}\n`)
    return USAGE_ERROR
  }
}

function resultText(report: Report, { isJson }: Options): string {
  if (isJson) return JSON.stringify(report, null, 2)
  const { programs, calls, instead, missing } = tablesOf(report, { isAligned: true })
  const isMeasured = report.programs.some(({ skipped }) => skipped === undefined)
  return [...(isMeasured ? [programs, calls, instead] : []), ...missing].join('\n\n')
}

function store(report: Report): void {
  mkdirSync(dirname(PAGE), { recursive: true })
  writeFileSync(RESULTS, `${JSON.stringify(report, null, 2)}\n`)
  writeFileSync(PAGE, pageOf(report))
}

function print(text: string): number {
  process.stdout.write(`${text}\n`)
  return 0
}
