import { describe, expect, test } from 'vitest'
import { idsOf, openTools } from '../../../../test/support/agent-memory.ts'
import { expectSound, heatOf, outlineOf } from '../../../../test/support/engine.ts'

const FILES = { 'a.md': '# A\n\nText.\n\n## B\n\nUnder B.\n' }
const TOKEN = `ghp_${'a1B2'.repeat(9)}`

describe('MemoryWrite', () => {
  test('creates a note, and names its place', async () => {
    await using at = await openTools(FILES)
    const { text, structured } = await at.call('MemoryWrite', { payload: '# Tea\n\nGreen.' })
    const id = structured.node_id
    expect(text).toBe(`wrote node ${id} (4 tokens); snapshot 2`)
    expect(structured).toEqual({ node_id: id, tokens: 4, redactions: {}, snapshot_id: 2 })
    expect(await at.call('MemoryWrite', { payload: '# Tea\n\nGreen.' })).toEqual({
      text: `wrote node ${id} (4 tokens); no new snapshot: content unchanged`,
      structured: { ...structured, snapshot_id: null },
    })
    await expectSound(at.memory)
  })

  test('puts a note under a node, or replaces one', async () => {
    await using at = await openTools(FILES)
    const ids = await idsOf(at.memory)
    await at.call('MemoryWrite', { payload: 'A child.', parent: ids.B, id: null })
    const { structured } = await at.call('MemoryWrite', { payload: 'Other.', id: ids['Text.'] })
    expect(structured.node_id).toBe(ids['Text.'])
    expect(await outlineOf(at.memory)).toEqual(['A', '  Other.', '  B', '    Under B.', '    A child.'])
  })

  test('removes secrets, and reports it', async () => {
    await using at = await openTools()
    const { text, structured } = await at.call('MemoryWrite', { payload: `Deploys use ${TOKEN}.` })
    expect(text).toMatch(/; snapshot 1\nredacted: 1 secret \(1 github_pat\)$/)
    expect(structured.redactions).toEqual({ github_pat: 1 })
    expect(JSON.stringify(await at.call('MemoryFetch', { id: structured.node_id }))).not.toContain(TOKEN)
  })

  test('does not overwrite a text it has not seen', async () => {
    await using at = await openTools(FILES)
    const id = (await idsOf(at.memory))['Text.']
    const { structured } = await at.call('MemoryFetch', { id })
    await at.call('MemoryWrite', { payload: 'Somebody else.', id })
    await expect(
      at.call('MemoryWrite', { payload: 'Mine.', id, expected_version: structured.snapshot_id }),
    ).rejects.toMatchObject({
      code: 'CONFLICT',
      message: `node ${id} changed in snapshot 2, after snapshot 1 that you expect; refetch the node and retry`,
    })
    const written = await at.call('MemoryWrite', { payload: 'Mine.', id, expected_version: 2 })
    expect(written.structured.snapshot_id).toBe(3)
  })

  test.each([
    [{}, 'validating "arguments": payload is required: Markdown'],
    [{ payload: '' }, 'validating "arguments": payload must not be empty'],
    [{ payload: ' \n' }, 'the payload is empty; give the text to remember'],
    [{ payload: 'x', id: '' }, 'validating "arguments": id must not be empty'],
    [{ payload: 'x', id: 'a', parent: 'b' }, 'replace a node or write under one (parent), not both'],
    [{ payload: 'x', id: 'nobody' }, 'node nobody not found; MemoryTree and MemorySearch show ids'],
    [{ payload: 'x', expected_version: 1 }, 'expected_version needs a node to replace or to write under'],
    [
      { payload: 'x', content: 'y' },
      'unknown argument "content"; the arguments are parent, id, payload, expected_version',
    ],
  ])('refuses %j', async (args, message) => {
    await using at = await openTools(FILES)
    await expect(at.call('MemoryWrite', args)).rejects.toThrow(message)
    expect(await at.memory.snapshots()).toHaveLength(1)
  })
})

describe('MemorySummarize', () => {
  test('replaces a text by a shorter one, and sets its heat', async () => {
    await using at = await openTools(FILES)
    const id = (await idsOf(at.memory))['Under B.'] ?? ''
    expect(await at.call('MemorySummarize', { id: id, summary: 'B.', temperature: null })).toEqual({
      text: `summarized node ${id} (2 → 1 tokens); snapshot 2`,
      structured: { node_id: id, old_tokens: 2, new_tokens: 1, redactions: {}, snapshot_id: 2 },
    })
    expect(heatOf(at.memory).get(id)?.value).toBe(0.5)
    await at.call('MemorySummarize', { id: id, summary: 'B!', temperature: 0.25, expected_version: 2 })
    expect(heatOf(at.memory).get(id)?.value).toBe(0.25)
    await expectSound(at.memory)
  })

  test('refuses invalid requests', async () => {
    await using at = await openTools(FILES)
    const id = (await idsOf(at.memory)).A
    await expect(at.call('MemorySummarize', { id: 'nobody', summary: 'x' })).rejects.toThrow(
      'failed to get node: nobody not found; MemoryTree and MemorySearch show ids',
    )
    await expect(at.call('MemorySummarize', { id, summary: 'x', temperature: 2 })).rejects.toThrow(
      'temperature must be in [0, 1], got 2',
    )
    await at.call('MemorySummarize', { id, summary: 'Once.' })
    await expect(
      at.call('MemorySummarize', { id, summary: 'Twice.', expected_version: 1 }),
    ).rejects.toMatchObject({ code: 'CONFLICT' })
  })
})

describe('MemoryForget', () => {
  test('removes a node, with or without its descendants', async () => {
    await using at = await openTools(FILES)
    const ids = await idsOf(at.memory)
    await expect(at.call('MemoryForget', { id: ids.A })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: `node ${ids.A} has 2 children; pass mode=cascade or mode=reparent`,
    })
    expect(await at.call('MemoryForget', { id: ids['Text.'] })).toEqual({
      text: `forgot node ${ids['Text.']} (mode=strict, 1 affected); snapshot 2`,
      structured: { node_id: ids['Text.'], mode: 'strict', affected: 1, snapshot_id: 2 },
    })
    expect(await at.text('MemoryForget', { id: ids.A, mode: 'reparent' })).toBe(
      `forgot node ${ids.A} (mode=reparent, 2 affected); snapshot 3`,
    )
    expect(await outlineOf(at.memory)).toEqual(['B', '  Under B.'])
    expect(await at.text('MemoryForget', { id: ids.B, mode: 'cascade' })).toBe(
      `forgot node ${ids.B} (mode=cascade, 2 affected); snapshot 4`,
    )
    await expectSound(at.memory)
  })

  test('refuses an unknown node', async () => {
    await using at = await openTools(FILES)
    await expect(at.call('MemoryForget', { id: 'nobody' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'id not found: nobody; MemoryTree and MemorySearch show ids',
    })
    await expect(at.call('MemoryForget', { id: 'x', mode: 'all' })).rejects.toThrow(
      'unknown delete mode "all" (want strict, cascade, or reparent)',
    )
  })
})
