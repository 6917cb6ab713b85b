import {
  type Api,
  contentText,
  type JsonObject,
  listOf,
  type ModelReply,
  nameOf,
  type OfferedTool,
  objectOf,
  sendEvents,
  sendJson,
  stringOf,
} from './conversation.ts'

const TOOL_SEARCH = 'tool_search'
const USAGE = {
  ...{ input_tokens: 100, output_tokens: 10, total_tokens: 110 },
  input_tokens_details: { cached_tokens: 0 },
  output_tokens_details: { reasoning_tokens: 0 },
}

/** OpenAI Responses. A search for tools has items of its own; what it found joins the tools, and so do tools among the items. */
export const responses: Api = {
  name: 'OpenAI Responses',
  isRequest: (path) => path.endsWith('/responses'),
  read(body) {
    const items = blocksOf(body.input)
    const carriers = items.filter(
      ({ type }) => type === `${TOOL_SEARCH}_output` || type === 'additional_tools',
    )
    const results = items.filter(({ type }) => stringOf(type).endsWith('_output'))
    return {
      prompt: [contentText(body.instructions), ...items.filter(isPrompt).map(contentOf)].join('\n'),
      tools: [body.tools, ...carriers.map(({ tools }) => tools)].flatMap((tools) => toolsOf(tools)),
      results: results.map((item) => ({ callId: stringOf(item.call_id), text: resultText(item) })),
    }
  },
  reply: (reply, { body }) =>
    body.stream ? sendEvents(eventsOf(reply, body.model)) : sendJson(responseOf(reply, body.model)),
}

const isPrompt = ({ type = 'message', role }: JsonObject): boolean =>
  type === 'message' && role !== 'assistant'
const contentOf = ({ content }: JsonObject): string => contentText(content)

function blocksOf(input: unknown): JsonObject[] {
  return typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : listOf(input)
}

function resultText({ output, tools }: JsonObject): string {
  if (tools === undefined) return contentText(output)
  return JSON.stringify(toolsOf(tools).map((tool) => ({ name: nameOf(tool) })))
}

function toolsOf(tools: unknown, namespace?: string): OfferedTool[] {
  return listOf(tools).flatMap((tool) => {
    if (tool.type === 'namespace') return toolsOf(tool.tools, stringOf(tool.name))
    const offered = {
      name: stringOf(tool.name) || stringOf(tool.type),
      description: stringOf(tool.description),
      schema: objectOf(tool.parameters),
    }
    return [namespace === undefined ? offered : { ...offered, namespace }]
  })
}

function itemOf(reply: ModelReply): JsonObject {
  if (reply.kind === 'text') {
    const content = [{ type: 'output_text', text: reply.text, annotations: [] }]
    return { id: 'msg_scripted', type: 'message', role: 'assistant', status: 'completed', content }
  }
  const { id, name, namespace, arguments: args, code } = reply.call
  const call = { id: `item_${id}`, call_id: id, status: 'completed' }
  if (name === TOOL_SEARCH)
    return { ...call, type: `${TOOL_SEARCH}_call`, execution: 'client', arguments: args }
  const named = { ...call, name, ...(namespace && { namespace }) }
  if (code !== undefined) return { ...named, type: 'custom_tool_call', input: code }
  return { ...named, type: 'function_call', arguments: JSON.stringify(args) }
}

function responseOf(reply: ModelReply, model: unknown): JsonObject {
  const response = { id: 'resp_scripted', object: 'response', created_at: 0, model }
  return { ...response, status: 'completed', output: [itemOf(reply)], usage: USAGE }
}

function eventsOf(reply: ModelReply, model: unknown) {
  const response = responseOf(reply, model)
  const item = itemOf(reply)
  const begun = { ...response, status: 'in_progress', output: [] }
  return [
    { type: 'response.created', response: begun },
    { type: 'response.output_item.added', output_index: 0, item },
    ...deltasOf(reply, item),
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response },
  ].map((data, at) => ({ event: data.type, data: { ...data, sequence_number: at } }))
}

function deltasOf(reply: ModelReply, { id }: JsonObject): { type: string }[] {
  const at = { item_id: id, output_index: 0 }
  if (reply.kind === 'call') {
    if (reply.call.name === TOOL_SEARCH || reply.call.code !== undefined) return []
    const text = JSON.stringify(reply.call.arguments)
    return [
      { type: 'response.function_call_arguments.delta', ...at, ...{ delta: text } },
      { type: 'response.function_call_arguments.done', ...at, ...{ arguments: text } },
    ]
  }
  return [{ type: 'response.output_text.delta', ...at, ...{ content_index: 0, delta: reply.text } }]
}
