import { describe, expect, test } from 'vitest'
import { expandUri } from '../../src/mcp/model/uri.ts'
import { RESOURCES } from '../../src/mcp/resources/list.ts'
import { idOf, openWorkspace, type Workspace } from '../support/engine.ts'
import { differences, EXAMPLES, NOW, type Watching, watch } from '../support/resources.ts'

const FILES = {
  'guide.md': '# Guide\n\nSee [[Setup; w=2]] and [[Roadmap; source=plan.md]].\n\n## Setup\n\nInstall it.\n',
  'sub/other.md': '# Other\n\nBack to [[Guide]].\n',
}

/** Files, a note, an edit, links of both origins, one pending, a pin and several snapshots. */
async function fullWorkspace(): Promise<Workspace> {
  const at = await openWorkspace(FILES, { now: () => NOW - 10_500 })
  const { memory } = at
  const note = await memory.write({ payload: 'A note.' })
  await memory.write({ payload: 'Install it twice.', anchor: await idOf(memory, 'Install it.') })
  await memory.relate({ sourceId: note.id, targetId: await idOf(memory, 'Other'), weight: 3 })
  await memory.pin({ id: note.id, temperature: 0.8 })
  return at
}

const SAMPLE = { hash: 'Xy3K9mQ2pLs', limit: '2', q: 'install', moment: 'head', from: '1', to: 'now' }

/** A URI of each resource that has something to show. */
async function sampleUris(seen: Watching): Promise<Map<string, string>> {
  const rootId = (await seen.json('remindb://tree')).roots[0].id
  return new Map(
    RESOURCES.map(({ uri }) => {
      const id = uri.includes('diffs') ? '3' : uri.includes('/node/') ? rootId : 'k7f3a9c2'
      return [uri, expandUri(uri, { ...SAMPLE, rootId, root: rootId, id, depth: '1', cursor: 'start' })]
    }),
  )
}

describe('every resource', () => {
  test('has the keys of its example, in that order, with values of the same types', async () => {
    await using at = await fullWorkspace()
    await using seen = await watch(at.memory.path)
    const uris = await sampleUris(seen)
    expect(Object.keys(EXAMPLES)).toHaveLength(17)
    for (const [uri, example] of Object.entries(EXAMPLES)) {
      const answer = await seen.json(uris.get(uri) ?? '')
      expect(differences(answer, example), uri).toEqual([])
      for (const [name, value] of Object.entries(answer))
        if (Array.isArray(value)) expect(value.length, `${uri} ${name}`).toBeGreaterThan(0)
    }
  })

  test('in pages has the keys of the whole, and next_cursor at the end', async () => {
    await using at = await fullWorkspace()
    await using seen = await watch(at.memory.path)
    const uris = await sampleUris(seen)
    const pages = {
      'remindb://graph{?cursor,limit}': 'remindb://graph',
      'remindb://snapshots{?cursor,limit}': 'remindb://snapshots',
      'remindb://snapshots/{id}/diffs{?cursor,limit}': 'remindb://snapshots/{id}/diffs',
      'remindb://temperature{?cursor,limit}': 'remindb://temperature',
    }
    for (const [paged, whole] of Object.entries(pages)) {
      const { next_cursor, ...rest } = await seen.json(uris.get(paged) ?? '')
      expect(next_cursor === null || typeof next_cursor === 'string').toBe(true)
      expect(differences(rest, EXAMPLES[whole]), paged).toEqual([])
    }
  })

  test('is one line of JSON, but for doctor', async () => {
    await using at = await fullWorkspace()
    await using seen = await watch(at.memory.path)
    for (const [template, uri] of await sampleUris(seen)) {
      if (template.startsWith('memory://')) continue
      const text = await seen.read(uri)
      if (template !== 'remindb://doctor') expect(text, uri).toBe(JSON.stringify(JSON.parse(text)))
    }
  })

  test('of an empty memory has empty lists, never null', async () => {
    await using at = await openWorkspace()
    await using seen = await watch(at.memory.path)
    expect(await seen.read('remindb://files')).toBe('{"roots":[]}')
    expect(await seen.read('remindb://tree')).toBe('{"roots":[]}')
    expect(await seen.read('remindb://graph')).toBe('{"nodes":[],"edges":[],"pending":[]}')
    expect(await seen.read('remindb://snapshots')).toBe('{"snapshots":[]}')
    expect(await seen.read('remindb://snapshots/1/diffs')).toBe('{"snapshot_id":1,"diffs":[]}')
    expect(await seen.json('remindb://overview')).toMatchObject({
      nodes: { total: 0, by_type: {}, tokens: 0 },
      snapshots: { count: 0, head_id: 0, cursor_hash: '', latest_message: '', latest_age_s: 0 },
      relations: { total: 0, by_origin: {}, pending: 0 },
    })
    expect(await seen.json('remindb://temperature')).toEqual({
      summary: { avg: 0, median: 0, hot: 0, cold: 0, pinned: 0, cold_threshold: 0.1, hot_threshold: 0.5 },
      nodes: [],
    })
    expect(await seen.json('remindb://doctor')).toMatchObject({ status: 'pass' })
    expect(await seen.read('remindb://tree?limit=9')).toBe('{"nodes":[],"next_cursor":null}')
    expect(await seen.read('remindb://graph?limit=9')).toBe(
      '{"nodes":[],"edges":[],"pending":[],"next_cursor":null}',
    )
    expect(await seen.read('remindb://snapshots?cursor=start')).toBe('{"snapshots":[],"next_cursor":null}')
    expect(await seen.json('remindb://temperature?limit=9')).toMatchObject({ nodes: [], next_cursor: null })
    expect(await seen.json('remindb://search?q=x')).toMatchObject({ query: 'x', hits: [], left_out: 0 })
  })
})

