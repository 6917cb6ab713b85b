import type { AskDeps } from '../../core/questions/ask.ts'
import { type BisectOptions, bisectQuestions } from '../../core/questions/bisect.ts'
import { type CheckOptions, checkQuestions } from '../../core/questions/check.ts'
import type { BisectReport, CheckReport, QuestionInput } from '../../core/questions/model.ts'
import { questionsOf } from '../../core/questions/parse-questions.ts'

export interface Abortable {
  signal?: AbortSignal | undefined
}

/** Asks questions whose answers are known. Nothing gets warmer. */
export function createQuestionCalls(deps: AskDeps) {
  return {
    /** Whether search finds what questions expect, now or at another moment. */
    check: async (
      questions: readonly QuestionInput[],
      { signal = deps.signal, ...options }: CheckOptions & Abortable = {},
    ): Promise<CheckReport> => checkQuestions({ ...deps, signal }, questionsOf(questions), options),
    /** The snapshots at which what questions no longer find was lost. */
    bisect: async (
      questions: readonly QuestionInput[],
      { signal = deps.signal, ...options }: BisectOptions & Abortable = {},
    ): Promise<BisectReport> => bisectQuestions({ ...deps, signal }, questionsOf(questions), options),
  }
}
