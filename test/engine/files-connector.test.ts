import { describe, expect, test } from 'vitest'
import { createConnector } from '../../src/core/files/connector.ts'
import type { ConnectorConfig } from '../../src/core/files/connector-config.ts'
import type { FileService } from '../../src/core/files/door.ts'
import { heatOf, openWorkspace } from '../support/engine.ts'

const THREAD = { threadId: 't1' }

async function open(scope: 'global' | 'perThread' = 'global') {
  const at = await openWorkspace()
  const node = at.memory.memoryNode({ id: 'M', scope })
  const connector = (config?: Partial<ConnectorConfig>) => {
    const made = createConnector(config)
    made.setMemorySource(node)
    return made
  }
  const text = async (config?: Partial<ConnectorConfig>, options: object = THREAD) =>
    (await connector(config).render(options))?.content ?? null
  return Object.assign(at, {
    node,
    connector,
    text,
    own: node.getMemoryService(THREAD),
    all: node.getMemoryService({ scope: 'global' }),
  })
}

async function fill(files: FileService, texts: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(texts)) await files.append(path, text)
}

describe('a tree', () => {
  test('has a line for each of what is at the top, by name', async () => {
    await using at = await open()
    await fill(at.all, { '/notes/today': 'x', '/apple': 'x', '/Banana': 'x', '/notes/deep/er': 'x' })
    expect(await at.text()).toBe('Memory\n/\n[F] apple\n[F] Banana\n[D] notes')
    expect(await at.text({}, { path: '/notes' })).toBe('Memory\n/notes\n[D] deep\n[F] today')
  })

  test('of nothing is told too', async () => {
    await using at = await open()
    expect(await at.text()).toBe('Memory\n/\n')
  })

  test('is of all threads where the thread has nothing', async () => {
    await using at = await open('perThread')
    expect(await at.text()).toBe('Memory\n/\n')
    await fill(at.all, { '/shared': 'x' })
    expect(await at.text()).toBe('Memory\n/\n[F] shared')
    await fill(at.own, { '/mine': 'x' })
    expect(await at.text()).toBe('Memory\n/\n[F] mine')
    expect(await at.text({}, { threadId: 't2' })).toBe('Memory\n/\n[F] shared')
  })
})

describe('maxChars', () => {
  test('bounds a tree, which then ends with how many entries are missing', async () => {
    await using at = await open()
    for (let i = 100; i < 160; i++) await at.all.append(`/f${i}`, 'x')
    const whole = `/\n${Array.from({ length: 60 }, (_, i) => `[F] f${100 + i}`).join('\n')}`
    expect(await at.text({ maxChars: whole.length })).toBe(`Memory\n${whole}`)
    expect(await at.text({ maxChars: whole.length - 1 })).toBe(`Memory\n${whole.slice(0, -18)}\n… 2 more`)
    expect(await at.text({ maxChars: 30 })).toBe('Memory\n/\n[F] f100\n[F] f101\n… 58 more')
    expect(await at.text({ maxChars: 30, content: 'full' })).toBe('Memory\n/\n[F] f100\n[F] f101\n… 58 more')
  })

  test.each([1, 2, 3, 8, 9, 10, 11, 17, 100, 4000])('is never exceeded: %i', async (maxChars) => {
    await using at = await open()
    for (let i = 0; i < 30; i++) await at.all.append(`/folder/${'long name '.repeat(i)}f`, 'text')
    for (const content of ['tree', 'full'] as const)
      for (const path of ['/', '/folder', `/folder/${'nothing here/'.repeat(40)}`]) {
        const text = (await at.text({ content, maxChars }, { path })) ?? ''
        expect(text.length).toBeLessThanOrEqual('Memory\n'.length + maxChars)
      }
  })
})

