import { checkLines } from '../../../core/questions/check-text.ts'
import { checkJson } from '../../../core/questions/json.ts'
import type { CheckReport } from '../../../core/questions/model.ts'
import { untilClosed, writeLines, writePieces } from '../../../util/terminal/output.ts'
import { jsonPieces } from '../../../util/text/json-pieces.ts'
import { type Context, defineCommand, UsageError } from '../../base/command.ts'
import { withMemory } from '../../base/databases.ts'
import { readQuestions } from './questions-file.ts'
import { record } from './record.ts'

const DEFAULT_FILE = 'questions.jsonl'

export const command = defineCommand({
  parameters: {
    questions: {
      kind: 'text',
      optional: true,
      help: `A file with one question on a line, as JSON: {"question": "…", "nodes": […], "paths": […], "words": […]}. Default, only with --record: ${DEFAULT_FILE}`,
    },
  },
  flags: {
    'as-of': {
      kind: 'text',
      value: 'MOMENT',
      help: 'Ask at this moment: a snapshot, a checkpoint, a time. Default: now',
    },
    min: {
      kind: 'fraction',
      value: 'SHARE',
      help: 'Fail (exit 1) when a smaller share of what is expected is found, 0 to 1. Default: 1',
    },
    record: {
      kind: 'switch',
      help: 'Ask for searches on this terminal, and append those whose hits you approve to the file',
    },
    json: { kind: 'switch', help: 'Print JSON' },
  },
  examples: [
    'remindb check questions.jsonl',
    'remindb check questions.jsonl --min 0.9 --json',
    'remindb check questions.jsonl --as-of 12',
    'remindb check --record',
  ],

  async run(context, { parameters: { questions: file }, flags }) {
    const { 'as-of': asOf, min, json } = flags
    if (flags.record) {
      refuseOthers({ 'as-of': asOf, min, json: json || undefined })
      await record(context, file ?? DEFAULT_FILE)
      return 0
    }
    if (file === undefined)
      throw new UsageError('missing <questions>: the file with the questions; --record writes one')
    const questions = readQuestions(context.cwd, file)
    const report = await withMemory(context, (memory) => memory.check(questions, { asOf, min }))
    await untilClosed(print(context, report, json))
    return report.passed ? 0 : 1
  },
})

function refuseOthers(flags: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(flags))
    if (value !== undefined) throw new UsageError(`--record takes no --${name}; give one of them`)
}

function print({ out, palette }: Context, report: CheckReport, json: boolean): Promise<void> {
  return json ? writePieces(out, jsonPieces(checkJson(report))) : writeLines(out, checkLines(report, palette))
}
