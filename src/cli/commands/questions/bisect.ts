import type { BisectProgress } from '../../../core/questions/bisect.ts'
import { bisectLines } from '../../../core/questions/bisect-text.ts'
import { bisectJson } from '../../../core/questions/json.ts'
import type { BisectReport, QuestionInput } from '../../../core/questions/model.ts'
import type { Memory } from '../../../runtime/memory/open-memory.ts'
import { untilClosed, writeLines, writePieces } from '../../../util/terminal/output.ts'
import { createProgress } from '../../../util/terminal/progress.ts'
import { jsonPieces } from '../../../util/text/json-pieces.ts'
import { type Context, defineCommand } from '../../base/command.ts'
import { withMemory } from '../../base/databases.ts'
import { interruptible } from '../../base/interrupt.ts'
import { commandFor } from '../../base/invocation.ts'
import { readQuestions } from './questions-file.ts'

export const command = defineCommand({
  parameters: { questions: { kind: 'text', help: 'A file with questions, as check reads it' } },
  flags: {
    good: {
      kind: 'text',
      value: 'MOMENT',
      help: 'A moment at which the answers were found: a snapshot, a checkpoint, a time. Default: the latest that is found going back from now',
    },
    json: { kind: 'switch', help: 'Print JSON' },
  },
  examples: [
    'remindb bisect questions.jsonl',
    'remindb bisect questions.jsonl --good 12',
    'remindb bisect questions.jsonl --json',
  ],

  async run(context, { parameters: { questions: file }, flags: { good, json } }) {
    const questions = readQuestions(context.cwd, file)
    const report = await withMemory(context, async (memory) => {
      const found = await withProgress(memory, questions, good)
      await untilClosed(print(context, memory, found, json))
      return found
    })
    return report.passed ? 0 : 1
  },
})

async function withProgress(
  memory: Memory,
  questions: readonly QuestionInput[],
  good: string | undefined,
): Promise<BisectReport> {
  const bar = createProgress({ stream: process.stderr, now: () => performance.now() })
  try {
    return await interruptible('nothing was changed', (signal) =>
      memory.bisect(questions, { good, signal, onProgress: (progress) => bar.update(barState(progress)) }),
    )
  } finally {
    bar.finish()
  }
}

function barState({ after, before, done, total }: BisectProgress) {
  return { label: `looking between #${after} and #${before}`, done, total }
}

function print(context: Context, memory: Memory, report: BisectReport, json: boolean): Promise<void> {
  const { out, palette } = context
  if (json) return writePieces(out, jsonPieces(bisectJson(report)))
  return writeLines(out, bisectLines(report, { palette, toCommand: commandFor(context, memory.path) }))
}
