import {
  isJSONRPCErrorResponse,
  type JSONRPCMessage,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server'
import { type ErrorCode, isMemoryError } from '../../core/errors.ts'
import { DEFAULT_ROOM } from '../../core/find/budget.ts'
import type { Log } from '../../util/log.ts'
import { elideMiddle } from '../../util/text/elide.ts'
import { printable } from '../../util/text/printable.ts'
import { readFailure, wordOf } from './error-words.ts'
import { isMemoryUri } from './names.ts'

/** The generic message for an internal failure. */
const UNEXPECTED = 'something unexpected went wrong; the log of the server has it'

/** JSON-RPC has numbers; the code itself is in `data.code`. "Not found" has the number of the new era here. */
const JSON_RPC_CODES: Record<ErrorCode, number> = {
  NOT_FOUND: -32602,
  INVALID_INPUT: -32602,
  CONFLICT: -32009,
  FORBIDDEN: -32003,
  UNAVAILABLE: -32010,
  NEWER_DATABASE: -32603,
  OLDER_DATABASE: -32603,
  NOT_A_DATABASE: -32603,
  CORRUPTED_DATA: -32603,
  READ_ONLY: -32603,
  TIMEOUT: -32010,
  LIMIT_EXCEEDED: -32011,
  // It existed: "not found" would make an old client think that it never did.
  REDACTED: -32602,
}

/**
 * A failure as the answer of a tool, on one line: an agent can read it and react. A message that is too long repeats
 * an argument of the call: its middle is left out.
 */
export function messageOf(error: unknown, maxLength = DEFAULT_ROOM): string {
  return isMemoryError(error) ? elideMiddle(printable(error.message), maxLength) : UNEXPECTED
}

/** A failure to read `uri`, as a JSON-RPC error. Readers of `memory://` have their own codes. */
export function resourceError(error: unknown, uri: string): ProtocolError {
  if (error instanceof ProtocolError) return error
  const isMemory = isMemoryUri(uri)
  if (!isMemoryError(error)) {
    const data = isMemory ? { code: wordOf(error), uri } : undefined
    return new ProtocolError(ProtocolErrorCode.InternalError, UNEXPECTED, data)
  }
  const { code, message } = error
  if (!isMemory) return new ProtocolError(JSON_RPC_CODES[code], message, { code, uri })
  const said = readFailure(error)
  return new ProtocolError(JSON_RPC_CODES[code], said.message, { code: said.word, uri })
}

/** The SDK replaces every number other than -32602; in the older era a missing resource has its own number. */
export function inOldWords(message: JSONRPCMessage): JSONRPCMessage {
  if (!isJSONRPCErrorResponse(message) || message.error.code !== ProtocolErrorCode.InvalidParams)
    return message
  const { data } = message.error
  const word = typeof data === 'object' && data !== null && 'code' in data ? data.code : undefined
  return word === 'NOT_FOUND' || word === 'RESOURCE_NOT_FOUND'
    ? { ...message, error: { ...message.error, code: ProtocolErrorCode.ResourceNotFound } }
    : message
}

export function checkUri(uri: unknown): void {
  if (typeof uri !== 'string') throw invalidParams('uri must be a string')
}

export function invalidParams(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message)
}

/** The log entry of a failure: its kind and place. Messages may quote content. */
export function failureFields(error: unknown): { error: string; at?: string } {
  if (isMemoryError(error)) return { error: error.code }
  if (!(error instanceof Error)) return { error: typeof error }
  const frame = error.stack?.split('\n').find((line) => line.trimStart().startsWith('at '))
  return { error: error.name, ...(frame ? { at: frame.trim() } : {}) }
}

/** With the whole message: for errors about settings and folders, which never quote the memory. */
export function reasonFields(error: unknown): { err: string } | { error: string; at?: string } {
  return isMemoryError(error) ? { err: error.message } : failureFields(error)
}

/** Only unexpected failures are logged for the operator: clients learn of their own mistakes in the answer. */
export function logUnexpected(log: Log, message: string, error: unknown): void {
  if (!isMemoryError(error) && !(error instanceof ProtocolError)) log.error(message, failureFields(error))
}
