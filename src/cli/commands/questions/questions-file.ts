import { resolve } from 'node:path'
import { MemoryError } from '../../../core/errors.ts'
import type { QuestionInput } from '../../../core/questions/model.ts'
import { parseQuestions } from '../../../core/questions/parse-questions.ts'
import { readSmallFile } from '../../../util/files/small-file.ts'
import { printable } from '../../../util/text/printable.ts'

const MAX_BYTES = 16 * 1024 * 1024

/** The questions of a file. Throws with the file and the line that is at fault. */
export function readQuestions(cwd: string, file: string): QuestionInput[] {
  const text = findText(cwd, file)
  if (text !== undefined) return parseQuestions(text, printable(file))
  throw new MemoryError(
    'NOT_FOUND',
    `there is no file ${file}; write one with \`remindb check --record\`, or by hand`,
  )
}

/** The text of a file of questions; undefined if there is none. */
export function findText(cwd: string, file: string): string | undefined {
  try {
    return readSmallFile(resolve(cwd, file), { maxBytes: MAX_BYTES })
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    throw new MemoryError('INVALID_INPUT', `${printable(file)} ${problem}`, { cause: error })
  }
}
