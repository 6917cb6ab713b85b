import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openTools, type ToolWorkspace } from '../support/agent-memory.ts'
import { expectSound } from '../support/engine.ts'
import { databaseBytes, folderBytes } from '../support/store-files.ts'

/** What each door gives back of what was stored through it. */
const DOORS = ['key', 'record', 'file'] as const
type Door = (typeof DOORS)[number]

interface Stored {
  read(): Promise<string | undefined>
}

async function store(at: ToolWorkspace, door: Door, text: string): Promise<Stored> {
  if (door === 'key') {
    await at.call('remember', { key: 'the-key', value: text, tags: ['shared'] })
    return { read: () => at.text('recall', { key: 'the-key' }).catch(() => undefined) }
  }
  if (door === 'file') {
    await at.call('memory', { path: '/notes/today', command: 'append', content: text })
    return {
      read: async () => fileContent(await at.call('memory', { path: '/notes/today', command: 'read' })),
    }
  }
  await at.call('store_memory', { type: 'core', content: text, tags: ['shared'] })
  return { read: async () => recordContent(await at.call('query_memories', {})) }
}

function fileContent({ structured }: { structured: Record<string, unknown> }): string | undefined {
  return (structured.result as { content: string } | undefined)?.content
}

function recordContent({ structured }: { structured: Record<string, unknown> }): string | undefined {
  return (structured.memories as { content: string }[])[0]?.content
}

async function head(at: ToolWorkspace): Promise<number> {
  return (await at.memory.snapshots({ limit: 1 }))[0]?.id ?? 0
}

async function findIds(at: ToolWorkspace, query: string): Promise<string[]> {
  const { hits } = await at.memory.search({ query, warm: false })
  return hits.map(({ id }) => id)
}

describe.each(DOORS)('what comes in by the door of the %s', (door) => {
  const text = 'The quokka deploys on thursdays, see [[Runbook]].'

  test('is found, shown under a source of its own, linked, and no file', async () => {
    await using at = await openTools({ 'a.md': '# Runbook\n\nSteps.\n' })
    await store(at, door, text)
    expect(await at.text('MemorySearch', { query: `quokka kind:${door}` })).toContain('quokka deploys')
    const tree = await at.text('MemoryTree', { depth: 5 })
    expect(tree).toMatch(
      { key: /key:the-key/, record: /record:[0-9a-f-]{36}/, file: /file:memory\/notes\/today/ }[door],
    )
    const { roots } = await at.memory.forest()
    expect(roots.some(({ source }) => source.startsWith(`${door}:`))).toBe(true)
    const { edges } = await at.memory.graph()
    expect(edges).toHaveLength(1)
    const { roots: files } = await at.memory.files()
    expect(files.flatMap(({ files: list }) => list.map(({ path }) => path))).toEqual(['a.md'])
    await expectSound(at.memory)
  })

  test('is what it was again after going back', async () => {
    await using at = await openTools()
    const stored = await store(at, door, text)
    const before = await head(at)
    const [id = ''] = await findIds(at, 'quokka')
    await at.call('MemoryWrite', { anchor: id, payload: 'The numbat does not.' })
    expect(await stored.read()).toBe('The numbat does not.')
    expect(await findIds(at, 'quokka')).toEqual([])
    await at.call('MemoryRollback', { snapshot_id: before })
    expect(await stored.read()).toBe(text)
    expect(await findIds(at, 'quokka')).toEqual([id])
    await at.call('MemoryForget', { node_id: id })
    expect((await stored.read()) ?? '').not.toContain('quokka')
    await at.call('MemoryRollback', { snapshot_id: before })
    expect(await stored.read()).toBe(text)
    await expectSound(at.memory)
  })

  test('is gone with its count of accesses after going back to before it was there', async () => {
    await using at = await openTools()
    await at.call('MemoryWrite', { payload: 'What was there first.' })
    const before = await head(at)
    const stored = await store(at, door, text)
    await stored.read()
    await at.reopen()
    await at.call('MemoryRollback', { snapshot_id: before })
    await expectSound(at.memory)
  })

  test('says in its own door what the tree made of one of its nodes', async () => {
    await using at = await openTools()
    const stored = await store(at, door, '# Plan\n\nFirst the wombat.\n\n- then\n- the quoll\n')
    const [wombat = ''] = await findIds(at, 'wombat')
    await at.call('MemorySummarize', { node_id: wombat, summary: 'Wombat.' })
    expect(await stored.read()).toBe('# Plan\n\nWombat.\n\n- then\n- the quoll\n')
    const [quoll = ''] = await findIds(at, 'quoll')
    await at.call('MemoryForget', { node_id: quoll })
    expect(await stored.read()).toBe('# Plan\n\nWombat.\n\n')
    const [plan = ''] = await findIds(at, 'plan type:heading')
    await at.call('MemoryForget', { node_id: plan, mode: 'cascade' })
    expect(await stored.read()).not.toBe('')
    expect(await findIds(at, 'wombat')).toEqual([])
    await expectSound(at.memory)
  })

  test.each([
    'no  markdown:\r\n\tat all\n\n\n   \n',
    '{"json": [1, 2,\t3]}',
    '<b>html</b> & entities &amp;',
    '| not | a table\n---\n# not closed **bold',
    '---\nfront: [matter\n---\n\nbody\n',
    'nul \0 and emoji 👩‍👩‍👧 and 日本語\u200b',
    '```\nopen fence',
  ])('gives back %j exactly', async (exact) => {
    await using at = await openTools()
    const stored = await store(at, door, exact)
    expect(await stored.read()).toBe(exact)
    await expectSound(at.memory)
  })
})

