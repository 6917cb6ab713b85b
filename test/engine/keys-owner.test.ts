import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { COUNT_AGAIN } from '../support/door-counts.ts'
import { openWorkspace } from '../support/engine.ts'

/** Gives what is stored under a key to somebody else, as accounts will. */
function giveAway(file: string, key: string): void {
  const db = new Sqlite(file)
  db.exec(`INSERT OR IGNORE INTO owners (id, space_id, name) VALUES (2, 1, 'somebody')`)
  db.prepare(`UPDATE documents SET owner_id = 2 WHERE kind = 'key' AND name = ?`).run(key)
  db.exec(COUNT_AGAIN)
  db.close()
}

test('what somebody else keeps under a key is not found, listed, counted, overwritten or forgotten', async () => {
  await using at = await openWorkspace()
  const { keys, observer } = at.memory
  await keys.remember({ key: 'theirs', value: 'rhinoceros', tags: ['t'], ttlSeconds: 3600 })
  giveAway(at.memory.path, 'theirs')
  // As if it had never been: not even that it exists is told.
  await expect(keys.recall('theirs')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(await observer.findKey('theirs')).toBeUndefined()
  expect(await observer.keyIndex()).toEqual({ keys: [], isCut: false })
  expect(await keys.list({ tag: 't' })).toMatchObject({ count: 0 })
  expect(await keys.listTags()).toMatchObject({ count: 0 })
  expect(await keys.search({ query: 'rhinoceros' })).toMatchObject({ items: [] })
  expect(await keys.summarize('t')).toContain('No memories found')
  for (const call of [keys.forget, keys.history, (key: string) => keys.redact({ key })])
    await expect(call('theirs')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(await keys.forgetAll('t')).toBe(0)
  expect(await keys.remember({ key: 'theirs', value: 'mine' })).toBe('stored')
  expect(await keys.recall('theirs')).toMatchObject({ text: 'mine' })
  expect(await keys.used()).toBe(1)
  const db = new Sqlite(at.memory.path, { readonly: true })
  const theirs = db.prepare(
    `SELECT t.body FROM documents d JOIN texts t ON t.id = d.text_id WHERE d.owner_id = 2`,
  )
  expect(theirs.all()).toEqual([{ body: 'rhinoceros' }])
  db.close()
})

test('those who share a memory share its keys, and each is known by who made it', async () => {
  await using at = await openWorkspace()
  await at.memory.by('alpha').keys.remember({ key: 'k', value: 'one', tags: ['t'] })
  await at.memory.by('beta').keys.remember({ key: 'k', value: 'two', tags: ['t'] })
  expect(await at.memory.by('gamma').keys.recall('k')).toMatchObject({ text: 'two' })
  const { items } = await at.memory.keys.list({ tag: 't' })
  expect(items).toMatchObject([{ owner_client_id: 'alpha' }])
  expect((await at.memory.snapshots()).map(({ author }) => author)).toEqual(['beta', 'alpha'])
})
