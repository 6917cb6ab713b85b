import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startWriter } from '../../../test/support/jsonl-children.ts'
import { collectWarnings } from '../../../test/support/logs.ts'
import { manualTimers } from '../../../test/support/timers.ts'
import { createRegistry } from '../../mcp/sessions/registry.ts'
import { loadXxh64, type Xxh64 } from '../../util/text/xxh64.ts'
import { openLedger } from './ledger.ts'

const START = 1_737_200_000
const CLIENT = { name: 'claude-code', version: '1.2.0', protocol: '2025-06-18' }
const HASH = '82PekaloKgm'
const FILE = `claude-code-${HASH}.jsonl`

let hash: Xxh64
beforeAll(async () => {
  hash = await loadXxh64()
})

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'remindb-ledger-'))
  onTestFinished(() => {
    chmodSync(folder, 0o700)
    rmSync(folder, { recursive: true })
  })
  return folder
}

/** A server's registry and ledger, as they are put together. */
function start(folder = join(temporaryFolder(), 'sessions'), salt = 'a') {
  const clock = { s: START }
  const timers = manualTimers()
  const log = collectWarnings()
  const registry = createRegistry({
    now: () => clock.s * 1000,
    transport: 'stdio',
    idleExpiryMs: 60_000,
    hash,
    salt,
    onBegin: (attached) => ledger.began(attached),
    onEnd: (attached) => ledger.ended(attached),
  })
  const ledger = openLedger({
    folder,
    dbPath: '/a.db',
    hash,
    list: registry.attached,
    flushIntervalMs: () => 30_000,
    log,
    setTimer: timers.setTimer,
  })
  const read = (name = FILE): unknown[] =>
    readFileSync(join(folder, name), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
  return { folder, clock, timers, log, registry, ledger, read }
}

describe('a line', () => {
  test('records a session as soon as it begins, in the file of its client', () => {
    const { registry, clock, folder, read } = start()
    const id = registry.open({}, CLIENT)
    clock.s += 5
    const keys = ['session_id', 'client', 'transport', 'connected_at', 'last_seen', 'tool_calls']
    const line = { session_id: id, client: CLIENT, transport: 'stdio', connected_at: START, last_seen: START }
    expect(read()).toEqual([{ ...line, tool_calls: 0 }])
    expect(Object.keys(read()[0] as object)).toEqual(keys)
    expect(readdirSync(folder)).toEqual([FILE])
    expect([statSync(folder).mode & 0o777, statSync(join(folder, FILE)).mode & 0o777]).toEqual([0o700, 0o600])
  })

  test('comes with every interval while a client is connected, whether or not it does anything', () => {
    const { registry, timers, clock, read } = start()
    const connection = {}
    registry.open(connection, CLIENT)
    expect(timers.delays()).toEqual([30_000])
    clock.s += 30
    timers.fire()
    clock.s += 30
    registry.seen(connection, undefined, 'tools/call')
    timers.fire()
    expect(read()).toMatchObject([
      { last_seen: START, tool_calls: 0 },
      { last_seen: START + 30, tool_calls: 0 },
      { last_seen: START + 60, tool_calls: 1 },
    ])
    expect(timers.delays()).toEqual([30_000])
  })

  test('of a client without a connection comes only when it asked something', () => {
    const { registry, timers, clock, read } = start()
    registry.seen('127.0.0.1', CLIENT, 'tools/call')
    timers.fire()
    clock.s += 30
    timers.fire()
    expect(read()).toMatchObject([
      { last_seen: START, tool_calls: 0 },
      { last_seen: START, tool_calls: 1 },
    ])
  })

  test('is written for every attached client when the ledger is opened', async () => {
    const { registry, read, folder } = start()
    registry.open({}, CLIENT)
    rmSync(join(folder, FILE))
    const parts = { dbPath: '', hash, flushIntervalMs: () => 1, log: collectWarnings() }
    openLedger({ ...parts, list: registry.attached, folder, setTimer: manualTimers().setTimer })
    expect(read()).toHaveLength(1)
  })

  test('says when the connection was closed, also of a client that was idle', () => {
    const { registry, timers, clock, read } = start()
    const connection = {}
    registry.open(connection, CLIENT)
    clock.s += 3
    registry.seen(connection, undefined, 'tools/call')
    clock.s += 9
    registry.close(connection)
    timers.fire()
    expect(read().slice(1)).toMatchObject([
      { last_seen: START + 12, disconnected_at: START + 12, tool_calls: 1 },
    ])
  })

  test('is the last one of a client that went idle', () => {
    const { registry, timers, clock, read } = start()
    registry.seen('127.0.0.1', CLIENT, 'tools/call')
    clock.s += 61
    timers.fire()
    timers.fire()
    expect(read()).toHaveLength(2)
    expect(read()[1]).toMatchObject({ disconnected_at: START, tool_calls: 1 })
  })

  test('is written when the server ends, for all that are still there', () => {
    const { registry, ledger, timers, clock, read } = start()
    const connection = {}
    registry.open(connection, CLIENT)
    clock.s += 3
    registry.seen(connection, undefined, 'tools/call')
    ledger.close()
    ledger.close()
    registry.close(connection)
    ledger.flush()
    expect(read().at(-1)).toMatchObject({ disconnected_at: START + 3, tool_calls: 1 })
    expect(read()).toHaveLength(2)
    expect(timers.delays()).toEqual([])
  })

  test('is written of sessions that vanished without a word', () => {
    const sessions = start()
    const connection = {}
    sessions.registry.open(connection, CLIENT)
    let list = sessions.registry.attached()
    const parts = { dbPath: '', hash, list: () => list, flushIntervalMs: () => 1, log: collectWarnings() }
    const timers = manualTimers()
    const ledger = openLedger({ ...parts, folder: sessions.folder, setTimer: timers.setTimer })
    list = []
    ledger.flush()
    ledger.flush()
    expect(sessions.read()).toHaveLength(3)
    expect(sessions.read()[2]).toMatchObject({ disconnected_at: START })
  })
})

describe('history', () => {
  const about = { hash: HASH, client: CLIENT, transport: 'stdio' }

  test('is empty if no client was ever attached', async () => {
    const { ledger } = start()
    expect(await ledger.sessionsHistory()).toEqual({ db_path: '/a.db', clients: [] })
    expect(await ledger.findClientHistory(HASH)).toBeUndefined()
  })

  test('adds up sessions, calls and time over restarts, and counts no client twice', async () => {
    const folder = join(temporaryFolder(), 'sessions')
    for (const salt of ['a', 'b']) {
      const { registry, ledger, clock } = start(folder, salt)
      for (const seconds of [10, 20]) {
        const connection = {}
        registry.open(connection, CLIENT)
        ledger.flush()
        clock.s += seconds
        registry.seen(connection, undefined, 'tools/call')
        ledger.flush()
        registry.close(connection)
      }
      ledger.close()
    }
    const { ledger } = start(folder, 'c')
    const client = { ...about, sessions: 4, lifetime_seconds: 60, last_disconnect: START + 30, tool_calls: 4 }
    const envelope = await ledger.sessionsHistory()
    expect(envelope).toEqual({ db_path: '/a.db', clients: [client] })
    expect(Object.keys(envelope.clients[0] ?? {})).toEqual(Object.keys(client))
    expect(await ledger.findClientHistory(HASH)).toEqual(client)
  })

  test('has the last checkpoint of a session whose process died', async () => {
    const { registry, ledger, clock } = start()
    const connection = {}
    registry.open(connection, CLIENT)
    clock.s += 8
    registry.seen(connection, undefined, 'tools/call')
    ledger.flush()
    clock.s += 8
    registry.seen(connection, undefined, 'tools/call')
    const client = { ...about, sessions: 1, lifetime_seconds: 8, last_disconnect: 0, tool_calls: 1 }
    expect((await ledger.sessionsHistory()).clients).toEqual([client])
  })

  test('loses one interval at most of a client that was only connected when the process died', async () => {
    const { registry, ledger, timers, clock } = start()
    registry.open({}, CLIENT)
    for (let at = 0; at < 10; at++) {
      clock.s += 30
      timers.fire()
    }
    clock.s += 29
    expect((await ledger.sessionsHistory()).clients).toMatchObject([
      { sessions: 1, lifetime_seconds: 300, last_disconnect: 0 },
    ])
  })

  test('has a client as soon as it is attached', async () => {
    const { registry, ledger } = start()
    registry.open({}, CLIENT)
    const client = { ...about, sessions: 1, lifetime_seconds: 0, last_disconnect: 0, tool_calls: 0 }
    expect((await ledger.sessionsHistory()).clients).toEqual([client])
  })

  test('compares hashes and takes them for nothing else', async () => {
    const { registry, ledger } = start()
    registry.open({}, CLIENT)
    ledger.flush()
    for (const hash of ['*', '?'.repeat(11), '82Pekalo*', '82pekalokgm', `../${FILE}`, '', FILE])
      expect(await ledger.findClientHistory(hash)).toBeUndefined()
  })

  test('is ordered by file name', async () => {
    const { registry, ledger } = start()
    for (const name of ['zed', 'Ann', '你好', 'bob']) registry.open({}, { ...CLIENT, name })
    ledger.flush()
    const names = (await ledger.sessionsHistory()).clients.map(({ client }) => client.name)
    expect(names).toEqual(['Ann', 'bob', '你好', 'zed'])
  })
})

describe('at its start', () => {
  test('the ledger is compacted: the last line of each session, oldest first', async () => {
    const { registry, ledger, clock, folder, read } = start()
    const connection = {}
    registry.open(connection, CLIENT)
    for (let at = 0; at < 5; at++) {
      clock.s++
      registry.seen(connection, undefined, 'tools/call')
      ledger.flush()
    }
    writeFileSync(join(folder, FILE), '{torn\n', { flag: 'a' })
    const before = await ledger.sessionsHistory()
    const { ledger: next } = start(folder, 'b')
    expect(read()).toMatchObject([{ last_seen: START + 5, tool_calls: 5 }])
    expect(await next.sessionsHistory()).toEqual(before)
    expect(readdirSync(folder)).toEqual([FILE])
  })

  test('keeps a limited number of clients, the most recently seen', async () => {
    const folder = temporaryFolder()
    const nameOf = (index: number): string => `c-${String(index).padStart(11, '0')}.jsonl`
    for (let index = 0; index < 1003; index++) {
      writeFileSync(join(folder, nameOf(index)), '')
      utimesSync(join(folder, nameOf(index)), START, START + index)
    }
    writeFileSync(join(folder, 'notes.txt'), 'not ours')
    start(folder)
    const names = readdirSync(folder)
    expect(names).toHaveLength(1001)
    expect(names).toContain('notes.txt')
    expect([0, 2, 3, 1002].map((index) => names.includes(nameOf(index)))).toEqual([false, false, true, true])
  })

  test('keeps the lines that another process writes at the same time', async () => {
    const folder = temporaryFolder()
    const file = join(folder, `x-${'0'.repeat(11)}.jsonl`)
    const stop = join(folder, 'stop')
    const writers = ['a', 'b'].map((name) => startWriter({ file, name, count: 1500, ledgerUntil: stop }))
    for (const writer of writers) await writer.ready()
    for (const writer of writers) writer.go()
    const counts = Promise.all(writers.map((writer) => writer.ended()))
    let isOver = false
    counts.finally(() => {
      isOver = true
    })
    for (let at = 0; at < 200 && !isOver; at++) {
      writeFileSync(file, '{torn\n', { flag: 'a', mode: 0o600 })
      start(folder, String(at)).ledger.close()
      await new Promise((resolve) => setImmediate(resolve))
    }
    const [a = 0, b = 0] = await counts
    const { clients } = await start(folder).ledger.sessionsHistory()
    expect(clients).toMatchObject([{ sessions: a + b, tool_calls: a + b, lifetime_seconds: a + b }])
  })
})

describe('a folder that cannot be written to', () => {
  test('is one warning, and everything else continues', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'sessions'), 'not a folder')
    const { registry, ledger, log, timers } = start(join(folder, 'sessions'))
    const connection = {}
    registry.open(connection, CLIENT)
    timers.fire()
    registry.seen(connection, undefined, 'tools/call')
    timers.fire()
    registry.close(connection)
    ledger.close()
    expect(log.warnings).toEqual([['session ledger cannot be written', { err: expect.any(Error) }]])
    expect((await ledger.sessionsHistory()).clients).toEqual([])
  })

  test('is retried for clients that are still attached', () => {
    const folder = join(temporaryFolder(), 'sessions')
    writeFileSync(folder, 'not a folder')
    const { registry, ledger, read } = start(folder)
    registry.open({}, CLIENT)
    ledger.flush()
    rmSync(folder)
    mkdirSync(folder)
    ledger.flush()
    expect(read()).toHaveLength(1)
  })
})
