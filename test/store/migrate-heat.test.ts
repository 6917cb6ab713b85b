import { expect, onTestFinished, test } from 'vitest'
import { openHandle } from '../../src/store/sqlite/driver.ts'
import { migrate } from '../../src/store/sqlite/migrate.ts'
import { migrations } from '../../src/store/sqlite/migrations/index.ts'

test('stone-cold nodes of an older memory get their place in the order of heat', () => {
  const db = openHandle(':memory:')
  onTestFinished(() => void db.close())
  migrate(db, 0, migrations.slice(0, 1))
  db.exec(`INSERT INTO documents (space_id, owner_id, kind, name, created_at, updated_at) VALUES (1, 1, 'note', 'n', 0, 0);
    INSERT INTO nodes (key, id, document_id, position, type, format, tokens, label, removed_in) VALUES
      (1, 'warm', 1, '', 'text', 'plain', 0, '', NULL), (2, 'cold', 1, '', 'text', 'plain', 0, '', NULL),
      (3, 'pinned', 1, '', 'text', 'plain', 0, '', NULL), (4, 'removed', 1, '', 'text', 'plain', 0, '', 7);
    INSERT INTO heat (node_key, value, clock, pinned, coldness) VALUES
      (1, 1, 0, 0, 0), (2, 0, 0, 0, NULL), (3, 0, 0, 1, NULL), (4, 0, 0, 0, NULL)`)
  migrate(db, 0)
  expect(db.prepare('SELECT node_key, coldness, told FROM heat').all()).toEqual([
    { node_key: 1, coldness: 0, told: 0 },
    { node_key: 2, coldness: Number.NEGATIVE_INFINITY, told: 0 },
    { node_key: 3, coldness: null, told: 0 },
    { node_key: 4, coldness: null, told: 0 },
  ])
})
