/** How well search finds what answers a question, and redaction what is secret. Started by `scripts/eval.mjs`; see docs/how-to/evaluate-search.md. */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { isMemoryError } from '../src/index.ts'
import { type Asked, askAll } from './ask.ts'
import { DatasetError, readDataset } from './dataset.ts'
import { reportLines, reportOf } from './report.ts'
import { evaluateSecrets } from './secrets/main.ts'

const HELP = `npm run eval [-- <folder>] [--json]
npm run eval -- secrets [--json] [--verbose]

Compiles notes into a memory of their own, asks questions whose answers are known, and says how many were found:
recall@5, 10, 25 and 50, nDCG@10 and MRR in percent, by category, with time and tokens.

  <folder>  conversations (notes/, turns.jsonl, questions.jsonl), or one, or folders of them; without turns.jsonl
            the notes are messages; without a folder: the set in eval/sets
  secrets   instead: how many secrets of eval/secrets redaction finds, and how many other texts it alters, in percent
  --json    one line of JSON instead of a table; \`npm run eval --silent\` leaves out npm's own lines
  --verbose every kind of secrets, and what went wrong in the development set
  --help    this text

Nothing is written to the folder. docs/how-to/evaluate-search.md describes the format and the figures.`

const SECRETS = 'secrets'
const USAGE_ERROR = 2
class UsageError extends Error {}

process.exitCode = await main(process.argv.slice(2))

async function main(args: string[]): Promise<number> {
  try {
    const { values, positionals } = readArguments(args)
    if (values.help) return print(HELP)
    if (positionals[0] === SECRETS)
      return print(await evaluateSecrets({ json: values.json === true, isVerbose: values.verbose === true }))
    const asked = await askEach(positionals[0] ?? join(import.meta.dirname, 'sets'))
    const report = reportOf(asked)
    for (const problem of asked.flatMap((one) => one.problems)) process.stderr.write(`warning: ${problem}\n`)
    return print(values.json ? JSON.stringify(report) : reportLines(report).join('\n'))
  } catch (error) {
    if (!isExpected(error)) throw error
    process.stderr.write(`${error.message}\n`)
    return error instanceof UsageError ? USAGE_ERROR : 1
  }
}

function readArguments(args: string[]) {
  const options = {
    json: { type: 'boolean' },
    verbose: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  } as const
  try {
    const parsed = parseArgs({ args, options, allowPositionals: true })
    if (parsed.positionals.length > 1) throw new Error('name one folder')
    return parsed
  } catch (error) {
    const [reason] = (error as Error).message.split('. ')
    throw new UsageError(`${reason}; see npm run eval -- --help`)
  }
}

async function askEach(folder: string): Promise<Asked[]> {
  const asked: Asked[] = []
  for (const conversation of readDataset(folder)) {
    process.stderr.write(`${conversation.name}…\n`)
    asked.push(await askAll(conversation))
  }
  return asked
}

function isExpected(error: unknown): error is Error {
  return error instanceof DatasetError || error instanceof UsageError || isMemoryError(error)
}

function print(text: string): number {
  process.stdout.write(`${text}\n`)
  return 0
}
