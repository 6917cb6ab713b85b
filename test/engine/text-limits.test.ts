import { describe, expect, test } from 'vitest'
import { MAX_BLOCKS } from '../../src/core/doors/text-limit.ts'
import type { OpenOptions } from '../../src/runtime/memory/open-memory.ts'
import { openWorkspace } from '../support/engine.ts'

const MIB = 1024 * 1024
const SMALL = { settings: { 'files.max_file_bytes': 1000, 'notes.max_bytes': 1000 } }

async function openLimited(options: Partial<OpenOptions> = {}) {
  const workspace = await openWorkspace({}, options)
  const files = workspace.memory.memoryNode({ id: 'memory', scope: 'global' }).getMemoryService()
  return { workspace, files, memory: workspace.memory }
}
const refused = (message: string | RegExp) => ({
  code: 'INVALID_INPUT',
  message: expect.stringMatching(message),
})

describe('a file has a maximum size', () => {
  test('an update that multiplies its text is refused before it is made', async () => {
    const { workspace, files } = await openLimited()
    await using _ = workspace
    await files.append('/a', 'a'.repeat(3.9 * MIB))
    const size = Math.floor(3.9 * MIB)
    await expect(files.update('/a', 'a', 'b'.repeat(60))).rejects.toMatchObject({
      ...refused(`the text has ${size * 60} bytes; the maximum is ${10 * MIB}: .* files.max_file_bytes`),
      fileCode: 'EINVAL',
    })
    expect(await files.stat('/a')).toEqual({ kind: 'file', size })
    expect(await files.update('/a', 'a'.repeat(1000), 'b'.repeat(1000))).toBe(Math.floor(size / 1000))
  })

  test('an append is refused that makes it longer than it may be, whole or piece by piece', async () => {
    const { workspace, files } = await openLimited(SMALL)
    await using _ = workspace
    await expect(files.append('/a', 'ä'.repeat(501))).rejects.toMatchObject(
      refused('the text has 1002 bytes; the maximum is 1000'),
    )
    await files.append('/a', 'a'.repeat(600))
    await expect(files.append('/a', 'a'.repeat(401))).rejects.toMatchObject(refused('has 1001 bytes'))
    await files.append('/a', 'a'.repeat(300))
    expect(await files.stat('/a')).toEqual({ kind: 'file', size: 901 })
  })

  test('one that is longer already may become shorter, and no longer', async () => {
    const { workspace, files } = await openLimited()
    await using _ = workspace
    await files.append('/a', `${'word '.repeat(400)}end`)
    const { memoryNode } = await workspace.reopen(SMALL)
    const limited = memoryNode({ id: 'memory', scope: 'global' }).getMemoryService()
    await expect(limited.update('/a', 'end', 'finish')).rejects.toMatchObject(refused('files.max_file_bytes'))
    await limited.update('/a', 'word', 'w')
    expect(await limited.read('/a')).toBe(`${'w '.repeat(400)}end`)
  })

  test('an edit of its nodes is held to it too', async () => {
    const { workspace, files, memory } = await openLimited(SMALL)
    await using _ = workspace
    await files.append('/a', `first ${'a'.repeat(400)}\n\nsecond ${'b'.repeat(400)}\n`)
    const { hits } = await memory.search({ query: 'second' })
    const [hit] = hits
    await expect(memory.write({ anchor: hit?.id ?? '', payload: 'c'.repeat(900) })).rejects.toMatchObject(
      refused('files.max_file_bytes'),
    )
  })
})

describe('what is written to the tree has a maximum size', () => {
  test('a note, a new text for a node and a summary are refused beyond it', async () => {
    const { workspace, memory } = await openLimited(SMALL)
    await using _ = workspace
    const { id } = await memory.write({ payload: 'short' })
    const tooLong = refused('the text has 1001 bytes; the maximum is 1000: .* notes.max_bytes')
    const payload = 'a'.repeat(1001)
    await expect(memory.write({ payload })).rejects.toMatchObject(tooLong)
    await expect(memory.write({ payload, anchor: id })).rejects.toMatchObject(tooLong)
    await expect(memory.write({ payload, parent: id })).rejects.toMatchObject(tooLong)
    await expect(memory.summarize({ id, summary: payload })).rejects.toMatchObject(tooLong)
  })
})