describe('full', () => {
  test('has a line for each file, by path, with its text as JSON', async () => {
    await using at = await open()
    await fill(at.all, { '/notes/today': 'hello "you"\n', '/a': '', '/notes/b': 'x' })
    expect(await at.text({ content: 'full' })).toBe(
      'Memory\n/a: ""\n/notes/b: "x"\n/notes/today: "hello \\"you\\"\\n"',
    )
  })

  test('of nothing is nothing', async () => {
    await using at = await open('perThread')
    expect(await at.text({ content: 'full' })).toBeNull()
    await fill(at.own, { '/d/f': 'x' })
    await at.own.delete('/d/f')
    expect(await at.text({ content: 'full' })).toBeNull()
  })

  test.each([
    ['x', 0],
    ['ü', 0],
    ['😀', 0],
    ['"', 0],
    ['\n', 0],
  ])('is told up to maxChars, to the character: %j', async (unit) => {
    await using at = await open()
    await fill(at.all, { '/f': unit.repeat(50), '/g': unit })
    const body = `/f: ${JSON.stringify(unit.repeat(50))}\n/g: ${JSON.stringify(unit)}`
    const full = { content: 'full' } as const
    expect(await at.text({ ...full, maxChars: body.length })).toBe(`Memory\n${body}`)
    expect(await at.text({ ...full, maxChars: body.length - 1 })).toBe('Memory\n/\n[F] f\n[F] g')
  })

  test('of very many or very long files is a tree, and their texts are not read', async () => {
    await using at = await open()
    await fill(at.all, { '/long': 'x'.repeat(3_000_000) })
    expect(await at.text({ content: 'full' })).toBe('Memory\n/\n[F] long')
    await at.all.delete('/')
    for (let i = 0; i < 200; i++) await at.all.append(`/many/f${i}`, 'x')
    expect(await at.text({ content: 'full', maxChars: 1000 })).toBe('Memory\n/\n[D] many')
    expect(await at.text({ content: 'full' })).toContain('/many/f199: "x"')
  })

  test('is of all threads where the thread has nothing', async () => {
    await using at = await open('perThread')
    await fill(at.all, { '/shared': 'for all' })
    expect(await at.text({ content: 'full' })).toBe('Memory\n/shared: "for all"')
    await fill(at.own, { '/mine': 'for me' })
    expect(await at.text({ content: 'full' })).toBe('Memory\n/mine: "for me"')
  })

  test('that is too long for all threads is their tree, without a word of it', async () => {
    await using at = await open('perThread')
    await fill(at.all, { '/shared': 'secret plan '.repeat(100) })
    expect(await at.text({ content: 'full', maxChars: 100 })).toBe('Memory\n/\n[F] shared')
    await fill(at.own, { '/empty/f': 'x' })
    await at.own.delete('/empty/f')
    // The thread has a folder of its own, and that is what its tree shows.
    expect(await at.text({ content: 'full', maxChars: 100 })).toBe('Memory\n/\n[D] empty')
  })
})

describe('a connector', () => {
  const system = { role: 'system', content: 'You are …' }
  const hello = { role: 'user', content: 'hello' }
  const memory = { role: 'system', content: 'Memory\n/\n[F] f' }

  test.each([
    ['after_system', [system, memory, hello]],
    ['last_message', [system, hello, memory]],
  ] as const)('puts the memory %s', async (placement, messages) => {
    await using at = await open()
    await fill(at.all, { '/f': 'x' })
    expect(await at.connector({ placement }).inject([system, hello])).toEqual(messages)
  })

  test('leaves messages as they are where there is nothing to tell', async () => {
    await using at = await open()
    expect(await at.connector({ content: 'full' }).inject([system, hello])).toEqual([system, hello])
  })

  test('warms nothing', async () => {
    await using at = await open()
    await fill(at.all, { '/f': 'x' })
    const before = heatOf(at.memory)
    await at.text({ content: 'full' })
    await at.reopen()
    expect(heatOf(at.memory)).toEqual(before)
  })

  test('needs a memory, and a thread where each has its own', async () => {
    await using at = await open('perThread')
    await expect(createConnector().render()).rejects.toMatchObject({ fileCode: 'ENOTMEM' })
    expect(() => createConnector().setMemorySource({} as never)).toThrow(
      'Invalid argument to setMemorySource',
    )
    await expect(at.text({}, {})).rejects.toThrow('threadId is required for perThread scope')
  })
})
