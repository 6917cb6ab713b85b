import { mkdirSync, mkdtempSync, renameSync, rmSync, watch, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { soon } from '../../../test/support/soon.ts'
import { createFolderWatcher } from './watch-folder.ts'

/** A watched folder, and its notifications. */
async function watched(db = '.remindb/memory.db', before: Record<string, string> = {}) {
  const top = mkdtempSync(join(tmpdir(), 'remindb-watch-'))
  onTestFinished(() => rmSync(top, { recursive: true, force: true }))
  const folder = join(top, 'source')
  mkdirSync(folder)
  const write = (path: string, text = path): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  write(db)
  for (const [path, text] of Object.entries(before)) write(path, text)
  const told = { changes: new Set<string>(), losses: 0 }
  const stop = await createFolderWatcher(join(folder, db))(folder, {
    onChange(paths) {
      for (const path of paths) told.changes.add(relative(folder, path))
    },
    onLost: () => told.losses++,
  })
  onTestFinished(stop)
  /** Resolves when the system has notified a watcher of the folder about a path. */
  async function passed(path: string, change: () => void): Promise<void> {
    const seen = Promise.withResolvers<void>()
    const view = watch(dirname(join(folder, path)), () => seen.resolve())
    change()
    await seen.promise
    view.close()
  }
  return { top, folder, write, told, passed, stop }
}

test.each([
  ['a.md', {}],
  ['sub/deep/a.json', {}],
  ['.hidden.md', {}],
  ['sub/.hidden.yaml', { 'sub/a.md': 'a' }],
])('a file that is compiled is noticed: %s', async (path, before) => {
  const at = await watched(undefined, before)
  at.write(path)
  await soon(() => [...at.told.changes]).not.toEqual([])
})

test('so are a change, a removal, and a folder that appears or disappears with its content', async () => {
  const at = await watched(undefined, { 'a.md': 'a', 'b.md': 'b' })
  const next = async (change: () => void): Promise<void> => {
    at.told.changes.clear()
    change()
    await soon(() => at.told.changes.size).toBeGreaterThan(0)
  }
  await next(() => at.write('a.md', 'changed'))
  await next(() => rmSync(join(at.folder, 'b.md')))
  mkdirSync(join(at.top, 'v1.2'))
  writeFileSync(join(at.top, 'v1.2', 'c.md'), 'c')
  await next(() => renameSync(join(at.top, 'v1.2'), join(at.folder, 'v1.2')))
  await next(() => at.write('v1.2/c.md', 'changed'))
  await next(() => renameSync(join(at.folder, 'v1.2'), join(at.top, 'away')))
})

test.each([
  ['.remindb/memory.db', ['.remindb/memory.db', '.remindb/memory.db-wal', '.remindb/logs/a.md']],
  ['notes', ['notes', 'notes-wal', 'notes-shm', 'notes.bak', '.compile-1.spool']],
  ['sub/memory.json', ['sub/memory.json', 'sub/memory.json-wal', 'sub/memory.json.bak.2026.json']],
])('the files of a database at %s are not', async (db, paths) => {
  const at = await watched(db, { '.remindb/logs/x': '', 'sub/x.txt': '' })
  for (const path of paths) {
    await at.passed(path, () => at.write(path, 'written'))
  }
  at.write('a.md')
  await soon(() => [...at.told.changes]).toContain('a.md')
  expect([...at.told.changes]).toEqual(['a.md'])
})

test('nor are paths that no compile reads', async () => {
  const before = { 'node_modules/x/a.md': '', '.git/a.md': '', 'sub/dist/a.md': '', 'photo.png': '' }
  const at = await watched(undefined, before)
  for (const path of Object.keys(before)) {
    await at.passed(path, () => at.write(path, 'written'))
  }
  at.write('a.md')
  await soon(() => [...at.told.changes]).toContain('a.md')
  expect([...at.told.changes]).toEqual(['a.md'])
})

test('a folder that disappears is lost, a missing one is refused', async () => {
  const at = await watched(undefined, { 'a.md': 'a' })
  rmSync(at.folder, { recursive: true })
  await soon(() => at.told.losses).toBeGreaterThan(0)
  const refused = createFolderWatcher(join(at.top, 'memory.db'))
  const handlers = { onChange: () => undefined, onLost: () => undefined }
  await expect(refused(at.folder, handlers)).rejects.toMatchObject({ code: 'ENOENT' })
})

test('nothing is reported once it is stopped', async () => {
  const at = await watched()
  await at.stop()
  await at.passed('a.md', () => at.write('a.md'))
  expect(at.told).toEqual({ changes: new Set(), losses: 0 })
})
