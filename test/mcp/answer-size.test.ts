import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEFAULT_CHARACTERS } from '../../src/core/find/budget.ts'
import { toolsOf } from '../../src/mcp/toolsets.ts'
import {
  FILED,
  KEYS,
  type LargeMemory,
  LEVELS,
  LINKS,
  LONG,
  longText,
  openLargeMemory,
  RECORDS,
} from '../support/large-memory.ts'

const TIMEOUT_MS = 300_000
let at: LargeMemory

beforeAll(async () => {
  at = await openLargeMemory()
}, TIMEOUT_MS)
afterAll(() => at?.[Symbol.asyncDispose]())

type Args = Record<string, unknown>

/** Calls that say no size, by tool: what is asked for is large. */
const CALLS: Record<string, () => Args[]> = {
  MemoryTree: () => [{}, { depth: 0 }, { depth: 128 }, { id: at.ids.hub }],
  MemorySearch: () => [{ query: 'deploys' }, { query: 'word7 service night' }, { query: 'x'.repeat(50_000) }],
  MemoryFetch: () => [{ id: at.ids.long }, { id: at.ids.code }, { id: at.ids.hub }, { id: at.ids.deepest }],
  MemoryFetchBatch: () => [{ ids: [at.ids.long, at.ids.hub, at.ids.edited] }],
  MemoryDelta: () => [{}],
  MemoryDiff: () => [{ from_snapshot_id: 0, to_snapshot_id: 1 }],
  MemoryHistory: () => [{ id: at.ids.edited }, { id: at.ids.edited, depth: 1 }],
  MemoryRelated: () => [{ id: at.ids.hub }, { id: at.ids.hub, depth: 5 }],
  MemoryStats: () => [{}],
  MemoryWrite: () => [{ payload: longText(LONG) }],
  MemorySummarize: () => [{ id: at.ids.edited, summary: longText(LONG) }],
  MemoryCompile: () => [{ path: at.folder, message: 'm'.repeat(4000) }],
  MemoryRelate: () => [{ source_id: at.ids.hub, target_label: 'l'.repeat(4000) }],
  MemoryPin: () => [{ id: at.ids.hub }],
  MemoryUnpin: () => [{ id: at.ids.hub }],
  store_memory: () => [{ type: 'learning', content: longText(5000) }],
  query_memories: () => [{}, { search: 'word9' }],
  update_memory: () => [{ id: '6f1d8c1e-9d0a-4c55-8a0b-0f6c2d0f3a51', content: longText(5000) }],
  delete_memory: () => [{ id: '6f1d8c1e-9d0a-4c55-8a0b-0f6c2d0f3a51' }],
  get_memory_stats: () => [{}],
  ping: () => [{}],
  remember: () => [{ key: 'k'.repeat(512), value: longText(LONG) }],
  remember_if_absent: () => [{ key: 'k'.repeat(512), value: 'x' }],
  remember_blob: () => [{ key: 'blob', data: btoa('x'.repeat(20_000)), content_type: 'text/plain' }],
  forget: () => [{ key: 'k'.repeat(512) }],
  // What a call says is said again: a tag that nobody has may be as long as the caller likes.
  forget_all: () => [{ tag: 't'.repeat(4000) }],
  redact_memory: () => [{ key: 'blob', reason: 'r'.repeat(4000) }],
  memory_history: () => [{ key: 'edited' }, { key: 'service:7' }],
  restore_memory: () => [{ key: 'edited', version_timestamp: 'v'.repeat(60) }],
  list_memories: () => [{}, { tag: 'all' }],
  list_tags: () => [{}],
  recall: () => [{ key: 'service:7' }],
  summarize_context: () => [{ topic: 'all' }],
  search_memories: () => [{ query: 'service owned team' }, { query: 'q '.repeat(30_000) }],
  relate_memories: () => [{ key: 'service:7' }, { key: 'service:8' }],
  pack_context: () => [{ topic: 'service owned team' }],
  memory: () => [
    { command: 'read', path: '/long' },
    { command: 'list', path: '/notes' },
    { command: 'append', path: '/long', content: longText(LONG) },
    { command: 'update', path: '/long', oldContent: 'word1', content: 'x' },
    { command: 'delete', path: '/long' },
  ],
  // These take away what the others show.
  MemoryForget: () => [{ id: at.ids.edited }],
  MemoryRollback: () => [{ snapshot_id: 1 }],
  MemoryRestore: () => [{ revert: 1 }, { id: at.ids.edited, snapshot: 1 }],
}

