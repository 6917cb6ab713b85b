import { expect, test } from 'vitest'
import { servedWith } from '../../../test/support/served.ts'
import type { Prompt } from '../model/prompt.ts'
import { toolsOf } from '../toolsets.ts'
import { preparePrompt } from './get-prompt.ts'
import { promptsOf } from './prompts.ts'

const RECALL: Prompt = {
  name: 'recall',
  title: 'Recall',
  description: 'What is known of a topic',
  scope: 'memories:read',
  tools: ['ping'],
  arguments: [
    { name: 'topic', description: 'a tag', required: true },
    { name: 'tags', description: 'more tags', required: false },
  ],
  get: async (_, args) => ({
    messages: [{ role: 'user', content: { type: 'text', text: JSON.stringify(args) } }],
  }),
}

const get = async (args?: Record<string, string>, name = 'recall') => {
  const request = {
    params: { name, arguments: args },
    caller: { sessionId: '', author: 'test', address: '' },
  }
  const call = preparePrompt(servedWith(), { ...request, signal: new AbortController().signal }, [RECALL])
  return call.run().catch(call.fail)
}

test('a prompt gets the arguments that were given', async () => {
  const { messages } = await get({ topic: '' })
  expect(messages[0]?.content).toEqual({ type: 'text', text: '{"topic":""}' })
})

test.each([
  [undefined, 'prompt "recall" needs "topic": a tag'],
  [{ tags: 'a' }, 'prompt "recall" needs "topic": a tag'],
  [{ topic: 'a', constructor: 'b' }, 'prompt "recall" has no argument "constructor"; there are topic, tags'],
])('%j are refused', async (args, message) => {
  await expect(get(args as Record<string, string>)).rejects.toMatchObject({
    code: -32602,
    message,
    data: { code: 'INVALID_INPUT' },
  })
})

test('an unknown prompt is refused', async () => {
  await expect(get({}, 'guess')).rejects.toMatchObject({
    code: -32602,
    message: 'unknown prompt "guess"; there are recall',
  })
})

test('prompts are offered with the tools that they speak of', () => {
  expect(promptsOf(toolsOf(['tree']), { access: 'removes' }).map(({ name }) => name)).toEqual([
    'summarize-cold',
  ])
  expect(promptsOf(toolsOf(['records']), { access: 'removes' })).toEqual([])
})