describe('refuses', () => {
  test.each([
    ['remindb://tree/nothing', 'NOT_FOUND', 'root node nothing not found'],
    ['remindb://tree/nothing?limit=1', 'NOT_FOUND', 'root node nothing not found'],
    ['remindb://tree/', 'INVALID_INPUT', 'tree uri missing root id'],
    ['remindb://tree/?limit=1', 'INVALID_INPUT', 'tree uri missing root id'],
    ['remindb://tree/x?depth=-1', 'INVALID_INPUT', 'invalid depth "-1"'],
    ['remindb://tree/x?depth=1.5', 'INVALID_INPUT', 'invalid depth "1.5"'],
    ['remindb://tree?depth=all', 'INVALID_INPUT', 'invalid depth "all"'],
    ['remindb://tree?limit=0', 'INVALID_INPUT', 'invalid limit "0"'],
    ['remindb://tree?cursor=no', 'INVALID_INPUT', 'invalid cursor'],
    ['remindb://graph?cursor=no', 'INVALID_INPUT', 'invalid cursor'],
    ['remindb://graph?cursor=edge.1.2.7', 'INVALID_INPUT', 'invalid cursor'],
    ['remindb://graph?cursor=node.1.2.0', 'INVALID_INPUT', 'invalid cursor'],
    ['remindb://temperature?cursor=1.2', 'INVALID_INPUT', 'invalid cursor'],
    ['remindb://snapshots?cursor=x', 'INVALID_INPUT', 'invalid cursor'],
    ['remindb://snapshots?limit=0', 'INVALID_INPUT', 'invalid limit "0"'],
    ['remindb://snapshots?limit=-3', 'INVALID_INPUT', 'invalid limit "-3"'],
    ['remindb://snapshots?limit=x', 'INVALID_INPUT', 'invalid limit "x"'],
    ['remindb://snapshots?limit=99999999999999999999', 'INVALID_INPUT', 'invalid limit'],
    ['remindb://snapshots/x/diffs', 'INVALID_INPUT', 'invalid snapshot id "x"'],
    ['remindb://snapshots/-1/diffs', 'INVALID_INPUT', 'invalid snapshot id "-1"'],
    ['remindb://snapshots//diffs', 'INVALID_INPUT', 'snapshot diffs uri missing snapshot id'],
    ['remindb://sessions/history/nobody', 'NOT_FOUND', 'unknown client "nobody"'],
    ['remindb://sessions/history/', 'INVALID_INPUT', 'sessions history uri missing client hash'],
    ['remindb://sessions/logs/nobody', 'NOT_FOUND', 'unknown session "nobody"'],
    ['remindb://sessions/logs/', 'INVALID_INPUT', 'sessions log uri missing session id'],
    ['remindb://search', 'INVALID_INPUT', 'search uri missing q'],
    ['remindb://search?q=a&limit=1000', 'INVALID_INPUT', 'limit must be a whole number from 1 to 200'],
  ])('%s', async (uri, code, message) => {
    await using at = await openWorkspace()
    await using seen = await watch(at.memory.path)
    await expect(seen.read(uri)).rejects.toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(message) }),
    )
  })
})

test('a shape that differs is told', () => {
  const example = { a: [{ id: 1, up: null }], b: 'x' }
  expect(differences({ a: [{ id: 2, up: null }], b: '' }, example)).toEqual([])
  expect(differences({ b: '', a: [] }, example)).toEqual(['$ has b,a, not a,b'])
  expect(differences({ a: [{ id: 2, up: 0 }], b: '' }, example)).toEqual(['$.a[0].up is number, not null'])
  expect(differences({ a: null, b: 1 }, example)).toEqual([
    '$.a is null, not array',
    '$.b is number, not string',
  ])
})

test('what the server knows is passed on as it is', async () => {
  await using at = await openWorkspace()
  await using seen = await watch(at.memory.path)
  const texts = await sampleUrisOfServer(seen)
  for (const [uri, text] of texts) expect(text, uri).toBe(JSON.stringify(EXAMPLES[uri]))
})

function sampleUrisOfServer(seen: Watching): Promise<[string, string][]> {
  const uris = Object.keys(EXAMPLES).filter((uri) => /logs|sessions|rescan/.test(uri))
  expect(uris).toHaveLength(7)
  return Promise.all(
    uris.map(async (uri): Promise<[string, string]> => {
      return [uri, await seen.read(expandUri(uri, { ...SAMPLE, id: 'k7f3a9c2' }))]
    }),
  )
}
