import { describe, expect, test } from 'vitest'
import { openTools } from '../../../../test/support/agent-memory.ts'
import { heatOf } from '../../../../test/support/engine.ts'
import type { MemoryNodeConfig } from '../../../core/files/model.ts'
import type { FileToolSetting } from '../../../core/files/tool-config.ts'
import type { Tool } from '../../model/tool.ts'
import { toolsOf } from '../../toolsets.ts'

const made = (
  tools: FileToolSetting[],
  memories: MemoryNodeConfig[] = [{ id: 'memory', scope: 'global' }],
): Tool[] => toolsOf(['files'], { 'files.tools': tools, 'files.memories': memories })

describe('the memory tool', () => {
  test('answers with the same object as text and as structure', async () => {
    await using at = await openTools()
    const append = await at.call('memory', { path: 'notes/today', command: 'append', content: 'hello' })
    expect(append.text).toBe('{"command":"append","path":"/notes/today","ok":true,"result":{"status":"ok"}}')
    expect(append.structured).toEqual(JSON.parse(append.text))
    const missing = await at.call('memory', { path: '/none', command: 'read' })
    expect(missing.structured).toEqual({
      command: 'read',
      path: '/none',
      ok: false,
      error: { message: 'ENOENT: file not found', code: 'ENOENT' },
    })
    expect((await at.call('memory', 'nonsense')).structured).toMatchObject({
      command: 'unknown',
      path: '/',
      error: { message: 'arguments must be an object with path and command', code: 'EINVAL' },
    })
  })

  test('says in its schema which commands there are', () => {
    const [tool] = made([{}])
    expect(tool?.input.json).not.toHaveProperty('additionalProperties')
    expect(tool?.input.json).toMatchObject({
      properties: { command: { enum: ['read', 'list', 'append', 'update', 'delete'] } },
      required: ['path', 'command'],
    })
    expect(Object.keys(tool?.input.json.properties as object)).toEqual([
      'path',
      'command',
      'content',
      'oldContent',
      'offset',
      'limit',
      'as_of',
    ])
  })

  test('reads a long file in parts that together are the file, and whole with a limit', async () => {
    await using at = await openTools()
    const content = 'A "line" of a file.\n\\path \u{1f600} '.repeat(2000)
    await at.call('memory', { path: '/long', command: 'append', content })
    const read = async (more: object) => {
      const { text } = await at.call('memory', { path: '/long', command: 'read', ...more })
      return { length: JSON.stringify(text).length, ...JSON.parse(text).result }
    }
    let said = ''
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const part = await read({ offset })
      expect(part.length).toBeLessThan(8000)
      expect(part.content).not.toBe('')
      expect(part.characters).toBe(content.length)
      said += part.content
      offset = part.next_offset
    }
    expect(said).toBe(content)
    expect(await read({ limit: '1000000' })).toMatchObject({ content })
    expect(await read({ limit: null, offset: content.length })).toMatchObject({ content: '' })
  })

  test('answers with a short file in full, and with a part of it on request', async () => {
    await using at = await openTools()
    await at.call('memory', { path: '/short', command: 'append', content: 'a\u{1f600}b' })
    const read = async (more: object) => {
      const { text } = await at.call('memory', { path: '/short', command: 'read', ...more })
      return JSON.parse(text).result
    }
    expect(await read({})).toEqual({ content: 'a\u{1f600}b' })
    // Never half a character, and never nothing.
    expect(await read({ limit: 2 })).toEqual({ content: 'a', characters: 4, next_offset: 1 })
    expect(await read({ offset: 1, limit: 1 })).toEqual({
      ...{ content: '\u{1f600}', characters: 4, next_offset: 3 },
    })
    expect(await read({ offset: 3 })).toEqual({ content: 'b', characters: 4 })
  })

  test('lists a large folder in parts, each entry once', async () => {
    await using at = await openTools()
    for (let n = 0; n < 400; n++)
      await at.call('memory', { path: `/d/entry-${n}`, command: 'append', content: 'x' })
    const names: string[] = []
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const { text } = await at.call('memory', { path: '/d', command: 'list', offset })
      expect(JSON.stringify(text).length).toBeLessThan(8000)
      const { entries, count, next_offset } = JSON.parse(text).result
      expect(count).toBe(400)
      names.push(...entries.map(({ name }: { name: string }) => name))
      offset = next_offset
    }
    expect([names.length, new Set(names).size]).toEqual([400, 400])
    const { text } = await at.call('memory', { path: '/d', command: 'list', limit: 1000 })
    expect(JSON.parse(text).result.entries).toHaveLength(400)
  })

  test.each([
    [{ offset: -1 }, 'offset must be a whole number from 0'],
    [{ limit: 0 }, 'limit must be a whole number from 1'],
    [{ limit: 'seven' }, 'limit must be a whole number from 1'],
  ])('refuses %j', async (more, message) => {
    await using at = await openTools()
    const { text } = await at.call('memory', { path: '/', command: 'list', ...more })
    expect(JSON.parse(text).error).toEqual({ code: 'EINVAL', message: expect.stringContaining(message) })
  })

  test('replaces the five tools there were before', () => {
    const names = toolsOf(['all']).map(({ name }) => name)
    expect(names).toContain('memory')
    for (const old of ['read', 'list', 'append', 'update', 'delete', 'dump'])
      expect(names).not.toContain(`memory_${old}`)
  })

  test('warms the files it reads, and none that it only lists', async () => {
    await using at = await openTools()
    await at.call('memory', { path: '/d/f', command: 'append', content: 'hello' })
    const accesses = async () => {
      await at.reopen()
      return [...heatOf(at.memory).values()].map((heat) => heat.accesses)
    }
    const [before = 0] = await accesses()
    await at.call('memory', { path: '/d', command: 'list' })
    expect(await accesses()).toEqual([before])
    await at.call('memory', { path: '/d/f', command: 'read' })
    expect(await accesses()).toEqual([before + 1])
  })

  test('reports a failure of the memory itself in the same shape', async () => {
    const [tool] = made([{}])
    const given = { path: 'a//b', command: 'list' }
    expect(await tool?.fail?.(new Error('disk on fire'), given)).toMatchObject({
      isError: false,
      structured: { command: 'list', path: '/a/b', ok: false, error: { message: /something unexpected/ } },
    })
  })
})

