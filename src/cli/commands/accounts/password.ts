import { MemoryError } from '../../../core/errors.ts'
import { type Context, type Flags, UsageError } from '../../base/command.ts'

/** Passwords are never arguments: other users of the machine can read those. */
export const PASSWORD_FLAG = {
  'password-stdin': {
    kind: 'switch',
    help: 'Read the password from stdin: one line of at least 10 characters',
  },
} as const satisfies Flags

/** The password that is piped in; undefined without the flag. */
export async function givenPassword(
  { in: input }: Pick<Context, 'in'>,
  flags: { 'password-stdin': boolean },
): Promise<string | undefined> {
  if (!flags['password-stdin']) return undefined
  if (input.isTerminal)
    throw new UsageError(
      '--password-stdin reads the password from a file or another program: … --password-stdin < FILE',
    )
  const text = await input.read()
  if (text === undefined)
    throw new MemoryError('INVALID_INPUT', 'the password on stdin is not UTF-8; convert it first')
  const password = text.replace(/\r?\n$/, '')
  if (/[\r\n]/.test(password))
    throw new MemoryError(
      'INVALID_INPUT',
      'the password on stdin has more than one line; give only the password',
    )
  return password
}
