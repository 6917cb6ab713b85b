import { describe, expect, test } from 'vitest'
import {
  expectSound,
  flat,
  heatOf,
  historyOf,
  idOf,
  idsByText,
  openWorkspace,
  outlineOf,
  type StateNode,
  stateOf,
  textOf,
} from '../support/engine.ts'

describe('write', () => {
  test('without an anchor makes a note of its own, parsed as Markdown', async () => {
    await using at = await openWorkspace()
    const { id, tokens, snapshot } = await at.memory.write({
      payload: '# Deploys\n\nUse make.\n\n- a\n- b\n',
    })
    expect(await outlineOf(at.memory)).toEqual(['Deploys', '  Use make.', '  - a\n- b'])
    expect(await textOf(at.memory, id)).toBe('Deploys')
    expect(tokens).toBe(8)
    expect(snapshot).toMatchObject({
      operation: 'write',
      message: `write:${id}`,
      root: '',
      author: 'library',
    })
    const { roots } = await at.memory.forest()
    expect(roots.map(({ source, depth, type }) => [source, depth, type])).toEqual([
      ['mcp:write', 0, 'heading'],
    ])
    await expectSound(at.memory)
  })

  test('of what is known already writes nothing', async () => {
    await using at = await openWorkspace({ 'a.md': '# A\n\nText.\n' })
    const anchor = await idOf(at.memory, 'Text.')
    await at.memory.write({ payload: '# Note\n\nOne.\n' })
    await at.memory.write({ parent: anchor, payload: 'Below.' })
    await at.memory.write({ anchor, payload: 'Other text.\n\nMore.' })
    const before = await at.memory.snapshots()
    expect((await at.memory.write({ payload: '# Note\n\nOne.\n' })).snapshot).toBeNull()
    expect((await at.memory.write({ parent: anchor, payload: 'Below.' })).snapshot).toBeNull()
    expect((await at.memory.write({ anchor, payload: 'Other text.\n\nMore.' })).snapshot).toBeNull()
    expect(await at.memory.snapshots()).toEqual(before)
  })

  test('that only repeats what edits led to writes nothing either', async () => {
    await using at = await openWorkspace()
    const { id } = await at.memory.write({ payload: 'hello' })
    await at.memory.write({ anchor: id, payload: 'goodbye' })
    await at.memory.write({ anchor: id, payload: 'hello' })
    expect((await at.memory.write({ payload: 'hello' })).snapshot).toBeNull()
    expect(await at.memory.snapshots()).toHaveLength(3)
  })

  test('to an anchor replaces that node by the first block; the others follow it', async () => {
    await using at = await openWorkspace({ 'a.md': '# A\n\nFirst.\n\nLast.\n' })
    const ids = await idsByText(at.memory)
    const { id } = await at.memory.write({
      anchor: ids['First.'] as string,
      payload: 'New first.\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n```js\nlet x\n```\n',
    })
    expect(id).toBe(ids['First.'])
    expect(await outlineOf(at.memory)).toEqual([
      'A',
      '  New first.',
      '  a\tb\n1\t2',
      '  js\nlet x',
      '  Last.',
    ])
    expect((await at.memory.snapshots()).map(({ operation }) => operation)).toEqual(['write', 'compile'])
    const types = flat(await stateOf(at.memory)).map(({ type }) => type)
    expect(types).toEqual(['heading', 'text', 'table', 'code', 'text'])
    await expectSound(at.memory)
  })

  test('of a heading puts what is below it at the end of the anchor', async () => {
    await using at = await openWorkspace({ 'a.md': '# A\n\nKept.\n\n# B\n' })
    const anchor = await idOf(at.memory, 'A')
    await at.memory.write({ anchor, payload: '# New A\n\nBelow.\n\n## Deeper\n\nDeep.\n\n# Beside\n' })
    expect(await outlineOf(at.memory)).toEqual([
      'New A',
      '  Kept.',
      '  Below.',
      '  Deeper',
      '    Deep.',
      'B',
      'Beside',
    ])
    await expectSound(at.memory)
  })

  test('under a parent goes after its children, in the order it was written', async () => {
    await using at = await openWorkspace({ 'a.md': '# A\n\nKept.\n\n# B\n' })
    const parent = await idOf(at.memory, 'A')
    await at.memory.write({ parent, payload: 'One.\n\nTwo.' })
    await at.memory.write({ parent, payload: 'Three.' })
    expect(await outlineOf(at.memory)).toEqual(['A', '  Kept.', '  One.', '  Two.', '  Three.', 'B'])
    // The same words elsewhere are another note.
    await at.memory.write({ parent: await idOf(at.memory, 'B'), payload: 'Three.' })
    expect((await outlineOf(at.memory)).at(-1)).toBe('  Three.')
    const ids = flat(await stateOf(at.memory)).map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    await expectSound(at.memory)
  })

  test('edits a note without leaving an overlay behind', async () => {
    await using at = await openWorkspace()
    const { id } = await at.memory.write({ payload: 'One.\n\nTwo.' })
    await at.memory.write({ anchor: id, payload: 'Uno.' })
    expect(await outlineOf(at.memory)).toEqual(['Uno.', 'Two.'])
    expect((await historyOf(at.memory, id)).map(({ op }) => op)).toEqual(['mod', 'add'])
    await expectSound(at.memory)
  })

  test('resets the format and the type to what the new text is', async () => {
    await using at = await openWorkspace({ 'a.md': '- one\n- two\n' })
    const [list] = flat(await stateOf(at.memory))
    await at.memory.write({ anchor: list?.id as string, payload: 'Plain words.' })
    const [row] = await historyOf(at.memory, list?.id as string)
    expect(row).toMatchObject({ old: { type: 'list' }, new: { type: 'text', format: 'plain', label: null } })
  })

  test.each([
    ['an unknown anchor', { anchor: 'AAAAAAAAAAA', payload: 'x' }, 'NOT_FOUND'],
    ['an anchor that is no id', { anchor: 'not an id', payload: 'x' }, 'NOT_FOUND'],
    ['an unknown parent', { parent: 'AAAAAAAAAAA', payload: 'x' }, 'NOT_FOUND'],
    ['an empty payload', { payload: '' }, 'INVALID_INPUT'],
    ['a blank payload', { payload: ' \n\t\n' }, 'INVALID_INPUT'],
    ['both an anchor and a parent', { anchor: 'a', parent: 'b', payload: 'x' }, 'INVALID_INPUT'],
  ])('refuses %s and changes nothing', async (_, input, code) => {
    await using at = await openWorkspace()
    await expect(at.memory.write(input)).rejects.toMatchObject({ code })
    expect(await at.memory.snapshots()).toEqual([])
  })

  test('refuses the id of a node that is gone', async () => {
    await using at = await openWorkspace()
    const { id } = await at.memory.write({ payload: 'hello' })
    await at.memory.forget({ id })
    await expect(at.memory.write({ anchor: id, payload: 'x' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(at.memory.forget({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(at.memory.summarize({ id, summary: 'x' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(at.memory.pin({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test.each([
    [
      'invalid front matter',
      '---\na: [1\n---\nBody.',
      [
        ['preamble', 'a: [1'],
        ['text', 'Body.'],
      ],
    ],
    ['only a comment', '<!-- nothing to see -->', [['text', '<!-- nothing to see -->']]],
  ])('keeps all of a payload that does not parse: %s', async (_, payload, expected) => {
    await using at = await openWorkspace()
    await at.memory.write({ payload })
    const nodes = flat(await stateOf(at.memory))
    expect(nodes.map(({ type, text }) => [type, text])).toEqual(expected)
  })

  test('never cuts a label inside a character', async () => {
    await using at = await openWorkspace()
    for (const payload of [
      'é'.repeat(100),
      '漢'.repeat(100),
      `${'x'.repeat(76)}🦊🦊🦊`,
      `a${'🦊'.repeat(60)}`,
    ]) {
      const { id } = await at.memory.write({ payload })
      await at.memory.summarize({
        id: (await at.memory.write({ payload: `# ${payload}` })).id,
        summary: payload,
      })
      const { roots } = await at.memory.forest({ rootId: id })
      const label = roots[0]?.label ?? ''
      expect(label.isWellFormed()).toBe(true)
      expect(Buffer.byteLength(label)).toBeLessThanOrEqual(80)
      expect(label.endsWith('...')).toBe(true)
      expect(payload.startsWith(label.slice(0, -3))).toBe(true)
    }
    await expectSound(at.memory)
  })
})

describe('summarize', () => {
  test('gives a node a shorter text, a label that says so, and some heat', async () => {
    await using at = await openWorkspace({ 'a.md': '# A\n\nA very long text that says little.\n' })
    const id = await idOf(at.memory, 'A very long text that says little.')
    await at.memory.pin({ id, temperature: 0.1 })
    const result = await at.memory.summarize({ id, summary: 'Short.' })
    expect(result).toMatchObject({ oldTokens: 9, newTokens: 2, snapshot: { message: `summarize:${id}` } })
    const node = flat(await stateOf(at.memory)).find((one) => one.id === id)
    expect(node).toMatchObject({ label: 'Summary: Short.', text: 'Short.', type: 'text' })
    expect(heatOf(at.memory).get(id)).toMatchObject({ value: 0.5, pinned: 1 })
    await at.memory.summarize({ id, summary: 'Shorter.', temperature: 0 })
    expect(heatOf(at.memory).get(id)?.value).toBe(0)
    await expectSound(at.memory)
  })

  test('keeps the label of a heading, also through recompiles', async () => {
    await using at = await openWorkspace({ 'a.md': '# The heading\n\nText.\n' })
    const id = await idOf(at.memory, 'The heading')
    await at.memory.summarize({ id, summary: 'All of it in short.' })
    const heading = async (): Promise<StateNode | undefined> => (await stateOf(at.memory))[0]
    expect(await heading()).toMatchObject({
      label: 'The heading',
      text: 'All of it in short.',
      type: 'heading',
    })
    await at.compile({ 'a.md': '# The heading\n\nText.\n\nMore.\n' })
    expect(await heading()).toMatchObject({ label: 'The heading', text: 'All of it in short.' })
    await expectSound(at.memory)
  })

  test('and back again ends where it began', async () => {
    await using at = await openWorkspace({ 'a.md': '# The heading\n\nText.\n' })
    const id = await idOf(at.memory, 'The heading')
    await at.memory.summarize({ id, summary: 'All of it in short.' })
    await at.memory.summarize({ id, summary: 'The heading' })
    const [last, , first] = await at.memory.snapshots()
    expect(last?.cursorHash).toBe(first?.cursorHash)
    expect((await at.compile({ 'a.md': '# Another heading\n\nText.\n' })).conflicts).toEqual([])
  })

  test('with the text it has already changes nothing but heat', async () => {
    await using at = await openWorkspace({ 'a.md': 'Short.\n' })
    const before = await stateOf(at.memory)
    const id = await idOf(at.memory, 'Short.')
    expect((await at.memory.summarize({ id, summary: 'Short.', temperature: 1 })).snapshot).toBeNull()
    expect(await stateOf(at.memory)).toEqual(before)
    expect(heatOf(at.memory).get(id)?.value).toBe(1)
  })

  test.each([
    [{ summary: '' }, 'INVALID_INPUT'],
    [{ summary: 'x', temperature: 1.1 }, 'INVALID_INPUT'],
    [{ summary: 'x', temperature: Number.NaN }, 'INVALID_INPUT'],
    [{ summary: 'x', id: 'AAAAAAAAAAA' }, 'NOT_FOUND'],
  ])('refuses %j', async (input, code) => {
    await using at = await openWorkspace({ 'a.md': 'Text.\n' })
    const id = await idOf(at.memory, 'Text.')
    await expect(at.memory.summarize({ id, ...input })).rejects.toMatchObject({ code })
    expect(await at.memory.snapshots()).toHaveLength(1)
  })
})

describe('forget', () => {
  const FILE = '# A\n\nIn a.\n\n## B\n\nIn b.\n\n## C\n'

  test('refuses to leave children behind unless told how', async () => {
    await using at = await openWorkspace({ 'a.md': FILE })
    const id = await idOf(at.memory, 'A')
    await expect(at.memory.forget({ id })).rejects.toThrow(
      `node ${id} has 3 children; pass mode=cascade or mode=reparent`,
    )
    await expect(at.memory.forget({ id, mode: 'other' as 'strict' })).rejects.toThrow(
      'unknown delete mode "other" (want strict, cascade, or reparent)',
    )
    expect(await at.memory.snapshots()).toHaveLength(1)
  })

  test('with cascade takes everything below, notes too', async () => {
    await using at = await openWorkspace({ 'a.md': FILE })
    const id = await idOf(at.memory, 'B')
    await at.memory.write({ parent: id, payload: '# Note\n\nIn the note.\n' })
    const result = await at.memory.forget({ id, mode: 'cascade' })
    expect(result).toMatchObject({ affected: 4, snapshot: { message: `forget:cascade:${id}` } })
    expect(await outlineOf(at.memory)).toEqual(['A', '  In a.', '  C'])
    await expectSound(at.memory)
  })

  test('with reparent gives the children its place', async () => {
    await using at = await openWorkspace({ 'a.md': FILE })
    const ids = await idsByText(at.memory)
    await at.memory.write({ parent: ids.B as string, payload: 'Note.' })
    expect(await at.memory.forget({ id: ids.B as string, mode: 'reparent' })).toMatchObject({ affected: 3 })
    expect(await outlineOf(at.memory)).toEqual(['A', '  In a.', '  In b.', '  Note.', '  C'])
    await at.memory.forget({ id: ids.A as string, mode: 'reparent' })
    expect(await outlineOf(at.memory)).toEqual(['In a.', 'In b.', 'C', 'Note.'])
    await expectSound(at.memory)
  })
})

test('a payload that does not parse is still cut into nodes that can be fetched', async () => {
  await using at = await openWorkspace()
  const payload = `---\na: [\n---\n\n${'word '.repeat(20_000)}\r\nwith\0NUL`
  await at.memory.write({ payload })
  const { roots } = await at.memory.forest()
  expect(roots.length).toBeGreaterThan(20)
  for (const { tokens } of roots) expect(tokens).toBeLessThanOrEqual(1000)
  for (const { id } of roots) expect(await textOf(at.memory, id)).not.toMatch(/[\r\0]/)
})

test('a summary that would not fit in a node is refused', async () => {
  await using at = await openWorkspace({ 'a.md': 'Some text.\n' })
  const [{ id } = { id: '' }] = (await at.memory.forest()).roots
  const summary = 'word '.repeat(2000)
  await expect(at.memory.summarize({ id, summary })).rejects.toMatchObject({ code: 'INVALID_INPUT' })
})