const WORDS = ['zanzibar', 'quetzalcoatl', 'xylotomist']

test.each(DOORS)('what is erased is gone from every byte of every file: %s', async (door) => {
  await using at = await openTools()
  const secret = `The ${WORDS.join(' ')} plan.`
  await store(at, door, secret)
  const [id = ''] = await findIds(at, 'zanzibar')
  await at.call('MemoryWrite', { anchor: id, payload: `${secret} It was changed.` })
  await at.call('MemoryWrite', { payload: 'What stays.' })
  if (door === 'key') await at.call('redact_memory', { key: 'the-key', reason: 'asked for' })
  else await at.memory.erase(await addressOf(at, door))
  expect(await findIds(at, 'zanzibar')).toEqual([])
  const bytes = Buffer.concat([databaseBytes(at.memory.path), folderBytes(join(at.memory.path, '..'))])
  for (const word of WORDS) expect(bytes.includes(word)).toBe(false)
  expect(bytes.includes('What stays.')).toBe(true)
  await expectSound(at.memory)
})

async function addressOf(at: ToolWorkspace, door: 'record' | 'file') {
  if (door === 'file')
    return { kind: door, node: 'memory', scope: 'global', thread: '', path: '/notes/today' } as const
  const { structured } = await at.call('query_memories', {})
  return { kind: door, id: (structured.memories as { id: string }[])[0]?.id ?? '' } as const
}

test('a key is found by its name and leads where its name is linked', async () => {
  await using at = await openTools()
  await at.call('remember', { key: 'release-cadence', value: 'Weekly on Thursdays at 2pm UTC' })
  await at.call('store_memory', { type: 'core', content: 'We follow [[release-cadence]].' })
  expect(await at.text('MemorySearch', { query: 'release cadence' })).toMatch(/^\[heading\] release-cadence/)
  const { edges } = await at.memory.graph()
  expect(edges).toHaveLength(1)
  expect(await at.text('MemorySearch', { query: 'follow' })).toContain('release-cadence')
})

test('the name of a key is no part of its value, and where words are cannot always be told: such edits are refused', async () => {
  await using at = await openTools()
  const value = 'One **bold** word.\n\nTwo **bold** words.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nEnd.'
  await at.call('remember', { key: 'k', value })
  const { nodes } = await at.memory.tree({ depth: 9, warm: false })
  const name = nodes.find(({ label }) => label === 'k')?.id
  const [one, two] = nodes.filter(({ type }) => type === 'text').map(({ id }) => id)
  for (const anchor of [name, one, two])
    await expect(at.call('MemoryWrite', { anchor, payload: 'other' })).rejects.toThrow(
      'store the key again with remember',
    )
  expect(await at.text('recall', { key: 'k' })).toBe(value)
  await at.call('remember', { key: 'k', value: 'One **bold** word.\n\nEnd.' })
  await at.call('MemoryWrite', { anchor: one, payload: 'One *other* word.' })
  expect(await at.text('recall', { key: 'k' })).toBe('One *other* word.\n\nEnd.')
  await at.call('MemoryForget', { node_id: name, mode: 'cascade' })
  await expect(at.text('recall', { key: 'k' })).rejects.toThrow("No memory found for key 'k'.")
})

test('a note under a node of another door goes with it, or stays when only its place goes', async () => {
  await using at = await openTools()
  await at.call('remember', { key: 'k', value: '# Part\n\nOne.\n\nTwo.' })
  const [one = ''] = await findIds(at, 'one')
  await at.call('MemoryWrite', { parent: one, payload: 'A remark.' })
  await at.call('MemoryForget', { node_id: one, mode: 'cascade' })
  expect(await findIds(at, 'remark')).toEqual([])
  expect(await at.text('recall', { key: 'k' })).toBe('# Part\n\nTwo.')
  const [two = ''] = await findIds(at, 'two')
  await at.call('MemoryWrite', { parent: two, payload: 'Another remark.' })
  await at.call('remember', { key: 'k', value: 'nothing of it' })
  expect(await findIds(at, 'remark')).toHaveLength(1)
  await expectSound(at.memory)
})