test('every tool is measured', () => {
  const names = toolsOf(['all']).map(({ name }) => name)
  expect(Object.keys(CALLS).sort()).toEqual(names.sort())
})

/** The arguments of the call that goes on, as the end of an answer states them; undefined at the end. */
function continuation(text: string): Args | undefined {
  if (text.startsWith('{')) {
    const answer = JSON.parse(text)
    const { next_cursor: cursor, next_offset: offset } = answer.result ?? answer
    return cursor === undefined && offset === undefined
      ? undefined
      : JSON.parse(JSON.stringify({ cursor, offset }))
  }
  const line = text
    .split('\n')
    .findLast((one) => /^… .*\b(?:after|offset)=/.test(one) && !/whole text/.test(one))
  const given = [...(line ?? '').matchAll(/\b(after|offset|depth)=([\w:]+)/g)]
  if (given.length === 0) return undefined
  // As a model may send them: what looks like a number becomes one.
  return Object.fromEntries(
    given.map(([, name = '', value = '']) => [name, /^\d{1,10}$/.test(value) ? Number(value) : value]),
  )
}

/** Every page of an answer, none too long. */
async function pages(name: string, args: Args, most = 1500): Promise<string[]> {
  const texts: string[] = []
  for (let more: Args | undefined = {}; more; more = continuation(texts.at(-1) ?? '')) {
    const text = await at.text(name, { ...args, ...more })
    expect(text.length, `${name} ${JSON.stringify(more)}`).toBeLessThanOrEqual(DEFAULT_CHARACTERS)
    texts.push(text)
    if (texts.length > most) throw new Error(`${name} goes on for ever`)
  }
  return texts
}

