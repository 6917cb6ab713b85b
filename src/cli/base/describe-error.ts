import { getSystemErrorMap, inspect } from 'node:util'
import { isMemoryError } from '../../core/errors.ts'
import { isDebugging } from '../../runtime/settings/config.ts'
import { jsonPieces } from '../../util/text/json-pieces.ts'
import { printable, printableText } from '../../util/text/printable.ts'

/** The error message for a person: one line, and with `REMINDB_DEBUG=1` the stack. */
export function describeError(error: unknown): string[] {
  const line = `remindb: ${printable(messageOf(error))}`
  if (!isDebugging()) return [line]
  return [line, printableText(inspect(error))]
}

/** The same for a program that asked for JSON: it distinguishes failures by the code. */
export function errorJson(error: unknown): string {
  const code = isMemoryError(error) ? error.code : 'UNEXPECTED'
  return [...jsonPieces({ error: { code, message: messageOf(error) } })].join('')
}

function messageOf(error: unknown): string {
  if (isMemoryError(error)) return error.message
  return (
    systemMessage(error) ??
    'something unexpected went wrong; run the same command with REMINDB_DEBUG=1 to see where, and report it'
  )
}

/** `/x/.remindb: permission denied (EACCES)`. */
function systemMessage(error: unknown): string | undefined {
  const { errno, code, path } = error as Partial<NodeJS.ErrnoException>
  if (!(error instanceof Error) || errno === undefined) return undefined
  const [, reason] = getSystemErrorMap().get(errno) ?? []
  return reason && `${path ? `${path}: ` : ''}${reason} (${code})`
}
