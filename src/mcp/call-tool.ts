import type { CallToolResult } from '@modelcontextprotocol/server'
import { type CompileProgress, compilingLine, filesDone } from '../core/compile/compile-progress.ts'
import { isMemoryError, MemoryError } from '../core/errors.ts'
import type { Log, LogFields } from '../util/log.ts'
import type { Needs } from './model/access.ts'
import { sendsData } from './model/answer-data.ts'
import { CALL_MESSAGES } from './model/call-log.ts'
import { failureFields, invalidParams, messageOf } from './model/errors.ts'
import { offeredTools } from './model/permissions.ts'
import type { Call, Request } from './model/request.ts'
import type { Served } from './model/served.ts'
import { COMPILING_META, type Tool, type ToolAnswer } from './model/tool.ts'

export type ToolRequest = Request<{ name: string; arguments?: unknown }>

/** Checks what a call of a tool says. Carried out, it is logged, and what goes wrong becomes an answer. */
export function prepareTool(served: Served, request: ToolRequest): Call<CallToolResult> {
  const { params, caller, protocol, signal, meta = {} } = request
  const tool = findTool(served, request)
  const parsed = parseArguments(tool, params.arguments)
  const log = caller.sessionId === '' ? served.log : served.log.of(caller.sessionId)
  const hasData = sendsData(tool, { answers: served.answers, protocol })
  let startedAt = served.clock()
  let logged: LogFields = {}
  const about = (): LogFields => ({
    ...{ tool: tool.name, elapsed_ms: Math.round(served.clock() - startedAt) },
    ...logged,
  })
  return {
    name: tool.name,
    access: parsed.access,
    scope: parsed.scope,
    async run() {
      startedAt = served.clock()
      const args = parsed.get()
      logged = await redactFields(served, tool.logged(args))
      const memory = await served.memory.as(caller, signal)
      const before = await served.memory.compiling()
      const answer = await tool.call({ memory, isCompiling: before !== undefined, signal, meta }, args)
      if (!answer.isError) served.memory.record(caller, tool.audited?.(args, answer) ?? [])
      // A read may lack what was compiled since it began; anything else has nothing to lack.
      const progress = tool.access === 'reads' ? before : await served.memory.compiling()
      log.debug(CALL_MESSAGES.done, about())
      return toResult(withRate(served, progress ? whileCompiling(tool, answer, progress) : answer), hasData)
    },
    fail(error) {
      if (!signal.aborted) logFailure(log, error, about())
      else if (served.isEnding()) logFailure(log, givenUp(), about())
      else log.debug(CALL_MESSAGES.cancelled, about())
      return toFailure(tool, error, { given: params.arguments, hasData })
    },
  }
}

/** What a call with these arguments does. Those that cannot be used are refused when it runs: as far as it is permitted. */
function parseArguments(tool: Tool, given: unknown): Needs & { get(): unknown } {
  try {
    const args = tool.input.parse(given ?? {})
    const access = tool.accessOf?.(args) ?? tool.access
    return { access, scope: tool.scopeOf?.(args) ?? tool.scope, get: () => args }
  } catch (error) {
    return {
      access: tool.access,
      scope: tool.scope,
      get() {
        throw error
      },
    }
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

/** Where an answer tells of limits, it has the true ones. */
function withRate({ rate }: Pick<Served, 'rate'>, answer: ToolAnswer): ToolAnswer {
  const hive = answer.meta?.hive
  if (!rate || typeof hive !== 'object') return answer
  return { ...answer, meta: { ...answer.meta, hive: { ...hive, rate_limit: rate.figures() } } }
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

function findTool({ tools, allowed }: Served, { params: { name } }: ToolRequest): Tool {
  const tool = tools.find((one) => one.name === name)
  if (tool) return tool
  const offered = offeredTools(tools, allowed()).map((one) => one.name)
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