const idsIn = (texts: string[]): string[] =>
  texts.flatMap((text) => [...text.matchAll(/^ *\[\w+\] .*\(id=(\w{11}) /gm)].map(([, id = '']) => id))
const sorted = (some: Iterable<string>): string[] => [...some].sort()

describe('following an answer to its end reaches everything once:', () => {
  test('an outline', { timeout: TIMEOUT_MS }, async () => {
    const { nodes } = await at.memory.tree({ depth: 128, limit: 100_000, warm: false })
    expect(nodes.length).toBeGreaterThan(4000)
    expect(idsIn(await pages('MemoryTree', { depth: 128 }))).toEqual(nodes.map(({ id }) => id))
  })

  test('the documents', { timeout: TIMEOUT_MS }, async () => {
    const { nodes } = await at.memory.tree({ depth: 0, limit: 100_000, warm: false })
    expect(idsIn(await pages('MemoryTree', { depth: 0 }))).toEqual(nodes.map(({ id }) => id))
  })

  test('a node with many below it', async () => {
    const whole = await at.memory.fetch({ anchor: at.ids.hub, warm: false })
    const texts = await pages('MemoryFetch', { id: at.ids.hub })
    expect(texts.length).toBeGreaterThan(2)
    expect(idsIn(texts)).toEqual(whole.nodes.map(({ id }) => id))
  })

  test('a text that is longer than an answer, character by character', async () => {
    const texts = await pages('MemoryFetch', { id: at.ids.long })
    expect(texts.length).toBeGreaterThan(5)
    const parts = texts.flatMap((text) =>
      [...text.matchAll(/^ {2}\[text\] .*\n(.*)$/gm)].map(([, body = '']) => body),
    )
    const said = parts.map((part) => part.replace(/^\\/, '').replace(/…$/, ''))
    expect(said.join('')).toBe(`${longText(LONG)}After it.`)
    expect(texts.join('\n')).not.toMatch(/^\[text\] forged/m)
  })

  test('what is above a deep node', async () => {
    const seen = new Set<string>()
    for (let anchor: string | undefined = at.ids.deepest; anchor; ) {
      const text = await at.text('MemoryFetch', { id: anchor })
      expect(text.length).toBeLessThanOrEqual(DEFAULT_CHARACTERS)
      for (const [, id = ''] of text.matchAll(/\(id=(\w{11})/g)) seen.add(id)
      anchor = /^… \d+ more above: id=(\w+)/m.exec(text)?.[1]
    }
    expect(seen.size).toBe(LEVELS)
  })

  test('many nodes by their ids', async () => {
    const { nodes } = await at.memory.tree({ depth: 1, limit: 250, warm: false })
    let ids: string[] = [at.ids.edited, ...nodes.map(({ id }) => id)]
    const seen: string[] = []
    for (let call = 0; ids.length > 0 && call < 100; call++) {
      const text = await at.text('MemoryFetchBatch', { ids })
      expect(text.length).toBeLessThanOrEqual(DEFAULT_CHARACTERS)
      seen.push(...idsIn([text]))
      ids = /^over budget: (.*)$/m.exec(text)?.[1]?.split(', ') ?? []
    }
    expect(sorted(seen)).toEqual(sorted([at.ids.edited, ...nodes.map(({ id }) => id)]))
  })

  test('a search', { timeout: TIMEOUT_MS }, async () => {
    const ids = idsIn(await pages('MemorySearch', { query: 'deploys service night' }))
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.length).toBeGreaterThan(150)
  })

  test('what is linked to a node', async () => {
    const ids = idsIn(await pages('MemoryRelated', { id: at.ids.hub }))
    expect([new Set(ids).size, ids.length]).toEqual([LINKS, LINKS])
  })

  test('the history of a node', async () => {
    const texts = await pages('MemoryHistory', { id: at.ids.edited })
    const snapshots = texts.flatMap((text) => [...text.matchAll(/^snapshot (\d+): /gm)].map(([, id]) => id))
    expect([new Set(snapshots).size, snapshots.length]).toEqual([30, 30])
  })

  test('the whole text of an old version', async () => {
    const [first = ''] = await pages('MemoryHistory', { id: at.ids.edited })
    const [, depth, after] = /whole text of snapshot \d+: depth=(\d) after=(\d+)/.exec(first) ?? []
    expect(depth).toBe('1')
    const { items } = await at.memory.history({ id: at.ids.edited, limit: 100 })
    const long = items.find(({ new: state }) => (state?.text.length ?? 0) > 40_000)
    const from = { id: at.ids.edited, depth: 1, after: String((long?.snapshotId ?? 0) + 1) }
    let said = ''
    for (let more: Args | undefined = {}; more; ) {
      const text = await at.text('MemoryHistory', { ...from, ...more })
      expect(text.length).toBeLessThanOrEqual(DEFAULT_CHARACTERS)
      const [, ...lines] = text.split('\n')
      const last = lines.at(-1) ?? ''
      said += lines
        .filter((line) => !line.startsWith('… '))
        .join('\n')
        .replace(/^\\/, '')
      more = last.startsWith('… more: ') ? continuation(last) : undefined
    }
    expect(after).toMatch(/^\d+$/)
    expect(said).toContain(`  new: ${long?.new?.text}`)
  })

  test('every change', { timeout: TIMEOUT_MS }, async () => {
    const all = await at.memory.delta({ since: 0, limit: 100_000 })
    const texts = await pages('MemoryDelta', {})
    const lines = texts.flatMap((text) => text.split('\n').filter((line) => line.startsWith('[')))
    expect(lines).toHaveLength(all.items.length)
    expect(new Set(lines).size).toBe(lines.length)
  })

  test('what is different, text by text', { timeout: TIMEOUT_MS }, async () => {
    const { items } = await at.memory.diff({ from: 0, to: 1, limit: 100_000 })
    const texts = await pages('MemoryDiff', { from_snapshot_id: 0, to_snapshot_id: 1 })
    const ids = texts.flatMap((text) => [...text.matchAll(/^\[add\] (\w{11}) /gm)].map(([, id = '']) => id))
    expect(ids).toEqual(items.map(({ nodeId }) => nodeId))
    const said = texts
      .map((text) => text.replace(/\n\n… more: .*$/, '').replace(/^… rest: \w+\n\\?/, ''))
      .join('')
    expect(said).toContain(`+${longText(LONG)}`)
  })

  test('keys, by name and by tag', { timeout: TIMEOUT_MS }, async () => {
    for (const args of [{}, { tag: 'all' }]) {
      const texts = await pages('list_memories', args)
      const keys = texts.flatMap((text) => JSON.parse(text).items.map(({ key }: { key: string }) => key))
      expect(sorted(keys.filter((key: string) => key.startsWith('service:')))).toEqual(
        sorted(Array.from({ length: KEYS }, (_, n) => `service:${n}`)),
      )
    }
  })

  test('tags', async () => {
    const tags = (await pages('list_tags', {})).flatMap((text) => JSON.parse(text).tags)
    expect(tags).toEqual((await at.memory.keys.listTags()).tags)
  })

  test('what a key held', async () => {
    const texts = await pages('memory_history', { key: 'edited' })
    const values = texts.flatMap((text) =>
      JSON.parse(text).versions.map(({ value }: { value: string }) => value),
    )
    expect(values.map((value) => Number.parseInt(value, 10))).toEqual(
      Array.from({ length: 29 }, (_, n) => 28 - n),
    )
  })

  test('keys that answer a question, and keys like a key', async () => {
    for (const [name, args] of [
      ['search_memories', { query: 'service owned team' }],
      ['relate_memories', { key: 'service:8' }],
    ] as const) {
      const texts = await pages(name, args)
      const keys = texts.flatMap((text) => JSON.parse(text).items.map(({ key }: { key: string }) => key))
      expect(new Set(keys).size, name).toBe(keys.length)
      expect(keys.length, name).toBeGreaterThan(40)
    }
  })

  test('the keys of a topic', { timeout: TIMEOUT_MS }, async () => {
    const texts = await pages('summarize_context', { topic: 'all' })
    const keys = texts.flatMap((text) =>
      [...text.matchAll(/^\*\*(service:\d+)\*\*: /gm)].map(([, key = '']) => key),
    )
    expect([new Set(keys).size, keys.length]).toEqual([KEYS, KEYS])
  })

  test('a long value, part by part', async () => {
    let value = ''
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const text = await at.text('recall', { key: 'service:7', offset })
      expect(text.length).toBeLessThanOrEqual(DEFAULT_CHARACTERS)
      value += text.replace(/\n… \d+ more characters?: offset=\d+$/, '')
      offset = continuation(text)?.offset as number | undefined
    }
    expect(value).toBe(longText(LONG))
  })

  test('a long file, and a folder with many', async () => {
    const file = await pages('memory', { command: 'read', path: '/long' })
    expect(file.map((text) => JSON.parse(text).result.content).join('')).toBe(longText(LONG))
    const folder = await pages('memory', { command: 'list', path: '/notes' })
    const entries = folder.flatMap((text) => JSON.parse(text).result.entries)
    expect([entries.length, new Set(entries.map(({ name }) => name)).size]).toEqual([FILED, FILED])
  })

  test('records', { timeout: TIMEOUT_MS }, async () => {
    const texts = await pages('query_memories', {})
    const ids = texts.flatMap((text) => JSON.parse(text).memories.map(({ id }: { id: string }) => id))
    expect([new Set(ids).size, ids.length]).toEqual([RECORDS, RECORDS])
  })
})

test('an answer with usual texts fits as JSON too, as some programs show it to their model', async () => {
  for (const [name, args] of [
    ['MemoryFetch', { id: at.ids.code }],
    ['MemoryTree', { depth: 0 }],
    ['MemoryTree', { depth: 128 }],
    ['query_memories', {}],
    ['memory', { command: 'list', path: '/notes' }],
  ] as const)
    for (const text of (await pages(name, args)).slice(0, 10))
      expect(JSON.stringify({ content: [{ type: 'text', text }] }).length, name).toBeLessThanOrEqual(
        DEFAULT_CHARACTERS,
      )
})

// Last: some of them change what is there.
test.each(Object.entries(CALLS))('an answer of %s fits by default', async (name, calls) => {
  for (const args of calls()) {
    const text = await at.text(name, args)
    expect(text.length, JSON.stringify(args).slice(0, 100)).toBeLessThanOrEqual(DEFAULT_CHARACTERS)
    expect(text).not.toBe('')
  }
})
