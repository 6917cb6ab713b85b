/** What a request to a model says and what the model answers, the same for every API. */

export interface OfferedTool {
  /** As a call has to name it. */
  name: string
  /** Where the API groups tools: the group that a call has to name too. */
  namespace?: string
  description: string
  schema: Record<string, unknown>
  /** The model does not see it until a search has found it. */
  isDeferred?: true
}

/** With its group, as `group__name`. */
export function nameOf({ name, namespace }: Pick<OfferedTool, 'name' | 'namespace'>): string {
  if (namespace === undefined) return name
  return namespace.endsWith('__') ? `${namespace}${name}` : `${namespace}__${name}`
}

export interface ToolResult {
  callId: string
  /** All that the model reads of it. */
  text: string
}

export interface ModelRequest {
  /** System prompt and messages without tool results. */
  prompt: string
  tools: OfferedTool[]
  /** In the order of the calls. */
  results: ToolResult[]
}

export interface ToolCall {
  id: string
  name: string
  namespace?: string
  arguments: Record<string, unknown>
  /** Instead of the arguments, for a tool that takes a program. */
  code?: string
}

export type ModelReply = { kind: 'text'; text: string } | { kind: 'call'; call: ToolCall }

export interface HttpReply {
  type: 'application/json' | 'text/event-stream'
  body: string
}

/** One API of a model provider. */
export interface Api {
  name: string
  isRequest(path: string): boolean
  read(body: JsonObject): ModelRequest
  reply(reply: ModelReply, request: { path: string; body: JsonObject }): HttpReply
}

export type JsonObject = Record<string, unknown>

export const objectOf = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}

export const listOf = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.map(objectOf) : [])

export const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The text of a message whose content is a string or a list of parts; a part without text as its JSON. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content
  return listOf(content)
    .map((part) => (typeof part.text === 'string' ? part.text : JSON.stringify(part)))
    .join('\n')
}

export function sendJson(body: unknown): HttpReply {
  return { type: 'application/json', body: JSON.stringify(body) }
}

/** Server-sent events: `event` where the API names them. */
export function sendEvents(events: readonly { event?: string; data: unknown }[]): HttpReply {
  const lines = events.map(({ event, data }) => {
    const text = typeof data === 'string' ? data : JSON.stringify(data)
    return `${event ? `event: ${event}\n` : ''}data: ${text}\n\n`
  })
  return { type: 'text/event-stream', body: lines.join('') }
}
