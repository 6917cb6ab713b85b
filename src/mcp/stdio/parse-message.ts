import {
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  ProtocolErrorCode,
  parseJSONRPCMessage,
} from '@modelcontextprotocol/server'
import type { LongLine } from '../../util/line-queue.ts'

/** A parsed line. Without a message and without refusals there is nothing to answer. */
export interface ParsedLine {
  message?: JSONRPCMessage
  /** For the senders of invalid messages that wait for an answer. */
  refusals: JSONRPCErrorResponse[]
}

const NOT_A_REQUEST =
  'this is not a JSON-RPC request of MCP; check its fields, and that its id is a whole number or a text'
const NO_BATCHES = 'MCP has no batches; send each message on a separate line'

const MEMBER = String.raw`"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"`
const ID = String.raw`"id"\s*:\s*(-?\d+|"(?:[^"\\]|\\.)*")`
/** Before the parameters of a message, or after them: there it is the message's own. */
const ID_AT_START = new RegExp(String.raw`^\s*\{\s*(?:${MEMBER}\s*,\s*)*${ID}\s*,`)
const ID_AT_END = new RegExp(String.raw`,\s*${ID}\s*(?:,\s*${MEMBER}\s*)*\}\s*$`)

/** For the sender of a request that is too long to be read. */
export function refuseLong({ start, end, bytes }: LongLine, maxBytes: number): JSONRPCErrorResponse[] {
  const [, id] = ID_AT_START.exec(start) ?? ID_AT_END.exec(end) ?? []
  if (id === undefined || !`${start}${end}`.includes('"method"')) return []
  const message = `the message has ${bytes} bytes, and it may have ${maxBytes}; send less at a time`
  return refusalOf({ id: parseJson(id) }, message)
}

/** Undefined for an empty line. Never throws: `refusals` has the possible answers. */
export function parseLine(line: string): ParsedLine | undefined {
  if (line.trim() === '') return undefined
  const value = parseJson(line)
  if (value === undefined) return { refusals: [] }
  if (Array.isArray(value)) return { refusals: value.flatMap((one) => refusalOf(one, NO_BATCHES)) }
  try {
    return { message: parseJSONRPCMessage(value), refusals: [] }
  } catch {
    return { refusals: refusalOf(value, NOT_A_REQUEST) }
  }
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** A request that is left without an answer would be waited for. Answers are not answered. */
function refusalOf(value: unknown, message: string): JSONRPCErrorResponse[] {
  const { id, result, error } = Object(value) as { id?: unknown; result?: unknown; error?: unknown }
  if (result !== undefined || error !== undefined) return []
  if (typeof id !== 'string' && typeof id !== 'number') return []
  return [{ jsonrpc: '2.0', id, error: { code: ProtocolErrorCode.InvalidRequest, message } }]
}
