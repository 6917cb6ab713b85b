import { describe, expect, test } from 'vitest'
import { expectSound, idOf, openWorkspace, outlineOf, type Workspace } from '../support/engine.ts'
import { memoryOf } from '../support/user-memory.ts'

const FILES = { 'plan.md': '# Plan\n\nRent is due.\n\n## Food\n\nBuy milk.\n\n- bread\n- cheese\n' }
const PLAN = ['Plan', '  Rent is due.', '  Food', '    Buy milk.', '    - bread\n- cheese']

const headOf = async ({ memory }: Workspace): Promise<number> =>
  (await memory.snapshots({ limit: 1 }))[0]?.id ?? 0
const planOf = (at: Workspace) => ({ kind: 'source', root: at.folder, path: 'plan.md' }) as const

describe('a node', () => {
  test('has its text of a snapshot again, as an overlay, and nothing else changes', async () => {
    await using at = await openWorkspace(FILES)
    const milk = await idOf(at.memory, 'Buy milk.')
    await at.memory.write({ anchor: milk, payload: 'Buy oat milk.' })
    await at.memory.write({ payload: 'Later.' })
    expect(await at.memory.restore({ id: milk, snapshot: 1 })).toMatchObject({
      ...{ status: 'done', affected: 1, documents: 0, erased: 0, target: 1 },
      snapshot: { id: 4, operation: 'restore', message: `restore ${milk} from 1` },
    })
    expect(await outlineOf(at.memory)).toEqual([...PLAN, 'Later.'])
    expect((await at.compile()).snapshot).toBeNull()
    await expectSound(at.memory)
  })

  test('that is already so makes no snapshot', async () => {
    await using at = await openWorkspace(FILES)
    const milk = await idOf(at.memory, 'Buy milk.')
    expect(await at.memory.restore({ id: milk, snapshot: 1 })).toEqual({
      status: 'unchanged',
      target: 1,
      erased: 0,
    })
    expect(await headOf(at)).toBe(1)
  })

  test('comes back with what was below it; what was added there since stays', async () => {
    await using at = await openWorkspace(FILES)
    const { memory } = at
    const food = await idOf(memory, 'Food')
    await memory.forget({ id: await idOf(memory, 'Buy milk.') })
    await memory.write({ parent: food, payload: 'Buy salt.' })
    await memory.write({ anchor: await idOf(memory, 'Rent is due.'), payload: 'Rent is paid.' })
    await memory.restore({ id: food, snapshot: 1 })
    expect(await outlineOf(memory)).toEqual([
      ...['Plan', '  Rent is paid.', '  Food', '    Buy milk.', '    - bread\n- cheese', '    Buy salt.'],
    ])
    await expectSound(memory)
  })

  test('that was forgotten with all below it comes back, with the notes there', async () => {
    await using at = await openWorkspace(FILES)
    const { memory } = at
    const food = await idOf(memory, 'Food')
    await memory.write({ parent: food, payload: '# Shops\n\nThe one at the corner.' })
    await memory.forget({ id: food, mode: 'cascade' })
    expect(await memory.restore({ id: food, snapshot: 2 })).toMatchObject({ status: 'done', affected: 5 })
    expect(await outlineOf(memory)).toEqual([...PLAN, '    Shops', '      The one at the corner.'])
    await expectSound(memory)
  })

  test('whose parent is gone becomes a root', async () => {
    await using at = await openWorkspace(FILES)
    const { memory } = at
    const milk = await idOf(memory, 'Buy milk.')
    await memory.forget({ id: await idOf(memory, 'Food'), mode: 'cascade' })
    await memory.restore({ id: milk, snapshot: 1 })
    expect(await outlineOf(memory)).toEqual(expect.arrayContaining(['Plan', '  Rent is due.', 'Buy milk.']))
    await expectSound(memory)
  })

  test('that stands above its parent of then becomes a root', async () => {
    await using at = await openWorkspace({ 'a.md': '# One\n\n## Two\n\nText.\n' })
    const { memory } = at
    const two = await idOf(memory, 'Two')
    await at.compile({ 'a.md': '# Two\n\n## One\n\nText.\n' })
    expect(await outlineOf(memory)).toEqual(['Two', '  One', '    Text.'])
    await memory.restore({ id: two, snapshot: 1 })
    expect((await outlineOf(memory)).length).toBe(3)
    await expectSound(memory)
  })

  test('of a moment when it was not there, or of an unknown one, is refused', async () => {
    await using at = await openWorkspace(FILES)
    const { id } = await at.memory.write({ payload: 'Later.' })
    await expect(at.memory.restore({ id, snapshot: 1 })).rejects.toThrow(
      `node ${id} was not there at snapshot 1`,
    )
    await expect(at.memory.restore({ id, snapshot: 9 })).rejects.toThrow('snapshot 9 is ahead of HEAD 2')
    await expect(at.memory.restore({ id, snapshot: 'never' })).rejects.toThrow(
      'no checkpoint is named "never"',
    )
    await expect(at.memory.restore({ id: 'nope', snapshot: 1 })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('is brought back from a checkpoint', async () => {
    await using at = await openWorkspace(FILES)
    const milk = await idOf(at.memory, 'Buy milk.')
    await at.memory.checkpoint({ name: 'good' })
    await at.memory.write({ anchor: milk, payload: 'Buy oat milk.' })
    expect(await at.memory.restore({ id: milk, snapshot: 'good' })).toMatchObject({
      status: 'done',
      target: 1,
    })
  })
})

describe('a file', () => {
  test('comes back as a whole: what was added to it goes, notes below that become roots only with force', async () => {
    await using at = await openWorkspace(FILES)
    const { memory } = at
    await at.compile({ 'plan.md': `${FILES['plan.md']}\n# More\n\nTea.\n` })
    const document = planOf(at)
    const more = await idOf(memory, 'More')
    await memory.write({ parent: more, payload: 'Green tea.' })
    const before = await outlineOf(memory)
    expect(await memory.restore({ document, snapshot: 1 })).toMatchObject({
      ...{ status: 'conflict', total: 1, target: 1 },
      conflicts: [{ kind: 'below', now: 'Green tea.', wouldBe: 'Green tea.' }],
    })
    expect(await outlineOf(memory)).toEqual(before)
    expect(await memory.restore({ document, snapshot: 1, force: true })).toMatchObject({ status: 'done' })
    expect(await outlineOf(memory)).toEqual([...PLAN, 'Green tea.'])
    await expectSound(memory)
  })

  test('that is gone from the disk comes back, and under its present name if it moved', async () => {
    await using at = await openWorkspace({ ...FILES, 'other.md': 'Other.\n' })
    const { memory } = at
    at.remove('plan.md')
    await at.compile({ 'moved.md': FILES['plan.md'] })
    await at.compile({ 'moved.md': FILES['plan.md'].replace('milk', 'tea') })
    const moved = { ...planOf(at), path: 'moved.md' }
    await memory.restore({ document: moved, snapshot: 1 })
    expect(await outlineOf(memory)).toEqual(expect.arrayContaining(PLAN))
    at.remove('moved.md')
    await at.compile()
    await memory.restore({ document: moved, snapshot: 1 })
    expect(await outlineOf(memory)).toEqual(expect.arrayContaining(PLAN))
    await expectSound(memory)
  })

  test('that was not there, is unknown or erased is refused', async () => {
    await using at = await openWorkspace(FILES)
    const { memory } = at
    await at.compile({ 'new.md': 'New.\n' })
    const document = { ...planOf(at), path: 'new.md' }
    const gone = expect.objectContaining({ code: 'NOT_FOUND' })
    await expect(memory.restore({ document, snapshot: 1 })).rejects.toEqual(gone)
    await expect(memory.restore({ document: { ...document, path: 'x.md' }, snapshot: 1 })).rejects.toEqual(
      gone,
    )
    const plan = await idOf(memory, 'Plan')
    await memory.erase(planOf(at))
    for (const target of [{ document: planOf(at) }, { id: plan }])
      await expect(memory.restore({ ...target, snapshot: 1 })).rejects.toThrow(
        'erased text does not come back',
      )
    await expectSound(memory)
  })
})

/** Each door that stores exact texts: two states of one document, and how to read it. */
const DOORS = {
  async key({ memory }: Workspace) {
    const put = (value: string, tags: string[]) => memory.keys.remember({ key: 'k', value, tags })
    return {
      ...{ put, document: { kind: 'key', key: 'k' } as const, remove: () => memory.keys.forget('k') },
      read: async () => {
        const { items } = await memory.keys.list({ limit: 10 })
        const content = await memory.keys.recall('k').catch(() => undefined)
        return content?.kind === 'text' ? [content.text, items[0]?.tags] : undefined
      },
    }
  },
  async record({ memory }: Workspace) {
    let id = ''
    const find = async () => (await memory.records.query({ limit: 10 })).memories.find((one) => one.id === id)
    return {
      async put(content: string, tags: string[]) {
        if (await find()) await memory.records.update({ id, content, tags })
        else id = (await memory.records.store({ type: 'learning', content, tags })).memory.id
      },
      get document() {
        return { kind: 'record', id } as const
      },
      remove: () => memory.records.delete({ id, permanent: true }),
      async read() {
        const found = await find()
        return found && [found.content, found.tags]
      },
    }
  },
  async file({ memory }: Workspace) {
    const { files } = memoryOf(memory, 'ada')
    const document = { kind: 'file', node: 'memory', scope: 'global', thread: '', path: '/log' } as const
    const read = () => files.read('/log').catch(() => undefined)
    return {
      async put(text: string) {
        if ((await read()) !== undefined) await files.delete('/log')
        await files.append('/log', text)
      },
      ...{ document, read, remove: () => files.delete('/log') },
    }
  },
}

describe.each(Object.entries(DOORS))('a %s', (_, open) => {
  const [OLD, NEW] = ['# Tea\n\nGreen.\n\n- one\n', 'Coffee.  \n\n\nBlack.\r\n']

  test('comes back with its exact text and attributes', async () => {
    await using at = await openWorkspace()
    const door = await open(at)
    await door.put(OLD, ['a'])
    const [then, snapshot] = [await door.read(), await headOf(at)]
    await door.put(NEW, ['b', 'c'])
    const [now, later] = [await door.read(), await headOf(at)]
    expect(await at.memory.restore({ document: door.document, snapshot })).toMatchObject({
      status: 'done',
      documents: 1,
    })
    expect(await door.read()).toEqual(then)
    await at.memory.restore({ document: door.document, snapshot: later })
    expect(await door.read()).toEqual(now)
    await expectSound(at.memory)
  })

  test('comes back after its removal, and after it was created again', async () => {
    await using at = await openWorkspace()
    const door = await open(at)
    await door.put(OLD, ['a'])
    const [then, snapshot, { document }] = [await door.read(), await headOf(at), door]
    await door.remove()
    await at.memory.restore({ document, snapshot })
    expect(await door.read()).toEqual(then)
    await door.remove()
    await door.put(NEW, [])
    await at.memory.restore({ document, snapshot })
    await expectSound(at.memory)
  })

  test('a node of it brings back the whole document; other changes in it are a conflict', async () => {
    await using at = await openWorkspace()
    const { memory } = at
    const door = await open(at)
    await door.put('First.\n\nSecond.', [])
    const [then, snapshot] = [await door.read(), await headOf(at)]
    const first = await idOf(memory, 'First.')
    await memory.write({ anchor: first, payload: 'One.' })
    expect(await memory.restore({ id: first, snapshot })).toMatchObject({ status: 'done', documents: 1 })
    expect(await door.read()).toEqual(then)
    await memory.write({ anchor: first, payload: 'One.' })
    await memory.write({ anchor: await idOf(memory, 'Second.'), payload: 'Two.' })
    expect(await memory.restore({ id: first, snapshot })).toMatchObject({
      ...{ status: 'conflict', total: 1 },
      conflicts: [{ kind: 'beside', now: 'Two.', wouldBe: 'Second.' }],
    })
    await memory.restore({ id: first, snapshot, force: true })
    expect(await door.read()).toEqual(then)
    await expectSound(memory)
  })

  test('that was erased stays erased', async () => {
    await using at = await openWorkspace()
    const door = await open(at)
    await door.put(OLD, ['a'])
    const snapshot = await headOf(at)
    await at.memory.erase(door.document)
    await expect(at.memory.restore({ document: door.document, snapshot })).rejects.toMatchObject({
      code: 'REDACTED',
    })
    expect(await at.memory.revert({ snapshots: [await headOf(at)] })).toEqual({
      ...{ status: 'unchanged', erased: 1, target: null },
    })
    await expectSound(at.memory)
  })
})