describe('tools from settings', () => {
  test('have their own names, texts and commands, on their own nodes', async () => {
    const [readonly, write] = made(
      [
        { name: 'memory_readonly', title: 'Mem Read', description: 'Read only', commands: ['read', 'list'] },
        { name: 'memory_write', memory: 'memory' },
      ],
      [{ id: 'memory', scope: 'global' }],
    )
    expect(readonly).toMatchObject({
      name: 'memory_readonly',
      title: 'Mem Read',
      description: 'Read only',
      annotations: { readOnlyHint: true, destructiveHint: false },
    })
    expect(readonly?.input.json.properties).toEqual({
      path: expect.anything(),
      command: { type: 'string', enum: ['read', 'list'] },
      offset: expect.anything(),
      limit: expect.anything(),
      as_of: expect.anything(),
    })
    expect(write?.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: true })
    expect(made([{ commands: ['append'] }])[0]?.annotations).toMatchObject({
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: false,
    })
  })

  test('are refused if they cannot work', () => {
    expect(() => made([{ name: 'a', memory: 'other' }])).toThrow(
      'files.tools: "a" works on the memory "other", which files.memories does not have; give it one of "memory" as "memory", or add the missing one',
    )
    expect(() => made([{ name: 'same' }, { name: 'same' }])).toThrow('two tools are called "same"')
    expect(() => made([{ name: 'Bad-Name' }])).toThrow('Invalid Memory tool config')
  })
})
