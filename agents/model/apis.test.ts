import { describe, expect, test } from 'vitest'
import { anthropic } from './anthropic.ts'
import { chat } from './chat.ts'
import type { Api, JsonObject, ModelReply } from './conversation.ts'
import { gemini } from './gemini.ts'
import { responses } from './responses.ts'

const schema = { type: 'object', properties: { query: { type: 'string' } } }
const tool = { name: 'find', description: 'Finds.', schema }
const call: ModelReply = { kind: 'call', call: { id: 'call_1', name: 'find', arguments: { query: 'tea' } } }
const said: ModelReply = { kind: 'text', text: 'Done.' }

interface Example {
  api: Api
  path: string
  body: JsonObject
  streamed: { path: string; body: JsonObject }
}

const functionTool = { name: 'find', description: 'Finds.', parameters: schema }
const gem = '/v1beta/models/m:generateContent'
const EXAMPLES: Example[] = [
  {
    api: anthropic,
    path: '/v1/messages',
    body: {
      system: [{ type: 'text', text: 'Be brief.' }],
      messages: [
        { role: 'user', content: 'Find tea.' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'call_1', name: 'find', input: {} }] },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'call_1', content: [{ type: 'text', text: 'Green.' }] },
          ],
        },
      ],
      tools: [{ name: 'find', description: 'Finds.', input_schema: schema }],
    },
    streamed: { path: '/v1/messages', body: { stream: true } },
  },
  {
    api: responses,
    path: '/v1/responses',
    body: {
      instructions: 'Be brief.',
      input: [
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Find tea.' }] },
        { type: 'function_call', call_id: 'call_1', name: 'find', arguments: '{}' },
        { type: 'function_call_output', call_id: 'call_1', output: 'Green.' },
      ],
      tools: [{ type: 'function', ...functionTool }],
    },
    streamed: { path: '/v1/responses', body: { stream: true } },
  },
  {
    api: chat,
    path: '/v1/chat/completions',
    body: {
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Find tea.' },
        { role: 'assistant', content: null, tool_calls: [{ id: 'call_1', type: 'function' }] },
        { role: 'tool', tool_call_id: 'call_1', content: 'Green.' },
      ],
      tools: [{ type: 'function', function: functionTool }],
    },
    streamed: { path: '/v1/chat/completions', body: { stream: true } },
  },
  {
    api: gemini,
    path: gem,
    body: {
      systemInstruction: { role: 'user', parts: [{ text: 'Be brief.' }] },
      contents: [
        { role: 'user', parts: [{ text: 'Find tea.' }] },
        { role: 'model', parts: [{ functionCall: { id: 'call_1', name: 'find', args: {} } }] },
        {
          role: 'user',
          parts: [{ functionResponse: { id: 'call_1', name: 'find', response: { output: 'Green.' } } }],
        },
      ],
      tools: [
        { functionDeclarations: [{ name: 'find', description: 'Finds.', parametersJsonSchema: schema }] },
      ],
    },
    streamed: { path: gem.replace(':generate', ':streamGenerate'), body: {} },
  },
]

describe.each(EXAMPLES.map((example) => [example.api.name, example] as const))(
  'the API %s',
  (_name, { api, path, body, streamed }) => {
    test('answers its own path', () => {
      expect(EXAMPLES.filter((other) => other.api.isRequest(path)).map((other) => other.api)).toEqual([api])
    })

    test('reads the prompt without results, the tools and the results', () => {
      const request = api.read(body)
      expect(request.prompt.split('\n').filter(Boolean)).toEqual(['Be brief.', 'Find tea.'])
      expect(request.tools).toEqual([tool])
      expect(request.results).toEqual([{ callId: 'call_1', text: 'Green.' }])
    })

    test.each([
      ['a call', call, 'call_1'],
      ['a text', said, 'Done.'],
    ])('says %s whole and streamed', (_what, reply, marked) => {
      const whole = api.reply(reply, { path, body: {} })
      expect(whole.type).toBe('application/json')
      expect(JSON.stringify(JSON.parse(whole.body))).toContain(marked)
      const stream = api.reply(reply, streamed)
      expect(stream.type).toBe('text/event-stream')
      const events = stream.body.split('\n').filter((line) => line.startsWith('data: '))
      expect(events.join('\n')).toContain(marked)
    })
  },
)

test('OpenAI Responses offers what a tool search found, in its namespace', () => {
  const found = [{ type: 'namespace', name: 'mcp__x__', tools: [{ type: 'function', ...functionTool }] }]
  const input = [{ type: 'tool_search_output', call_id: 'call_1', tools: found }]
  const request = responses.read({ input, tools: [{ type: 'tool_search' }] })
  expect(request.tools.slice(1)).toEqual([{ ...tool, namespace: 'mcp__x__' }])
  expect(request.results[0]?.text).toContain('find')
})

test('Anthropic Messages hides a deferred tool until a result refers to it', () => {
  const tools = [{ name: 'find', description: 'Finds.', input_schema: schema, defer_loading: true }]
  const reference = { type: 'tool_reference', tool_name: 'find' }
  const result = { type: 'tool_result', tool_use_id: 'call_1', content: [reference] }
  expect(anthropic.read({ tools, messages: [] }).tools).toEqual([{ ...tool, isDeferred: true }])
  expect(anthropic.read({ tools, messages: [{ role: 'user', content: [result] }] }).tools).toEqual([tool])
})
