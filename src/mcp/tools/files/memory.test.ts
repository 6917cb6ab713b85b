import { describe, expect, test } from 'vitest'
import { heatOf } from '../../../../test/support/engine.ts'
import { openTools } from '../../../../test/support/hands.ts'
import type { Tool } from '../tool.ts'
import { toolsOf } from '../toolsets.ts'

const made = (tools: unknown[], memories: unknown[] = [{ id: 'memory', scope: 'global' }]): Tool[] =>
  toolsOf(['files'], { 'files.tools': tools, 'files.memories': memories })

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
    ])
  })

  test('replaces the five tools there were before', () => {
    const names = toolsOf(['all']).map(({ name }) => name)
    expect(names).toContain('memory')
    for (const old of ['read', 'list', 'append', 'update', 'delete', 'dump'])
      expect(names).not.toContain(`memory_${old}`)
  })

  test('warms what it reads, and nothing that it lists', async () => {
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

  test('tells a failure of the memory itself in the same shape', async () => {
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
    })
    expect(write?.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: true })
    expect(made([{ commands: ['append'] }])[0]?.annotations).toMatchObject({
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: false,
    })
  })

  test('are refused where they cannot work', () => {
    expect(() => made([{ name: 'a', memory: 'other' }])).toThrow(
      'files.tools: "a" works on the memory "other", which files.memories does not have; give it one of "memory" as "memory", or add the missing one',
    )
    expect(() => made([{ name: 'same' }, { name: 'same' }])).toThrow('two tools are called "same"')
    expect(() => made([{ name: 'Bad-Name' }])).toThrow('Invalid Memory tool config')
  })
})
