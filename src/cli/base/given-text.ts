import { MemoryError } from '../../core/errors.ts'
import { type Context, UsageError } from './command.ts'

/** The text for a command: its argument, or stdin if the argument is `-` or missing. */
export async function givenText(
  { in: input }: Pick<Context, 'in'>,
  argument: string | undefined,
  command: string,
): Promise<string> {
  if (argument !== undefined && argument !== '-') return argument
  if (argument === undefined && input.isTerminal)
    throw new UsageError(
      `missing [text]; give it as an argument, pipe it in (… | remindb ${command}), or say - to type it and end with Ctrl-D`,
    )
  const text = await input.read()
  if (text === undefined)
    throw new MemoryError('INVALID_INPUT', 'the text on stdin is not UTF-8; convert it first')
  return text
}
