import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createMemoryTool } from '../../src/core/files/memory-tool.ts'
import { wireMemoryTools } from '../../src/core/files/wire.ts'
import type { Memory } from '../../src/runtime/memory/open-memory.ts'
import { expectSound, openWorkspace } from '../support/engine.ts'

const ADA = 'ada/k1'
const BOB = 'bob/k2'
const OWN_THREADS = { id: 'scratch', scope: 'perThread' } as const

const nodeOf = (memory: Memory, owner: string | undefined, config: object = OWN_THREADS) =>
  memory.by(owner ?? 'library', { owner }).memoryNode(config as typeof OWN_THREADS)
const filesOf = (memory: Memory, owner: string | undefined, threadId = 't') =>
  nodeOf(memory, owner).getMemoryService({ threadId })

describe('a thread with an owner', () => {
  test('is found by its owner only', async () => {
    await using at = await openWorkspace()
    await filesOf(at.memory, ADA).append('/plan', 'hers')
    expect(await filesOf(at.memory, ADA).read('/plan')).toBe('hers')
    for (const owner of [BOB, 'ada', 'ada/k10', undefined]) {
      const files = filesOf(at.memory, owner)
      expect(await files.list('/')).toEqual([])
      await expect(files.read('/plan')).rejects.toMatchObject({ detail: 'ENOENT' })
      await expect(files.update('/plan', 'hers', 'x')).rejects.toMatchObject({ detail: 'ENOENT' })
      expect(await files.delete('/')).toEqual({ files: 0, dirs: 0 })
      expect(await files.dump()).toEqual({
        nodeId: 'scratch',
        scope: 'perThread',
        threadId: 't',
        data: {},
        dirs: {},
      })
    }
    expect(await filesOf(at.memory, ADA).dump()).toMatchObject({ threadId: 't', data: { '/plan': 'hers' } })
    await expectSound(at.memory)
  })

  test('cannot be named by what other clients see of it in the tree', async () => {
    await using at = await openWorkspace()
    await filesOf(at.memory, ADA).append('/plan', 'quicksilver')
    const { hits } = await at.memory.by(BOB).search({ query: 'quicksilver' })
    const name = hits[0]?.path ?? ''
    expect(name).toBe('file:scratch@ 6:ada/k1:t/plan')
    const shown = name.slice('file:scratch@'.length, -'/plan'.length)
    for (const owner of [BOB, undefined])
      for (const threadId of [shown, shown.trim(), `${shown}\n`, name])
        await expect(filesOf(at.memory, owner, threadId).read('/plan')).rejects.toMatchObject({
          detail: 'ENOENT',
        })
    // Whoever runs the host can name it.
    expect(await at.memory.findDocuments(name)).toMatchObject([{ name }])
  })

  test('is kept when its nodes are edited', async () => {
    await using at = await openWorkspace()
    await filesOf(at.memory, ADA).append('/plan', 'quicksilver')
    const { hits } = await at.memory.by(BOB).search({ query: 'quicksilver' })
    await at.memory.by(BOB, { owner: BOB }).write({ anchor: hits[0]?.id ?? '', payload: 'mercury' })
    expect(await filesOf(at.memory, ADA).read('/plan')).toBe('mercury')
    expect(await filesOf(at.memory, BOB).list('/')).toEqual([])
    await expectSound(at.memory)
  })

  test('is also that of a node whose config names the thread', async () => {
    await using at = await openWorkspace()
    const config = { ...OWN_THREADS, thread: 'fixed' }
    await nodeOf(at.memory, ADA, config).getMemoryService().append('/plan', 'hers')
    expect(await nodeOf(at.memory, BOB, config).getMemoryService().list('/')).toEqual([])
    expect(await filesOf(at.memory, ADA, 'fixed').read('/plan')).toBe('hers')
  })

  test('is what tools and connectors of that owner are wired to; a global node is shared', async () => {
    await using at = await openWorkspace()
    const tool = createMemoryTool()
    tool.setMemorySource(nodeOf(at.memory, ADA))
    const append = { path: '/plan', command: 'append', content: 'hers' }
    expect(await tool.run(append, { threadId: 't' })).toMatchObject({ ok: true })
    const graph = {
      nodes: [
        { id: 'scratch', data: { template: 'memory', config: { scope: 'perThread' } } },
        { id: 'agent', data: { template: 'agent' } },
      ],
      edges: [{ source: 'scratch', sourceHandle: '$self', target: 'agent', targetHandle: 'memory' }],
    }
    const told = async (owner: string) => {
      const { agents } = wireMemoryTools(at.memory.by(owner, { owner }), graph)
      return (await agents.get('agent')?.connector?.render({ threadId: 't' }))?.content
    }
    expect(await told(ADA)).toContain('plan')
    expect(await told(BOB)).not.toContain('plan')
    const shared = { id: 'team', scope: 'global' }
    await nodeOf(at.memory, ADA, shared).getMemoryService().append('/all', 'everybody')
    expect(await nodeOf(at.memory, BOB, shared).getMemoryService().read('/all')).toBe('everybody')
  })
})

test('whatever owners do with threads of the same names, each finds what it stored', async () => {
  const owners = [ADA, 'ada', BOB, undefined]
  const step = fc.record({
    owner: fc.constantFrom(...owners),
    threadId: fc.constantFrom('t', '6:ada/k1:t', ' 3:ada:t'),
    path: fc.constantFrom('/a', '/b', '/d/c'),
    isRemoved: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
      await using at = await openWorkspace()
      const model = new Map<string, Map<string, string>>()
      for (const [n, { owner, threadId, path, isRemoved }] of steps.entries()) {
        const files = filesOf(at.memory, owner, threadId)
        const id = JSON.stringify([owner, threadId.trim()])
        const held = model.get(id) ?? new Map<string, string>()
        model.set(id, held)
        const text = `${id} ${n}`
        await files.delete(path)
        held.delete(path)
        if (!isRemoved) {
          await files.append(path, text)
          held.set(path, text)
        }
      }
      for (const owner of owners)
        for (const threadId of ['t', '6:ada/k1:t', '3:ada:t']) {
          const held = model.get(JSON.stringify([owner, threadId])) ?? []
          const { data } = await filesOf(at.memory, owner, threadId).dump()
          expect(data).toEqual(Object.fromEntries(held))
        }
    }),
    { numRuns: 20, endOnFailure: true },
  )
}, 60_000)
