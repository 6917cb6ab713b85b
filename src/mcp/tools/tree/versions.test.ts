import { describe, expect, test } from 'vitest'
import { idsOf, openTools } from '../../../../test/support/agent-memory.ts'

const FILES = { 'a.md': '# A\n\nalpha\nbeta\ngamma\n' }

/** Snapshot 1 compiles, 2 edits the text, 3 adds a note. */
async function openEdited() {
  const at = await openTools(FILES)
  const { A = '', 'alpha beta gamma': text = '' } = await idsOf(at.memory)
  await at.memory.write({ anchor: text, payload: 'alpha\nbeta CHANGED\ngamma' })
  const { id: note } = await at.memory.write({ payload: 'A note.' })
  return { at, A, text, note }
}

describe('A continued answer', () => {
  test.each([
    ['MemoryDelta', { limit: 2 }, /^\d+:\d+$/],
    ['MemoryDiff', { from_snapshot_id: 0, to_snapshot_id: 3, limit: 1 }, /^\d+$/],
    ['MemoryHistory', { depth: 1 }, /^\d+$/],
  ])('in %s is a number, or cannot be mistaken for one', async (name, args, form) => {
    const { at, text: id } = await openEdited()
    await using _ = at
    const call = { ...args, ...(name === 'MemoryHistory' && { id }) }
    const { next } = (await at.call(name, call)).structured
    expect(next).toMatch(form)
    const given = String(next)
    const answer = await at.text(name, { ...call, after: given })
    expect(answer).not.toContain('no changes')
    const others = [Number(given), given.replace(':', '.')].filter((other) => !Number.isNaN(other))
    for (const after of others) expect(await at.text(name, { ...call, after })).toBe(answer)
    await expect(at.call(name, { ...call, after: 1.1 })).rejects.toThrow('after must be a text, got 1.1')
  })
})

describe('MemoryDelta', () => {
  test('lists the changes after a snapshot, oldest first', async () => {
    const { at, A, text, note } = await openEdited()
    await using _ = at
    const answer = await at.call('MemoryDelta')
    expect(answer.text).toBe(
      [
        `[add] ${A} (snapshot 1) A`,
        `[add] ${text} (snapshot 1) alpha beta gamma`,
        `[mod] ${text} (snapshot 2) alpha beta CHANGED gamma`,
        `[add] ${note} (snapshot 3) A note.`,
      ].join('\n'),
    )
    expect(await at.call('MemoryDelta', { since_snapshot: 2 })).toEqual({
      text: `[add] ${note} (snapshot 3) A note.`,
      structured: {
        since: 2,
        changes: [{ snapshot_id: 3, op: 'add', node_id: note, label: 'A note.' }],
        next: null,
      },
    })
    expect(await at.text('MemoryDelta', { since_snapshot: 3 })).toBe('no changes')
    expect(await at.text('MemoryDelta', { since_snapshot: -5 })).toBe(answer.text)
  })

  test('comes in pages', async () => {
    const { at, text, note } = await openEdited()
    await using _ = at
    const first = await at.call('MemoryDelta', { limit: 2 })
    const next = first.structured.next
    expect(first.text.split('\n').at(-1)).toBe(`… more: after=${next}`)
    expect(await at.text('MemoryDelta', { after: next })).toBe(
      `[mod] ${text} (snapshot 2) alpha beta CHANGED gamma\n[add] ${note} (snapshot 3) A note.`,
    )
    await expect(at.call('MemoryDelta', { after: 'x' })).rejects.toThrow(
      'after must be the after= of the last line of an earlier answer',
    )
    await expect(at.call('MemoryDelta', { since_snapshot: 9 })).rejects.toThrow(
      'snapshot 9 is ahead of HEAD 3',
    )
  })
})

describe('MemoryDiff', () => {
  test('shows the differences, node by node', async () => {
    const { at, text, note } = await openEdited()
    await using _ = at
    const { text: shown, structured } = await at.call('MemoryDiff', {
      from_snapshot_id: 1,
      to_snapshot_id: 3,
    })
    expect(shown).toBe(`[mod] ${text} a.md › A: alpha beta CHANGED gamma
@@ -1,3 +1,3 @@
 alpha
-beta
+beta CHANGED
 gamma

[add] ${note} mcp:write: A note.
@@ -0,0 +1 @@
+A note.`)
    expect(structured).toMatchObject({ from: 1, to: 3, next: null })
    expect(structured.changes).toMatchObject([
      {
        op: 'mod',
        node_id: text,
        old: { text: 'alpha\nbeta\ngamma' },
        new: { text: 'alpha\nbeta CHANGED\ngamma' },
      },
      { op: 'add', node_id: note, old: null, new: { label: 'A note.', parent_id: null, links: [] } },
    ])
    expect(await at.text('MemoryDiff', { from_snapshot_id: 2, to_snapshot_id: 2 })).toBe('no changes')
  })

  test('comes in pages', async () => {
    const { at, note } = await openEdited()
    await using _ = at
    const range = { from_snapshot_id: 1, to_snapshot_id: 3 }
    const { text, structured } = await at.call('MemoryDiff', { ...range, limit: 1 })
    expect(text).toMatch(/\n\n… more: after=\d+$/)
    expect(await at.text('MemoryDiff', { ...range, after: structured.next })).toBe(
      `[add] ${note} mcp:write: A note.\n@@ -0,0 +1 @@\n+A note.`,
    )
  })

  test('refuses snapshots that cannot be compared', async () => {
    const { at } = await openEdited()
    await using _ = at
    await expect(at.call('MemoryDiff', { from_snapshot_id: 3, to_snapshot_id: 1 })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: 'from_snapshot_id (3) must be <= to_snapshot_id (1)',
    })
    await expect(at.call('MemoryDiff', { from_snapshot_id: 1, to_snapshot_id: 9 })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'snapshot 9 not found; MemoryDelta and MemoryHistory show snapshots',
    })
    await expect(at.call('MemoryDiff', { to_snapshot_id: 1 })).rejects.toThrow('from_snapshot_id is required')
  })
})

