import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import type { LogEnvelope } from '../../src/core/observe/log.ts'
import { idOf, openWorkspace } from '../support/engine.ts'
import { watch } from '../support/resources.ts'

const FILES = { 'team/a.md': '# A\n\nalpha\n', 'b.md': '# B\n\nbeta\n' }
const HOSTILE = 'eve","author":"ada\u2028\x1b[2J\n#9'

type Row = LogEnvelope['snapshots'][number]

async function openTeam() {
  const at = await openWorkspace(FILES)
  await at.memory.by('ada/k1').write({ anchor: await idOf(at.memory, 'alpha'), payload: 'alpha two' })
  await at.memory.by(HOSTILE).write({ payload: 'A note.' })
  await at.memory.checkpoint({ name: 'release 1' })
  await at.memory.by('bob/k2').write({ anchor: await idOf(at.memory, 'beta'), payload: 'beta two' })
  return at
}

const authorsOf = ({ snapshots }: { snapshots: Row[] }) => snapshots.map(({ author }) => author)

test('remindb://log has the rows of remindb://snapshots, with who, what, which name and how much', async () => {
  await using at = await openTeam()
  await using seen = await watch(at.memory.path)
  const { snapshots, next_cursor } = await seen.json('remindb://log')
  expect(next_cursor).toBeNull()
  const plain = (await seen.json('remindb://snapshots')).snapshots
  expect(
    snapshots.map(({ author: _, operation: __, checkpoints: ___, nodes: ____, ...row }: Row) => row),
  ).toEqual(plain)
  expect(Object.keys(plain[0])).toEqual([
    ...['id', 'parent_id', 'message', 'compile_root', 'created_at', 'is_head'],
  ])
  const facts = snapshots.map((row: Row) => [row.author, row.operation, row.checkpoints, row.nodes])
  expect(facts).toEqual([
    ['bob/k2', 'write', [], 1],
    [HOSTILE, 'write', ['release 1'], 1],
    ['ada/k1', 'write', [], 1],
    ['library', 'compile', [], 4],
  ])
  const text = await seen.read('remindb://log')
  for (const odd of ['\n', '\u2028', '\x1b']) expect(text).not.toContain(odd)
})

test('remindb://log is filtered by author, operation and path, together', async () => {
  await using at = await openTeam()
  await using seen = await watch(at.memory.path)
  const idsOf = async (query: string) =>
    (await seen.json(`remindb://log?${query}`)).snapshots.map(({ id }: Row) => id)
  expect(await idsOf(`author=${encodeURIComponent(HOSTILE)}`)).toEqual([3])
  expect(await idsOf('operation=write')).toEqual([4, 3, 2])
  expect(await idsOf('path=team')).toEqual([2, 1])
  expect(await idsOf('path=team/a.md&author=library')).toEqual([1])
  expect(await idsOf('path=b.md&cursor=4')).toEqual([1])
  expect(await idsOf('path=..')).toEqual([])
  expect(await idsOf(`path=${encodeURIComponent(at.folder)}`)).toEqual([])
  expect(await idsOf('author=nobody')).toEqual([])
  await expect(seen.read('remindb://log?limit=1')).rejects.toThrow('unknown variable')
  await expect(seen.read('remindb://log?cursor=x')).rejects.toThrow('invalid cursor')
})

test('of 10,000 snapshots the pages of remindb://log show each once, at the cost of a page', async () => {
  await using at = await openTeam()
  const db = new Sqlite(at.memory.path)
  const put = db.prepare(
    `INSERT INTO snapshots (id, space_id, parent_id, cursor_hash, author, operation, message, root, created_at)
     VALUES (?, 1, ?, '0000000000000000', ?, 'write', 'm', '', ?)`,
  )
  db.transaction(() => {
    for (let id = 5; id <= 10_000; id++) put.run(id, id - 1, `agent ${id % 3}`, Date.now() + id)
    db.prepare('UPDATE spaces SET head_id = 10000').run()
  })()
  db.close()
  await using seen = await watch(at.memory.path)
  const all = async (query: string) => {
    const ids: number[] = []
    for (let cursor = 'start'; cursor !== null; ) {
      const page = await seen.json(`remindb://log?${query}cursor=${cursor}`)
      expect(page.snapshots.length).toBeLessThanOrEqual(200)
      for (const { id } of page.snapshots) ids.push(id)
      cursor = page.next_cursor
    }
    return ids
  }
  expect(await all('')).toEqual(Array.from({ length: 10_000 }, (_, n) => 10_000 - n))
  const some = await all('author=agent%201&')
  expect(some).toEqual(Array.from({ length: 3332 }, (_, n) => 10_000 - 3 * n).filter((id) => id >= 5))
  expect(await all('path=team&')).toEqual([2, 1])
})

test('a client that does not run the host sees no other author and no path of it', async () => {
  await using at = await openTeam()
  const masked = at.memory.observer.for({ mask: 'space:acme', owner: 'ada/k1' })
  const page = await masked.logPage({})
  expect(authorsOf(page)).toEqual(['space:acme', 'space:acme', 'ada/k1', 'space:acme'])
  expect(JSON.stringify(page)).not.toContain(at.folder)
  expect(page.snapshots.map(({ operation }) => operation)).toEqual(['write', 'write', 'write', 'compile'])
  expect(authorsOf(await masked.logPage({ author: 'ada/k1' }))).toEqual(['ada/k1'])
  await expect(masked.logPage({ author: 'bob/k2' })).rejects.toMatchObject({
    code: 'FORBIDDEN',
    message: 'other authors are shown with the scope memories:admin only; omit author, or give "ada/k1"',
  })
  await at.memory.revert({ author: 'bob/k2', since: 0 })
  expect((await masked.logPage({})).snapshots[0]?.message).toBe('revert space:acme since 0')
  const admin = at.memory.observer.for({ owner: 'root/k0' })
  expect(authorsOf(await admin.logPage({ author: 'bob/k2' }))).toEqual(['bob/k2'])
})
