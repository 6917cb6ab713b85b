import type { CallToolResult } from '@modelcontextprotocol/server'
import { CALL_MESSAGES } from './call-log.ts'
import { failureFields, invalidParams, messageOf } from './errors.ts'
import type { Caller, Served } from './served.ts'
import type { Tool, ToolAnswer } from './tools/tool.ts'

export interface ToolCall {
  name: string
  args: unknown
  caller: Caller
  /** The client no longer wants the answer. */
  signal: AbortSignal
}

/** The one way to a tool: checks, calls, logs, and makes an answer of what goes wrong. */
export async function callTool(served: Served, call: ToolCall): Promise<CallToolResult> {
  const tool = findTool(served.tools, call.name)
  const { sessionId } = call.caller
  const log = sessionId === '' ? served.log : served.log.of(sessionId)
  const startedAt = served.clock()
  const elapsed = () => ({ tool: tool.name, elapsed_ms: Math.round(served.clock() - startedAt) })
  let logged = {}
  try {
    const args = tool.input.parse(call.args ?? {})
    logged = tool.logged(args)
    const hands = await served.hands(call.caller.author)
    const answer = await tool.call({ hands, signal: call.signal }, args)
    log.debug(CALL_MESSAGES.done, { ...elapsed(), ...logged })
    return toResult(answer)
  } catch (error) {
    log.error(CALL_MESSAGES.failed, { ...elapsed(), ...logged, ...failureFields(error) })
    return { content: [{ type: 'text', text: messageOf(error) }], isError: true }
  }
}

function findTool(tools: readonly Tool[], name: string): Tool {
  const tool = tools.find((one) => one.name === name)
  if (tool) return tool
  throw invalidParams(`unknown tool "${name}"; there are ${tools.map((one) => one.name).join(', ')}`)
}

function toResult({ text, structured }: ToolAnswer): CallToolResult {
  return { content: [{ type: 'text', text }], structuredContent: structured }
}
