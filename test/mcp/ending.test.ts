import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import Sqlite from 'better-sqlite3'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { cleanEnvironment, ensureProgramIsBuilt, PROGRAM, remindb } from '../support/cli.ts'
import { holdWrites } from '../support/hold-writes.ts'
import { noteFolder } from '../support/mcp.ts'
import { connectHttp, serve } from '../support/serving.ts'
import { soon } from '../support/soon.ts'

beforeAll(ensureProgramIsBuilt)

/** Who waits for the lock waits longer than any test. */
const PATIENT = { REMINDB_STORE_LOCK_WAIT_MS: '3600000' }

function compiledFolder(): string {
  const cwd = noteFolder({ 'a.md': '# Deploys\n\nNever on a Friday.\n' })
  expect(remindb(['compile', '.'], { cwd }).code).toBe(0)
  return cwd
}

describe('a server that is asked to end while another process writes', () => {
  test('ends over HTTP, and says what was not stored', async () => {
    const cwd = compiledFolder()
    const { url, child, ended, stderr } = await serve({ cwd, env: PATIENT })
    const { call, read } = await connectHttp(url, '2026-07-28', 'ada')
    const { call: write } = await connectHttp(url, '2026-07-28', 'bob')
    holdWrites(cwd)
    expect(await call('MemorySearch', { query: 'friday' })).toContain('Never on a Friday.')
    const lost = expect(write('MemoryWrite', { payload: 'Too late.' })).rejects.toThrow()
    await soon(async () => JSON.stringify(await read('remindb://sessions'))).toContain('"bob"')
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
    await lost
    expect(stderr()).toMatch(/WARN serve: what was read does not get warmer nodes=\d+ error=UNAVAILABLE\n/)
    expect(stderr()).toMatch(/ERROR mcp call failed .*tool=MemoryWrite .*error=UNAVAILABLE/)
    expect(stderr()).toContain('serve: ended')
  })

  test('ends over stdin and stdout', async () => {
    const cwd = compiledFolder()
    const child = spawn(process.execPath, [PROGRAM, 'serve', '--source', '.'], {
      cwd,
      env: cleanEnvironment(PATIENT),
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    holdWrites(cwd)
    const stderr = text(child.stderr)
    const ended = once(child, 'close')
    child.stdin.write(`${JSON.stringify(INITIALIZE)}\n${JSON.stringify(SEARCH)}\n`)
    let answers = ''
    child.stdout.setEncoding('utf8').on('data', (piece) => {
      answers += piece
    })
    await soon(() => answers).toContain('Never on a Friday.')
    child.kill('SIGTERM')
    expect((await ended)[0]).toBe(0)
    expect(await stderr).toMatch(
      /WARN serve: what was read does not get warmer nodes=\d+ error=UNAVAILABLE\n/,
    )
  })
})

test('a server that is asked to end stores what was read before it answers what is left', async () => {
  const cwd = compiledFolder()
  const child = spawn(process.execPath, [PROGRAM, 'serve', '--source', '.'], {
    cwd,
    env: cleanEnvironment({}),
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = once(child, 'exit')
  let answers = ''
  child.stdout.setEncoding('utf8').on('data', (piece) => {
    answers += piece
  })
  child.stdin.write(`${JSON.stringify(INITIALIZE)}\n${JSON.stringify(SEARCH)}\n`)
  await soon(() => answers).toContain('Never on a Friday.')
  await soon(() => accessesIn(cwd)).toBeGreaterThan(0)
  const before = accessesIn(cwd)
  answers = ''
  child.stdin.write(`${JSON.stringify({ ...SEARCH, id: 2 })}\n`)
  await soon(() => answers).toContain('Never on a Friday.')
  // Nobody reads these answers, so the server waits.
  child.stdout.pause()
  for (let id = 10; id < 40; id++) child.stdin.write(`${JSON.stringify({ ...LIST, id })}\n`)
  child.kill('SIGTERM')
  await soon(() => accessesIn(cwd)).toBeGreaterThan(before)
  child.kill('SIGKILL')
  await ended
})

/** How often nodes of the memory were read, as stored. */
function accessesIn(cwd: string): number {
  const db = new Sqlite(join(cwd, '.remindb', 'memory.db'), { readonly: true })
  const row = db.prepare<[], { sum: number }>('SELECT coalesce(sum(accesses), 0) AS sum FROM heat').get()
  db.close()
  return row?.sum ?? 0
}

const LIST = { jsonrpc: '2.0', method: 'tools/list', params: {} }
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'ada', version: '1' } },
}
const SEARCH = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'MemorySearch', arguments: { query: 'friday' } },
}
