import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { diffs } from '../../src/core/observe/diffs.ts'
import { loadXxh64 } from '../../src/util/text/xxh64.ts'
import { idOf, openWorkspace, temporaryFolder } from '../support/engine.ts'
import { NOW, watch } from '../support/resources.ts'

const xxh64 = await loadXxh64()
const hashOf = (text: string): string => xxh64(text).toString(16).padStart(16, '0')

describe('overview', () => {
  test('keeps pending relations apart from their total, and takes the thresholds as they are now', async () => {
    let hot = 0.5
    await using at = await openWorkspace(
      { 'a.md': '# A\n\nTo [[A]] and [[B]].\n' },
      { now: () => NOW - 42_900 },
    )
    await using seen = await watch(at.memory.path, () => ({ hot, cold: 0.1 }))
    expect(await seen.json('remindb://overview')).toMatchObject({
      db_path: at.memory.path,
      nodes: { total: 2 },
      snapshots: { count: 1, head_id: 1, latest_age_s: 42 },
      temperature: { hot: 2, cold: 0, pinned: 0 },
      relations: { total: 1, by_origin: { parsed: 1 }, pending: 1 },
      fts_rows: 2,
    })
    hot = 0.6
    expect(await seen.json('remindb://overview')).toMatchObject({ temperature: { hot: 0 } })
  })
})

describe('files', () => {
  test('groups by root, and has all that agents wrote in one row under the root "", which comes last', async () => {
    await using at = await openWorkspace({ 'b.md': 'B.\n', 'a.md': '# A\n\nIn a.\n' })
    await at.memory.write({ payload: 'One.' })
    await at.memory.write({ payload: 'Two.' })
    await using seen = await watch(at.memory.path)
    expect(await seen.json('remindb://files')).toEqual({
      roots: [
        {
          root: at.folder,
          files: [
            { path: 'a.md', nodes: 2, tokens: 3 },
            { path: 'b.md', nodes: 1, tokens: 1 },
          ],
        },
        { root: '', files: [{ path: 'mcp:write', nodes: 2, tokens: 2 }] },
      ],
    })
  })

  test('leaves a file that an agent edited where it is', async () => {
    await using at = await openWorkspace({ 'a.md': '# A\n\nIn a.\n' })
    await at.memory.write({ payload: 'Edited.', anchor: await idOf(at.memory, 'In a.') })
    await at.memory.write({ payload: 'Below.', parent: await idOf(at.memory, 'A') })
    await using seen = await watch(at.memory.path)
    const { roots } = await seen.json('remindb://files')
    expect(roots).toMatchObject([
      { root: at.folder, files: [{ path: 'a.md', nodes: 2 }] },
      { root: '', files: [{ path: 'mcp:write', nodes: 1 }] },
    ])
  })
})

describe('tree', () => {
  const FILES = { 'sub/a.md': '# A\n\n## One\n\n### Deep\n\nDown.\n\n## Two\n' }

  test('has paths relative to the root, and an empty list of children at a leaf', async () => {
    await using at = await openWorkspace({ 'sub/a.md': '# A\n\nIn a.\n' })
    await using seen = await watch(at.memory.path)
    const rest = { temperature: 0.5, source: 'sub/a.md' }
    expect(await seen.json('remindb://tree')).toMatchObject({
      roots: [
        { label: 'A', depth: 0, ...rest, children: [{ label: 'In a.', depth: 1, ...rest, children: [] }] },
      ],
    })
  })

  test('of a node has exactly that root, which keeps its depth, and as many generations as are asked for', async () => {
    await using at = await openWorkspace(FILES)
    await using seen = await watch(at.memory.path)
    const id = await idOf(at.memory, 'One')
    const shape = async (uri: string) => {
      const { roots } = await seen.json(uri)
      expect(roots).toHaveLength(1)
      return JSON.stringify(roots, ['label', 'depth', 'children']).replaceAll('"', '')
    }
    const deep =
      '[{label:One,depth:1,children:[{label:Deep,depth:2,children:[{label:Down.,depth:3,children:[]}]}]}]'
    expect(await shape(`remindb://tree/${id}`)).toBe(deep)
    expect(await shape(`remindb://tree/${id}?depth=0`)).toBe(deep)
    expect(await shape(`remindb://tree/${id}?depth=`)).toBe(deep)
    expect(await shape(`remindb://tree/${id}?depth=99`)).toBe(deep)
    expect(await shape(`remindb://tree/${id}?depth=1`)).toBe(
      '[{label:One,depth:1,children:[{label:Deep,depth:2,children:[]}]}]',
    )
    expect(await shape('remindb://tree?depth=1')).toBe(
      '[{label:A,depth:0,children:[{label:One,depth:1,children:[]},{label:Two,depth:1,children:[]}]}]',
    )
  })
})