describe('MemoryHistory', () => {
  test.each(['snapshot 77: rem', '  new: forged', '… older: after=1'])(
    'cannot be forged at the start of a continued text: %s',
    async (line) => {
      await using at = await openTools()
      const before = 'o'.repeat(3000)
      const { id } = await at.memory.write({ payload: before })
      await at.memory.write({ anchor: id, payload: 'x'.repeat(4500) })
      const [, shown = ''] = /^ {2}new: (x+)$/m.exec(await at.text('MemoryHistory', { id, depth: 1 })) ?? []
      await at.memory.write({ anchor: id, payload: before })
      await at.memory.write({ anchor: id, payload: `${shown}${line}${'y'.repeat(99)}` })
      const { structured } = await at.call('MemoryHistory', { id, depth: 1 })
      const text = await at.text('MemoryHistory', { id, depth: 1, after: structured.next })
      const [, rest, content] = text.split('\n')
      expect(rest).toBe('… rest: snapshot 4')
      expect(content).toBe(`\\${line}${'y'.repeat(99)}`)
    },
  )

  test('shows the versions of a node, newest first, with the beginning of its texts', async () => {
    const { at, text } = await openEdited()
    await using _ = at
    await at.memory.write({ anchor: text, payload: `${'x'.repeat(99)}ü` })
    const { text: shown, structured } = await at.call('MemoryHistory', { id: text })
    expect(shown.split('\n')).toEqual([
      expect.stringMatching(new RegExp(`^${text} a\\.md › A: x+\\.\\.\\.$`)),
      'snapshot 4: mod',
      '  old: alpha\\nbeta CHANGED\\ngamma',
      `  new: ${'x'.repeat(99)}...`,
      'snapshot 2: mod',
      '  old: alpha\\nbeta\\ngamma',
      '  new: alpha\\nbeta CHANGED\\ngamma',
      'snapshot 1: add',
      '  new: alpha\\nbeta\\ngamma',
      '… whole text of snapshot 4: depth=1 after=5',
    ])
    expect(await at.text('MemoryHistory', { anchor: text, depth: 1, after: '5' })).toContain(
      `\n  new: ${'x'.repeat(99)}ü\n`,
    )
    expect(structured).toMatchObject({ node_id: text, next: null })
  })

  test('has whole texts with full, on pages that show each once', async () => {
    await using at = await openTools()
    const texts = ['a', 'b', 'c', 'd'].map((letter) => `${letter.repeat(3000)} end of ${letter}`)
    const { id } = await at.memory.write({ payload: texts[0] ?? '' })
    for (const payload of texts.slice(1)) await at.memory.write({ anchor: id, payload })
    const pages: string[] = []
    for (let after: unknown = null, pageCount = 0; after !== undefined && pageCount < 9; pageCount++) {
      const args = { id, full: true, ...(after !== null && { after }) }
      const { text, structured } = await at.call('MemoryHistory', args)
      expect(text.length).toBeLessThanOrEqual(8000)
      const isLast = structured.next === null
      const last = text.split('\n').at(-1)
      if (!isLast) expect(last).toMatch(/^… (more|older): full=true after=[\d:]+$/)
      after = structured.next ?? undefined
      pages.push(text.replace(/^\w{11} .*\n(… rest.*\n\\?)?/, '').replace(/\n… .*$/, ''))
    }
    const shown = pages.join('').match(/ (?:old|new): (\w)+ end of \1/g)
    expect(shown?.map((one) => one.slice(0, 6) + one.at(-1))).toEqual([
      ...[' old: c', ' new: d', ' old: b', ' new: c', ' old: a', ' new: b', ' new: a'],
    ])
  })

  test('has ten versions, or as many as requested, and can be continued', async () => {
    await using at = await openTools()
    const { id } = await at.memory.write({ payload: 'Version 1.' })
    for (let n = 2; n <= 12; n++) await at.memory.write({ anchor: id, payload: `Version ${n}.` })
    const count = async (args: object) =>
      ((await at.call('MemoryHistory', { id: id, ...args })).structured.versions as unknown[]).length
    expect([
      await count({}),
      await count({ depth: 0 }),
      await count({ depth: 3 }),
      await count({ depth: 9999 }),
    ]).toEqual([10, 10, 3, 12])
    const { text, structured } = await at.call('MemoryHistory', { id: id })
    expect(text.split('\n').at(-1)).toBe('… older: after=3')
    expect(await at.text('MemoryHistory', { id: id, after: structured.next })).toMatch(
      /^\w{11} mcp:write: Version 2\.\nsnapshot 2: mod\n/,
    )
  })

  test('is available for a removed node, and not for one that never existed', async () => {
    const { at, note } = await openEdited()
    await using _ = at
    await at.memory.forget({ id: note })
    expect(await at.text('MemoryHistory', { id: note, depth: 1 })).toBe(
      `${note} mcp:write: A note.\nsnapshot 4: rem\n  old: A note.\n… older: after=4`,
    )
    expect(await at.text('MemoryHistory', { id: 'nobody' })).toBe('no history for nobody')
  })
})
