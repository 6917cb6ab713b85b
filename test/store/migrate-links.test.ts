import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openWorkspace } from '../support/engine.ts'
import { tamper, withoutDocumentNames } from '../support/store-database.ts'

test('in a memory of the seventh schema links find files and aliases', async () => {
  await using at = await openWorkspace({
    'from.md': 'See [[Note|the note]], [[Other name]], [[Heading]] and [[Nobody]].\n\n```\n#notatag\n```\n',
    'sub/Note.md': '---\naliases: Other name\n---\nText.\n\n# Heading\n',
  })
  const graph = await at.memory.graph()
  expect(graph).toMatchObject({ edges: { length: 2 }, pending: { length: 1 } })
  await at.memory.close()
  tamper(join(at.folder, '.remindb', 'memory.db'), (db) => {
    db.exec('UPDATE links SET target_key = NULL')
    withoutDocumentNames(db)
    db.exec(`UPDATE links SET name = lower(label);
      UPDATE counters SET value = 4 WHERE name = 'relations_pending';
      DELETE FROM counters WHERE name = 'relations.parsed'`)
    db.pragma('user_version = 7')
  })
  const memory = await at.reopen()
  expect(await memory.graph()).toEqual(graph)
  expect((await memory.doctor()).checks.filter(({ status }) => status !== 'pass')).toEqual([])
  expect((await memory.search({ query: 'tag:notatag' })).hits).toEqual([])
})
