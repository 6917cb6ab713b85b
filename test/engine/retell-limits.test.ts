import { describe, expect, test } from 'vitest'
import { openTools, type ToolWorkspace } from '../support/agent-memory.ts'
import { expectSound, stateOf } from '../support/engine.ts'

const TEXT = '# Plan\n\nFirst the wombat.\n\n- then\n- the quoll\n'

const LIMITS = {
  'records.max_content': 60,
  'keys.max_value_bytes': 60,
}

function openLimited(settings: Record<string, unknown> = LIMITS): Promise<ToolWorkspace> {
  return openTools({}, { settings: { 'store.synchronous': 'normal', ...settings } })
}

async function idOf(at: ToolWorkspace, query: string): Promise<string> {
  const { hits } = await at.memory.search({ query, warm: false })
  return hits[0]?.id ?? ''
}

async function everything(at: ToolWorkspace) {
  return { state: await stateOf(at.memory), snapshots: await at.memory.snapshots() }
}

type Call = readonly [tool: string, args: object]

const DOORS: Record<string, { store(text: string): Call; refusal: string | RegExp }> = {
  record: {
    store: (text: string) => ['store_memory', { type: 'learning', content: text }],
    refusal:
      "content must have at most 60 characters; the edited record would be too long: shorten the node's text, or raise records.max_content",
  },
  key: {
    store: (text: string) => ['remember', { key: 'k', value: text }],
    refusal:
      /^Value exceeds maximum size of 60 bytes \(\d+ bytes provided\); the edited value would be too large: shorten the node's text, or raise keys\.max_value_bytes$/,
  },
}

describe.each(Object.entries(DOORS))('an edit that would make a %s longer than its door takes', (_, door) => {
  test.each([
    ['MemoryWrite', (id: string, payload: string) => ({ anchor: id, payload })],
    ['MemorySummarize', (id: string, summary: string) => ({ node_id: id, summary })],
  ] as const)('is refused by %s as by the door, and nothing is written', async (tool, args) => {
    await using at = await openLimited()
    await at.call(...door.store(TEXT))
    const id = await idOf(at, 'wombat')
    const before = await everything(at)
    const edit = at.call(tool, args(id, 'The wombat, and after it many more of them, each by itself.'))
    await expect(edit).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    await expect(edit).rejects.toThrow(door.refusal)
    expect(await everything(at)).toEqual(before)
    await at.call(tool, args(id, 'Then two wombats.'))
    expect(await idOf(at, 'two')).toBe(id)
    await expectSound(at.memory)
  })

  test('is made where it is shorter than it was: a limit may have been lowered since', async () => {
    await using at = await openLimited({})
    await at.call(...door.store(`${TEXT}\n${'far too long '.repeat(10)}\n`))
    await at.reopen({ settings: LIMITS })
    await at.call('MemorySummarize', { node_id: await idOf(at, 'wombat'), summary: 'Wombat.' })
    await at.call('MemoryForget', { node_id: await idOf(at, 'quoll') })
    expect(await idOf(at, 'quoll')).toBe('')
    await expect(
      at.call('MemoryWrite', { anchor: await idOf(at, 'wombat'), payload: 'The wombat again.' }),
    ).rejects.toThrow(door.refusal)
  })
})

test('an edit that core memories have no room for is refused as update_memory refuses it', async () => {
  await using at = await openLimited({ 'records.max_core_size': '100B' })
  await at.call('store_memory', { type: 'core', content: TEXT })
  const before = await everything(at)
  const payload = 'wombat '.repeat(12)
  const edit = at.call('MemoryWrite', { anchor: await idOf(at, 'wombat'), payload })
  await expect(edit).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' })
  await expect(edit).rejects.toThrow('raise records.max_core_size')
  expect(await everything(at)).toEqual(before)
  await at.call('MemoryWrite', { anchor: await idOf(at, 'wombat'), payload: 'The wombat goes first.' })
})
