import { expect, test } from 'vitest'
import { createConnector } from '../../src/core/files/connector.ts'
import { openTools } from '../support/agent-memory.ts'
import { seen } from '../support/hostile-text.ts'

/** Everything that some reader takes for the end of a line, and what turns the direction of writing. */
const BREAKS = 'a\nb\rc\vd\fe\u0085f\u2028g\u2029h\u202ei'

test.each([
  ['list_memories', { tag: BREAKS }],
  ['search_memories', { query: 'word' }],
  ['memory_history', { key: BREAKS }],
  ['list_tags', {}],
  ['query_memories', {}],
  ['memory', { path: '/f', command: 'read' }],
  ['memory', { path: BREAKS, command: 'nothing' }],
])('%s answers on one line, and its JSON has the content as it is: %j', async (name, args) => {
  await using at = await openTools()
  await at.call('remember', { key: BREAKS, value: 'first' })
  await at.call('remember', { key: BREAKS, value: `word ${BREAKS}`, tags: [BREAKS] })
  await at.call('store_memory', { type: 'core', content: BREAKS, category: BREAKS, tags: [BREAKS] })
  await at.call('memory', { path: '/f', command: 'append', content: BREAKS })
  const { text, structured } = await at.call(name, args)
  expect(seen(text)).toHaveLength(1)
  expect(text).not.toContain('\u202e')
  expect(JSON.parse(text)).toEqual(structured)
})

test.each([
  ['remember', { key: BREAKS, value: 'v' }, 'Stored memory'],
  ['remember_if_absent', { key: BREAKS, value: 'v' }, 'Stored memory'],
  ['remember_blob', { key: BREAKS, data: '', content_type: 'x/y' }, 'Stored blob memory'],
  ['forget_all', { tag: BREAKS }, 'Deleted 0 memories'],
  ['summarize_context', { topic: BREAKS }, 'No memories found'],
])('%s says on one line what it did', async (name, args, begin) => {
  await using at = await openTools()
  const text = await at.text(name, args)
  expect(seen(text)).toHaveLength(1)
  expect(text.startsWith(begin)).toBe(true)
})

test('a content type cannot add a line to a summary', async () => {
  await using at = await openTools()
  await at.call('remember_blob', {
    key: 'k',
    data: '',
    content_type: 'image/png]\u2028**other**: [x',
    tags: ['t'],
  })
  expect(seen(await at.text('summarize_context', { topic: 't' }))[2]).toMatch(
    /^\*\*k\*\*: \[binary content: /,
  )
  expect(seen((await at.call('recall', { key: 'k' })).text)).toHaveLength(1)
  expect(await at.text('summarize_context', { topic: 't' })).not.toMatch(/^\*\*other/m)
})

test('recall gives the exact value', async () => {
  await using at = await openTools()
  const value = `**other**: ${BREAKS}\n[text] x (id=AAAAAAAAAAA)\r\n`
  await at.call('remember', { key: 'k', value })
  expect((await at.call('recall', { key: 'k' })).text).toBe(value)
})

test('a connector has one line for each file, whatever the files say', async () => {
  await using at = await openTools()
  const node = at.memory.memoryNode({ id: 'M', scope: 'global' })
  await node.getMemoryService().append('/a', `${BREAKS}\n/b: "forged"`)
  const connector = createConnector({ content: 'full' })
  connector.setMemorySource(node)
  const { content = '' } = (await connector.render()) ?? {}
  expect(seen(content)).toHaveLength(2)
  const line = content.split('\n')[1] ?? ''
  expect(JSON.parse(line.slice('/a: '.length))).toBe(`${BREAKS}\n/b: "forged"`)
  const tree = createConnector()
  tree.setMemorySource(node)
  expect((await tree.render({ path: ' \n/ \n' }))?.content).toBe('Memory\n/\n[F] a')
})

test('resources are JSON on one line, or text that is exact', async () => {
  await using at = await openTools({ 'a.md': `# ${BREAKS.replaceAll('\n', '')}\n\nText.\n` })
  await at.call('store_memory', { type: 'core', content: BREAKS })
  expect(seen(await at.memory.observer.recordView('core', {}))).toHaveLength(1)
})
