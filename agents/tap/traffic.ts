import { type JsonObject, listOf, objectOf, stringOf } from '../model/conversation.ts'

/** One message of MCP as it passed between a program and the server. */
export interface TapEntry {
  /** Where ids of requests are unique: a process, or one POST. */
  channel: string
  from: 'program' | 'server'
  message: unknown
}

export interface ServerTool {
  name: string
  description: string
  inputSchema: JsonObject
}

export interface ServerCall {
  tool: string
  text: string
  /** `structuredContent`, compact; undefined where the server sent none. */
  json: string | undefined
  isError: boolean
}

/** What the server was asked and what it answered. */
export interface Traffic {
  /** Of the first answer that names one. */
  protocol: string | undefined
  instructions: string
  tools: ServerTool[]
  /** Calls of tools that were answered, in the order of the answers. */
  calls: ServerCall[]
}

const VERSION_META = 'io.modelcontextprotocol/protocolVersion'

export function readTraffic(entries: readonly TapEntry[]): Traffic {
  const traffic: Traffic = { protocol: undefined, instructions: '', tools: [], calls: [] }
  const asked = new Map<string, JsonObject>()
  for (const { channel, from, message } of entries.flatMap(oneByOne)) {
    const key = `${channel} ${JSON.stringify(message.id)}`
    if (from === 'program') asked.set(key, message)
    const request = from === 'server' ? asked.get(key) : undefined
    if (request) noteAnswer(traffic, request, message)
  }
  return traffic
}

/** Old clients may send several messages as one list. */
function oneByOne({ message, ...entry }: TapEntry) {
  const messages = Array.isArray(message) ? listOf(message) : [objectOf(message)]
  return messages.map((one) => ({ ...entry, message: one }))
}

function noteAnswer(traffic: Traffic, { method, params }: JsonObject, answer: JsonObject): void {
  const result = objectOf(answer.result)
  if (method === 'tools/list') traffic.tools = mergeTools(traffic.tools, listOf(result.tools))
  else if (method === 'tools/call') traffic.calls.push(callOf(objectOf(params), answer))
  else if (method === 'initialize' || method === 'server/discover') {
    traffic.instructions ||= stringOf(result.instructions)
    const asked = stringOf(objectOf(objectOf(params)._meta)[VERSION_META])
    if (answer.result) traffic.protocol ??= stringOf(result.protocolVersion) || asked
  }
}

function mergeTools(known: readonly ServerTool[], listed: readonly JsonObject[]): ServerTool[] {
  const fresh = listed.map((tool) => ({
    name: stringOf(tool.name),
    description: stringOf(tool.description),
    inputSchema: objectOf(tool.inputSchema),
  }))
  return [...known.filter(({ name }) => fresh.every((tool) => tool.name !== name)), ...fresh]
}

function callOf(params: JsonObject, { result, error }: JsonObject): ServerCall {
  const { content, structuredContent, isError } = objectOf(result)
  return {
    tool: stringOf(params.name),
    text: error
      ? stringOf(objectOf(error).message)
      : listOf(content)
          .map(({ text }) => stringOf(text))
          .join('\n'),
    json: structuredContent === undefined ? undefined : JSON.stringify(structuredContent),
    isError: error !== undefined || isError === true,
  }
}
