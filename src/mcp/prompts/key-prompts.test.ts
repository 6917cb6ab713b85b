import { describe, expect, test } from 'vitest'
import { dispatchTo, servedWith } from '../../../test/support/served.ts'
import { toolsOf } from '../toolsets.ts'
import { promptsOf } from './prompts.ts'

const PROMPTS = promptsOf(toolsOf(['keys']), { access: 'removes' })

async function textOf(name: string, args: Record<string, string>): Promise<string> {
  // They ask nothing of a memory.
  const served = servedWith({ tools: toolsOf(['keys']) })
  const { messages } = await dispatchTo(served, 'prompts/get', { name, arguments: args })
  expect(messages).toMatchObject([{ role: 'user', content: { type: 'text' } }])
  const [message] = messages as unknown as [{ content: { text: string } }]
  return message.content.text
}

test('are offered with the tools of keys only', () => {
  expect(PROMPTS.map(({ name, title }) => [name, title])).toEqual([
    ['recall-context', 'Recall context'],
    ['what-do-you-know-about', 'What do you know about…'],
    ['remember-this', 'Remember this'],
    ['forget-older-than', 'Forget older than…'],
  ])
  expect(promptsOf(toolsOf(['tree']), { access: 'removes' }).map(({ name }) => name)).toEqual([
    'summarize-cold',
  ])
})

test('recall-context asks for the summary of a topic', async () => {
  expect(await textOf('recall-context', { topic: "Ann's plan" })).toContain(
    `summarize_context with topic="Ann's plan"`,
  )
})

test('what-do-you-know-about asks for a search', async () => {
  const text = await textOf('what-do-you-know-about', { query: 'a\nb' })
  expect(text).toContain("search_memories with query='a\\nb' and top_k=10")
})

describe('remember-this', () => {
  test('gives the arguments of remember, tags without blanks', async () => {
    const text = await textOf('remember-this', { key: 'k', value: `say "it's"`, tags: " a, ,b's,, c " })
    expect(text).toContain("key='k'")
    expect(text).toContain(`tags=['a', "b's", 'c']`)
    expect(text).toContain(`value='say "it\\'s"'`)
  })

  test('has an empty list without tags', async () => {
    expect(await textOf('remember-this', { key: 'k', value: 'v' })).toContain('tags=[]')
  })

  test('needs a key and a value', async () => {
    await expect(textOf('remember-this', { key: 'k' })).rejects.toThrow('needs "value"')
  })
})

describe('forget-older-than', () => {
  test('goes through tags, and forgets one by one, after asking', async () => {
    const text = await textOf('forget-older-than', { days: ' 90 ' })
    for (const part of ['90 days', 'list_tags', 'list_memories', 'last_accessed_at', 'forget'])
      expect(text).toContain(part)
  })

  test.each(['', 'many', '-1', '1.5'])('refuses %j days', async (days) => {
    await expect(textOf('forget-older-than', { days })).rejects.toThrow('days must be a whole number')
  })
})