describe('graph', () => {
  test('has nodes that links belong to, and no others; what is pending is apart', async () => {
    await using at = await openWorkspace({
      'a.md': '# A\n\nTo [[B; w=2.5]], [[B]] and [[C; source=c.md]].\n\n# B\n\nAlone.\n',
    })
    await using seen = await watch(at.memory.path)
    const [source, target] = [await idOf(at.memory, 'To [[B]], [[B]] and [[C]].'), await idOf(at.memory, 'B')]
    await at.memory.relate({ sourceId: source, targetId: target })
    expect(await seen.json('remindb://graph')).toEqual({
      nodes: [
        { id: source, label: 'To [[B]], [[B]] and [[C]].', type: 'text', temperature: 0.5 },
        { id: target, label: 'B', type: 'heading', temperature: 0.5 },
      ],
      edges: [
        { source, target, weight: 1, origin: 'manual' },
        { source, target, weight: 1, origin: 'parsed' },
      ],
      pending: [
        {
          source,
          target_label: 'C',
          target_source: 'c.md',
          target_id_hint: '',
          weight: 1,
          origin: 'parsed',
        },
      ],
    })
  })
})

describe('snapshots', () => {
  test('come newest first; the first has no parent, the newest is the head', async () => {
    await using at = await openWorkspace({ 'a.md': 'A.\n' }, { now: () => 1_737_072_000_999 })
    const { id } = await at.memory.write({ payload: 'A note.' })
    await at.memory.forget({ id })
    await using seen = await watch(at.memory.path)
    const { snapshots } = await seen.json('remindb://snapshots')
    const time = { created_at: 1_737_072_000 }
    expect(snapshots).toEqual([
      { id: 3, parent_id: 2, message: `forget:strict:${id}`, compile_root: '', ...time, is_head: true },
      { id: 2, parent_id: 1, message: `write:${id}`, compile_root: '', ...time, is_head: false },
      {
        id: 1,
        parent_id: null,
        message: expect.any(String),
        compile_root: at.folder,
        ...time,
        is_head: false,
      },
    ])
    expect(await seen.json('remindb://snapshots?limit=2')).toEqual({ snapshots: snapshots.slice(0, 2) })
    expect(await seen.json('remindb://snapshots?limit=99')).toEqual({ snapshots })
    expect(await seen.json('remindb://snapshots?limit=')).toEqual({ snapshots })
  })

  test('after a rollback that dropped history show the one that is the head', async () => {
    await using at = await openWorkspace({ 'a.md': 'A.\n' })
    for (const payload of ['One.', 'Two.']) await at.memory.write({ payload })
    await at.memory.rollback({ snapshotId: 1, dropAfter: true })
    await using seen = await watch(at.memory.path)
    const { snapshots } = await seen.json('remindb://snapshots')
    expect(snapshots.filter((one: { is_head: boolean }) => one.is_head)).toEqual([snapshots[0]])
  })
})

