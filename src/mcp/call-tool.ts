import type { CallToolResult } from '@modelcontextprotocol/server'
import { type CompileProgress, compilingLine, filesDone } from '../core/compile-progress.ts'
import { isMemoryError, MemoryError } from '../core/errors.ts'
import type { Log, LogFields } from '../util/log.ts'
import { sendsData } from './answer-data.ts'
import { CALL_MESSAGES } from './call-log.ts'
import { failureFields, invalidParams, messageOf } from './errors.ts'
import { checkPermitted, offeredTools } from './permissions.ts'
import type { Caller, Served } from './served.ts'
import { COMPILING_META, type Tool, type ToolAnswer } from './tools/tool.ts'

export interface ToolCall {
  name: string
  args: unknown
  caller: Caller
  /** The revision of the protocol that the client speaks. */
  protocol: string
  /** The client no longer wants the answer. */
  signal: AbortSignal
  /** What came beside the arguments (`_meta`). */
  meta?: Readonly<Record<string, unknown>> | undefined
}

/** The one way to a tool: checks whether the call is permitted and what it says, calls, logs, and makes an answer of what goes wrong. */
export async function callTool(served: Served, call: ToolCall): Promise<CallToolResult> {
  const tool = findTool(served, call.name)
  const { sessionId } = call.caller
  const log = sessionId === '' ? served.log : served.log.of(sessionId)
  const startedAt = served.clock()
  const elapsed = () => ({ tool: tool.name, elapsed_ms: Math.round(served.clock() - startedAt) })
  const hasData = sendsData(tool, { answers: served.answers, protocol: call.protocol })
  let logged = {}
  try {
    checkPermitted(tool, tool.access, served.allowed)
    const args = tool.input.parse(call.args ?? {})
    checkPermitted(tool, tool.accessOf?.(args) ?? tool.access, served.allowed)
    logged = await redactFields(served, tool.logged(args))
    const hands = await served.hands(call.caller.author, call.signal)
    const before = await served.compiling()
    const context = { hands, isCompiling: before !== undefined, signal: call.signal, meta: call.meta ?? {} }
    const answer = await tool.call(context, args)
    // A read may lack what was compiled since it began; anything else has nothing to lack.
    const progress = tool.access === 'reads' ? before : await served.compiling()
    log.debug(CALL_MESSAGES.done, { ...elapsed(), ...logged })
    return toResult(progress ? whileCompiling(tool, answer, progress) : answer, hasData)
  } catch (error) {
    const about = { ...elapsed(), ...logged }
    if (!call.signal.aborted) logFailure(log, error, about)
    else if (served.isEnding()) logFailure(log, givenUp(), about)
    else log.debug(CALL_MESSAGES.cancelled, about)
    return toFailure(tool, error, { given: call.args, hasData })
  }
}

/** Nobody cancelled the call: whoever runs the server learns what was not done. */
function givenUp(): MemoryError {
  return new MemoryError('UNAVAILABLE', 'the server is ending')
}

/** Two callers that want the same are normal, and each of them is answered: a conflict is no failure of the server. */
function logFailure(log: Log, error: unknown, about: LogFields): void {
  const isConflict = isMemoryError(error) && error.code === 'CONFLICT'
  const fields = { ...about, ...failureFields(error) }
  if (isConflict) log.warn(CALL_MESSAGES.failed, fields)
  else log.error(CALL_MESSAGES.failed, fields)
}

/** Texts of other doors than the tree are exact: there it is only in `_meta`. */
function whileCompiling(
  { toolset }: Pick<Tool, 'toolset'>,
  answer: ToolAnswer,
  progress: CompileProgress,
): ToolAnswer {
  if (answer.meta?.[COMPILING_META]) return answer
  const text = toolset === 'tree' ? `${answer.text}\n${compilingLine(progress)}` : answer.text
  return { ...answer, text, meta: { ...answer.meta, [COMPILING_META]: filesDone(progress) } }
}

async function redactFields(served: Served, fields: LogFields): Promise<LogFields> {
  const entries = Object.entries(fields)
  if (!entries.some(([, value]) => typeof value === 'string')) return fields
  const redact = await served.redact()
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === 'string' ? redact(value) : value]),
  )
}

function findTool({ tools, allowed }: Pick<Served, 'tools' | 'allowed'>, name: string): Tool {
  const tool = tools.find((one) => one.name === name)
  if (tool) return tool
  const offered = offeredTools(tools, allowed).map((one) => one.name)
  throw invalidParams(`unknown tool "${name}"; there are ${offered.join(', ')}`)
}

function toResult(
  { text, briefly, structured, content, meta, isError }: ToolAnswer,
  hasData: boolean,
): CallToolResult {
  return {
    content: content ? [...content] : [{ type: 'text', text: hasData && briefly ? briefly : text }],
    ...(hasData && { structuredContent: structured }),
    ...(meta && { _meta: { ...meta } }),
    ...(isError && { isError }),
  }
}

async function toFailure(
  tool: Tool,
  error: unknown,
  { given, hasData }: { given: unknown; hasData: boolean },
): Promise<CallToolResult> {
  if (!tool.fail) return { content: [{ type: 'text', text: messageOf(error) }], isError: true }
  return toResult(await tool.fail(error, given ?? {}), hasData)
}
