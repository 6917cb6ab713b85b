import {
  type Api,
  contentText,
  type JsonObject,
  listOf,
  type ModelReply,
  type OfferedTool,
  objectOf,
  sendEvents,
  sendJson,
  stringOf,
  type ToolResult,
} from './conversation.ts'

const USAGE = { input_tokens: 100, output_tokens: 10 }

/** Anthropic Messages. */
export const anthropic: Api = {
  name: 'Anthropic Messages',
  isRequest: (path) => path.endsWith('/v1/messages'),
  read(body) {
    const blocks = listOf(body.messages).flatMap(({ content }) => blocksOf(content))
    const results = blocks.filter(({ type }) => type === 'tool_result')
    const said = blocks.filter(({ type }) => type !== 'tool_result' && type !== 'tool_use')
    return {
      prompt: [contentText(body.system), ...said.map((block) => contentText([block]))].join('\n'),
      tools: toolsOf(body.tools, results),
      results: results.map(resultOf),
    }
  },
  reply: (reply, { body }) =>
    body.stream ? sendEvents(eventsOf(reply, body.model)) : sendJson(messageOf(reply, body.model)),
}

function blocksOf(content: unknown): JsonObject[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content)
}

/** A tool that is deferred is there from the result on that refers to it. */
function toolsOf(tools: unknown, results: readonly JsonObject[]): OfferedTool[] {
  const references = results.flatMap(({ content }) => listOf(content).map(({ tool_name: name }) => name))
  return listOf(tools).map((tool) => ({
    name: stringOf(tool.name),
    description: stringOf(tool.description),
    schema: objectOf(tool.input_schema),
    ...(tool.defer_loading && !references.includes(tool.name) ? { isDeferred: true as const } : {}),
  }))
}

function resultOf(block: JsonObject): ToolResult {
  return { callId: stringOf(block.tool_use_id), text: contentText(block.content) }
}

function blockOf(reply: ModelReply): JsonObject {
  if (reply.kind === 'text') return { type: 'text', text: reply.text }
  const { id, name, arguments: input } = reply.call
  return { type: 'tool_use', id, name, input }
}

const stopReason = (reply: ModelReply) => (reply.kind === 'text' ? 'end_turn' : 'tool_use')

function messageOf(reply: ModelReply, model: unknown): JsonObject {
  return {
    ...{ id: 'msg_scripted', type: 'message', role: 'assistant', model },
    content: [blockOf(reply)],
    ...{ stop_reason: stopReason(reply), stop_sequence: null, usage: USAGE },
  }
}

function eventsOf(reply: ModelReply, model: unknown) {
  const start = { ...messageOf(reply, model), content: [], stop_reason: null }
  const [empty, delta] =
    reply.kind === 'text'
      ? [
          { type: 'text', text: '' },
          { type: 'text_delta', text: reply.text },
        ]
      : [
          { ...blockOf(reply), input: {} },
          { type: 'input_json_delta', partial_json: JSON.stringify(reply.call.arguments) },
        ]
  const end = { stop_reason: stopReason(reply), stop_sequence: null }
  return [
    { type: 'message_start', message: start },
    { type: 'content_block_start', index: 0, content_block: empty },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: end, usage: USAGE },
    { type: 'message_stop' },
  ].map((data) => ({ event: data.type, data }))
}
