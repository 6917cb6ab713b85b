import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { cleanEnvironment, ensureProgramIsBuilt, PROGRAM } from '../support/cli.ts'
import { connect, noteFolder } from '../support/mcp.ts'
import { soon } from '../support/soon.ts'

beforeAll(ensureProgramIsBuilt)

const NOTES = { 'a.md': '# Deploys\n\nNever on a Friday.\n' }
const INITIALIZE = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'unlucky', version: '1' },
}

function start(args: string[]): ChildProcess {
  const child = spawn(process.execPath, [PROGRAM, 'serve', ...args], { env: cleanEnvironment({}) })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}
const request = (id: number, method: string, params: object): string =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`

describe('a client that does not read', () => {
  test('the log of the server does not keep it from ending', async () => {
    const child = start(['--source', noteFolder(NOTES), '--verbose'])
    child.stdout?.resume()
    child.stdin?.write(request(0, 'initialize', INITIALIZE))
    // More than the pipe holds.
    for (let id = 1; id <= 3000; id++)
      child.stdin?.write(request(id, 'tools/call', { name: 'MemoryUnpin', arguments: { id: 'none' } }))
    child.stdin?.end()
    const [code] = await once(child, 'exit')
    expect(code).toBe(0)
  })
})

describe('a database that is not the one that was opened any more', () => {
  test.each([
    ['deleted', (db: string) => rmSync(db)],
    [
      'replaced',
      (db: string) => {
        writeFileSync(`${db}.new`, 'another')
        renameSync(`${db}.new`, db)
      },
    ],
  ])('%s: nothing is acknowledged that would be lost', async (_how, harm) => {
    const folder = noteFolder(NOTES)
    const { call, client } = await connect({ args: ['--source', folder] })
    expect(await call('MemoryWrite', { payload: 'Before.' })).toContain('wrote node')
    harm(join(folder, '.remindb', 'memory.db'))
    expect(await call('MemoryWrite', { payload: 'After.' })).toContain('deleted, moved or replaced')
    await expect(client.readResource({ uri: 'remindb://tree' })).rejects.toThrow('deleted, moved or replaced')
  })

  test('moved away and back: all is well again', async () => {
    const folder = noteFolder(NOTES)
    const { call } = await connect({ args: ['--source', folder] })
    await call('MemoryWrite', { payload: 'Before.' })
    renameSync(folder, `${folder}-away`)
    expect(await call('MemoryStats')).toContain('deleted, moved or replaced')
    renameSync(`${folder}-away`, folder)
    expect(await call('MemorySearch', { query: 'before' })).toContain('Before.')
  })
})

test('a source that was moved away is not made again by the records of sessions', async () => {
  const folder = noteFolder(NOTES)
  const away = `${folder}-away`
  onTestFinished(() => rmSync(away, { recursive: true, force: true }))
  const db = join(noteFolder({}), 'memory.db')
  const { call, close } = await connect({ args: ['--source', folder, '--db', db] })
  await call('MemoryStats')
  renameSync(folder, away)
  await close()
  expect(existsSync(folder)).toBe(false)
  expect(readdirSync(away)).toContain('.remindb')
})

test('where the state folder cannot be made, every call says so and what to do', async () => {
  const folder = noteFolder({ ...NOTES, '.remindb': 'a file' })
  const { call } = await connect({ args: ['--source', folder] })
  const answer = await call('MemoryStats')
  expect(answer).toContain('.remindb cannot be made')
  expect(answer).toContain('--db')
})

test('a server that starts while the disk of its source is not mounted purges nothing', async () => {
  const folder = noteFolder(NOTES)
  const db = join(noteFolder({}), 'memory.db')
  const args = ['--source', folder, '--db', db, '--rescan-interval', '1s']
  const first = await connect({ args })
  expect(await first.call('MemorySearch', { query: 'friday' })).toContain('Never on a Friday.')
  await first.close()
  rmSync(folder, { recursive: true })
  mkdirSync(folder)
  const second = await connect({ args })
  const looked = async () => ((await second.read('remindb://rescan')).last_meta as { error: string }).error
  await soon(looked).toContain('is empty')
  expect(await second.call('MemorySearch', { query: 'friday' })).toContain('Never on a Friday.')
  await second.close()
  expect(readdirSync(folder)).toEqual([])
})
