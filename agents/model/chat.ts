import {
  type Api,
  contentText,
  listOf,
  type ModelReply,
  objectOf,
  sendEvents,
  sendJson,
  stringOf,
} from './conversation.ts'

const USAGE = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 }

/** OpenAI Chat Completions. */
export const chat: Api = {
  name: 'OpenAI Chat',
  isRequest: (path) => path.endsWith('/chat/completions'),
  read(body) {
    const messages = listOf(body.messages)
    return {
      prompt: messages
        .filter(({ role }) => role !== 'tool' && role !== 'assistant')
        .map(({ content }) => contentText(content))
        .join('\n'),
      tools: listOf(body.tools).map((tool) => {
        const { name, description, parameters } = objectOf(tool.function)
        return { name: stringOf(name), description: stringOf(description), schema: objectOf(parameters) }
      }),
      results: messages
        .filter(({ role }) => role === 'tool')
        .map((message) => ({
          callId: stringOf(message.tool_call_id),
          text: contentText(message.content),
        })),
    }
  },
  reply: (reply, { body }) =>
    body.stream ? sendEvents(chunksOf(reply, body.model)) : sendJson(completionOf(reply, body.model)),
}

function messageOf(reply: ModelReply) {
  if (reply.kind === 'text') return { role: 'assistant', content: reply.text }
  const { id, name, arguments: args } = reply.call
  const call = { id, type: 'function', function: { name, arguments: JSON.stringify(args) } }
  return { role: 'assistant', content: null, tool_calls: [call] }
}

const finishReason = (reply: ModelReply) => (reply.kind === 'text' ? 'stop' : 'tool_calls')

function completionOf(reply: ModelReply, model: unknown) {
  const choice = { index: 0, message: messageOf(reply), finish_reason: finishReason(reply) }
  return {
    id: 'chat-scripted',
    object: 'chat.completion',
    created: 0,
    model,
    choices: [choice],
    usage: USAGE,
  }
}

function chunksOf(reply: ModelReply, model: unknown) {
  const { tool_calls: calls, ...message } = messageOf(reply)
  const delta = calls ? { ...message, tool_calls: calls.map((call) => ({ index: 0, ...call })) } : message
  const chunk = (choices: unknown[], more = {}) => ({
    data: { id: 'chat-scripted', object: 'chat.completion.chunk', created: 0, model, choices, ...more },
  })
  return [
    chunk([{ index: 0, delta, finish_reason: null }]),
    chunk([{ index: 0, delta: {}, finish_reason: finishReason(reply) }]),
    chunk([], { usage: USAGE }),
    { data: '[DONE]' },
  ]
}