describe('one write has a maximum number of blocks', () => {
  const tooMany = refused(`the text has about \\d+ blocks .* the maximum for one write is ${MAX_BLOCKS}`)
  const cases: [what: string, text: string][] = [
    ['paragraphs', 'a\n\n'.repeat(650_000)],
    ['headings', '# a\n'.repeat(MAX_BLOCKS + 1)],
    ['list items', '- a\n'.repeat(300_000)],
    ['empty list items', '-\n'.repeat(300_000)],
    ['cells of a table', `|a|b|\n|-|-|\n${'|a|b|\n'.repeat(100_000)}`],
    ['blocks of code', '```\na\n```\n'.repeat(MAX_BLOCKS + 1)],
  ]
  test.each(cases)('too many %s are refused by the tree and by files', async (_what, text) => {
    const { workspace, files, memory } = await openLimited()
    await using _ = workspace
    await expect(memory.write({ payload: text })).rejects.toMatchObject(tooMany)
    await expect(files.append('/a', text)).rejects.toMatchObject({ ...tooMany, fileCode: 'EINVAL' })
    await files.append('/a', 'a\n\n')
    await expect(files.append('/a', text)).rejects.toMatchObject(tooMany)
    expect((await memory.overview()).nodes.total).toBe(1)
  })

  test('the value of a key is stored as plain text instead, exactly as it was given', async () => {
    const { workspace, memory } = await openLimited()
    await using _ = workspace
    const value = 'needle\n\n'.repeat(200_000)
    await memory.keys.remember({ key: 'k', value })
    expect(await memory.keys.recall('k')).toMatchObject({ text: value })
    expect((await memory.overview()).nodes.total).toBeLessThan(1000)
    expect((await memory.search({ query: 'needle' })).hits).not.toEqual([])
  })

  test('a file that grew beyond it by appends can still be changed', async () => {
    const { workspace, files } = await openLimited()
    await using _ = workspace
    const piece = 'a\n\n'.repeat(MAX_BLOCKS)
    await files.append('/a', piece)
    await files.append('/a', 'one more\n\nend\n')
    expect(await files.update('/a', 'one more', 'changed')).toBe(1)
    expect(await files.read('/a')).toBe(`${piece}changed\n\nend\n`)
  }, 300_000)

  test('a text of 10 MiB in one block is taken by every door that keeps texts', async () => {
    const { workspace, files, memory } = await openLimited()
    await using _ = workspace
    const text = 'some words of prose\n'.repeat((10 * MIB) / 20)
    await memory.keys.remember({ key: 'k', value: text })
    await files.append('/a', text)
    expect((await files.read('/a')).length).toBe(text.length)
  }, 300_000)
})

describe('keys', () => {
  test('a key, tags or a content type that are far too long are refused', async () => {
    const { workspace, memory } = await openLimited()
    await using _ = workspace
    const long = 'k'.repeat(5 * MIB)
    await expect(memory.keys.recall(long)).rejects.toMatchObject(
      refused(`the key has ${long.length} characters`),
    )
    await expect(memory.keys.remember({ key: 'k', value: 'v', tags: [long] })).rejects.toMatchObject(
      refused(`the tags have ${long.length} characters in total; the maximum is 16384`),
    )
    await expect(
      memory.keys.rememberBlob({ key: 'k', data: 'aaaa', contentType: long }),
    ).rejects.toMatchObject(refused(`content_type has ${long.length} characters; the maximum is 255`))
  })

  test('a history has the newest versions that fit into one answer', async () => {
    const { workspace, memory } = await openLimited()
    await using _ = workspace
    for (const letter of 'abc') await memory.keys.remember({ key: 'k', value: letter.repeat(9 * MIB) })
    const { versions, count } = await memory.keys.history('k')
    expect([count, ...versions.map(({ value }) => value?.[0])]).toEqual([1, 'b'])
  }, 300_000)
})

test('an answer without a budget has no more than one may hold', async () => {
  const { workspace, memory } = await openLimited()
  await using _ = workspace
  const { id } = await memory.write({ payload: '# Top' })
  for (let round = 0; round < 2; round++)
    await memory.write({ payload: `${round}${'some words of prose\n'.repeat(500_000)}`, parent: id })
  const { nodes, leftOut } = await memory.fetch({ anchor: id, budget: 0 })
  expect(nodes.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThan(16 * MIB)
  expect(leftOut.below).toBeGreaterThan(0)
}, 300_000)