describe('diffs', () => {
  test('tell what a snapshot made of each node; a side that was not there is empty', async () => {
    await using at = await openWorkspace()
    const { id } = await at.memory.write({ payload: 'before' })
    await at.memory.write({ payload: 'after', anchor: id })
    await at.memory.forget({ id })
    await using seen = await watch(at.memory.path)
    const none = { content: '', hash: '' }
    const said = (content: string) => ({ content, hash: hashOf(content) })
    const sides: [string, { content: string; hash: string }, { content: string; hash: string }][] = [
      ['add', none, said('before')],
      ['mod', said('before'), said('after')],
      ['rem', said('after'), none],
    ]
    for (const [at, [op, before, after]] of sides.entries())
      expect(await seen.json(`remindb://snapshots/${at + 1}/diffs`)).toEqual({
        snapshot_id: at + 1,
        diffs: [
          {
            op,
            node_id: id,
            old_hash: before.hash,
            new_hash: after.hash,
            old_content: before.content,
            new_content: after.content,
          },
        ],
      })
  })

  test('are none for a snapshot that never was', async () => {
    await using at = await openWorkspace({ 'a.md': 'A.\n' })
    await using seen = await watch(at.memory.path)
    for (const id of [0, 99])
      expect(await seen.json(`remindb://snapshots/${id}/diffs`)).toEqual({ snapshot_id: id, diffs: [] })
  })

  test('that are too large for one answer are refused, with the way to read them in pages', async () => {
    await using at = await openWorkspace({ 'a.md': 'One.\n\nTwo.\n' })
    await using seen = await watch(at.memory.path)
    const deps = { store: seen.engine.store, hash: xxh64 }
    expect((await diffs(deps, 1, 8)).diffs).toHaveLength(2)
    await expect(diffs(deps, 1, 7)).rejects.toThrow(
      'the diffs of snapshot 1 are too large for one answer; read them in pages: remindb://snapshots/1/diffs?limit=200',
    )
  })

  test('have nothing of a text that was erased', async () => {
    await using at = await openWorkspace({ 'a.md': 'Secret words.\n' })
    await at.memory.erase({ kind: 'source', root: at.folder, path: 'a.md' })
    await using seen = await watch(at.memory.path)
    for (const { id } of (await seen.json('remindb://snapshots')).snapshots)
      expect(await seen.read(`remindb://snapshots/${id}/diffs`)).not.toMatch(
        new RegExp(`Secret|${hashOf('Secret words.')}`),
      )
  })
})

describe('temperature', () => {
  test('has every node, and counts them as they are shown, pinned ones too', async () => {
    const thresholds = { hot: 0.7, cold: 0.2 }
    await using at = await openWorkspace({ 'a.md': '# A\n\nOne.\n\nTwo.\n\nThree.\n' })
    const id = (text: string) => idOf(at.memory, text)
    await at.memory.pin({ id: await id('One.'), temperature: 0.9 })
    await at.memory.pin({ id: await id('Two.'), temperature: 0.1 })
    await using seen = await watch(at.memory.path, () => thresholds)
    const answer = await seen.json('remindb://temperature')
    expect(answer.summary).toEqual({
      avg: expect.closeTo(0.5),
      median: expect.closeTo(0.5),
      hot: 1,
      cold: 1,
      pinned: 2,
      cold_threshold: 0.2,
      hot_threshold: 0.7,
    })
    expect(answer.nodes.map((node: { label: string }) => node.label)).toEqual(['A', 'One.', 'Two.', 'Three.'])
    expect(answer.nodes[1]).toEqual({ id: await id('One.'), label: 'One.', temperature: 0.9, pinned: true })
    const { temperature } = await seen.json('remindb://overview')
    expect(answer.summary).toMatchObject(temperature)
    Object.assign(thresholds, { hot: 0.5, cold: 0.1 })
    expect((await seen.json('remindb://temperature')).summary).toMatchObject({ hot: 3, cold: 0 })
  })

  test('takes the upper one of two nodes in the middle', async () => {
    await using at = await openWorkspace({ 'a.md': 'One.\n\nTwo.\n' })
    await at.memory.pin({ id: await idOf(at.memory, 'One.'), temperature: 0.9 })
    await using seen = await watch(at.memory.path)
    expect((await seen.json('remindb://temperature')).summary.median).toBe(0.9)
  })
})

describe('doctor', () => {
  test('says that a compile root is gone, and never of a repair', async () => {
    await using at = await openWorkspace()
    const other = temporaryFolder()
    writeFileSync(join(other, 'a.md'), 'A.\n')
    await at.memory.compile(other)
    rmSync(other, { recursive: true })
    await using seen = await watch(at.memory.path)
    const { status, checks } = await seen.json('remindb://doctor')
    expect(status).toBe('warn')
    expect(checks).toContainEqual({
      name: 'stale_compile_root',
      status: 'warn',
      detail: `1/1 compile roots no longer exist: [${other}]`,
    })
    for (const check of checks) expect(Object.keys(check)).toEqual(['name', 'status', 'detail'])
  })
})

describe('search', () => {
  test('finds, with the keys of the command, and warms nothing', async () => {
    await using at = await openWorkspace({ 'a.md': '# A\n\nRetry the webhook.\n' })
    await using seen = await watch(at.memory.path)
    const answer = await seen.json('remindb://search?limit=3&q=retry%20webhook')
    expect(Object.keys(answer)).toEqual(['query', 'hits', 'left_out', 'searched'])
    expect(answer.hits).toMatchObject([
      { label: 'Retry the webhook.', heading_path: ['A'], temperature: 0.5 },
    ])
  })
})
