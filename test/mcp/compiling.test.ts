import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { openMemory } from '../../src/index.ts'
import { ensureProgramIsBuilt, remindb } from '../support/cli.ts'
import { holdWrites } from '../support/hold-writes.ts'
import { connect, noteFolder } from '../support/mcp.ts'
import { soon } from '../support/soon.ts'
import { tamper } from '../support/store-database.ts'

beforeAll(ensureProgramIsBuilt)

/** Longer than calls wait for a first compile. */
const TIMEOUT_MS = 60_000

test('answers while a folder is compiled for the first time state how far that is', {
  timeout: TIMEOUT_MS,
}, async () => {
  const folder = noteFolder({ 'a.md': '# Deploys\n\nNever on a Friday.\n' })
  await (await openMemory({ db: folder })).close()
  const release = holdWrites(folder)
  const { call, client } = await connect({ args: ['--source', folder, '--tools', 'all'] })
  const search = () => call('MemorySearch', { query: 'friday' })
  expect(await search()).toMatch(/^nothing is stored yet\nstill compiling: /)
  expect(await call('MemoryTree')).toMatch(/^nothing is stored yet\nstill compiling: /)
  expect(await call('MemoryStats')).toMatch(/\nstill compiling: [^\n]+$/)
  const tags = await client.callTool({ name: 'list_tags', arguments: {} })
  expect(JSON.stringify(tags.content)).not.toContain('compiling')
  expect(tags._meta).toMatchObject({ 'remindb/compiling': { done: 0 } })

  release()
  await soon(search).toContain('Never on a Friday.')
  await soon(search).not.toContain('still compiling')
})

test('so do those of a second server, which does not compile the folder itself', async () => {
  const folder = noteFolder({ 'a.md': '# Deploys\n\nNever on a Friday.\n' })
  await (await openMemory({ db: folder })).close()
  const insert = `INSERT INTO leases (space_id, name, holder, expires_at) VALUES (1, 'rescan', 'another process', ?)`
  tamper(join(folder, '.remindb', 'memory.db'), (db) => db.prepare(insert).run(Date.now() + 60_000))
  const { call } = await connect({ args: ['--source', folder] })
  expect(await call('MemoryTree')).toBe('nothing is stored yet\nstill compiling: looking for files')
})

test('a server without a source states how far the process is that fills the memory', async () => {
  const folder = noteFolder({ 'a.md': '# Deploys\n\nNever on a Friday.\n' })
  await (await openMemory({ db: folder })).close()
  const insert = `INSERT INTO leases (space_id, name, holder, expires_at, detail) VALUES (1, 'first-compile', 'another process', ?, ?)`
  const detail = JSON.stringify({ phase: 'read', done: 2400, total: 3000 })
  tamper(join(folder, '.remindb', 'memory.db'), (db) => db.prepare(insert).run(Date.now() + 60_000, detail))
  const answer = 'nothing is stored yet\nstill compiling: 1,200 of 3,000 files'
  const { call, client } = await connect({ args: ['--db', folder, '--tools', 'all'] })
  expect(await call('MemoryTree')).toBe(answer)
  expect(await call('MemorySearch', { query: 'friday' })).toBe(answer)
  const tags = await client.callTool({ name: 'list_tags', arguments: {} })
  expect(tags._meta).toMatchObject({ 'remindb/compiling': { done: 1200, total: 3000 } })
  for (const command of [['tree'], ['search', 'friday']])
    expect(remindb([...command, '--db', folder], { cwd: folder }).stdout).toBe(`${answer}\n`)

  await call('MemoryWrite', { payload: 'Friday is fish.' })
  expect(await call('MemorySearch', { query: 'friday' })).not.toContain('still compiling')
})
