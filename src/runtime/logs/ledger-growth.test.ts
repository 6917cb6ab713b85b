import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { collectWarnings } from '../../../test/support/logs.ts'
import { manualTimers } from '../../../test/support/timers.ts'
import { createRegistry } from '../../mcp/sessions/registry.ts'
import { loadXxh64, type Xxh64 } from '../../util/text/xxh64.ts'
import { openLedger } from './ledger.ts'

const CLIENT = { name: 'ada', version: '1', protocol: '2026-07-28' }

let hash: Xxh64
beforeAll(async () => {
  hash = await loadXxh64()
})

function start() {
  const folder = mkdtempSync(join(tmpdir(), 'remindb-ledger-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const clock = { s: 1_737_200_000 }
  const timers = manualTimers()
  const log = collectWarnings()
  const registry = createRegistry({
    now: () => clock.s * 1000,
    transport: 'http',
    idleExpiryMs: 60_000,
    hash,
    salt: 'a',
    onBegin: (attached) => ledger.began(attached),
    onEnd: (attached) => ledger.ended(attached),
  })
  const parts = { folder, dbPath: '', hash, list: registry.attached, flushIntervalMs: () => 1, log }
  const ledger = openLedger({ ...parts, setTimer: timers.setTimer })
  /** A client that connects, makes one call and disconnects. */
  function call(client = CLIENT): void {
    const connection = {}
    registry.seen(connection, client, 'tools/call')
    registry.close(connection)
  }
  const lines = (): number => {
    const [name = ''] = readdirSync(folder)
    return readFileSync(join(folder, name), 'utf8').split('\n').length - 1
  }
  return { folder, clock, timers, registry, ledger, call, lines, log }
}

describe('a ledger while a server runs', () => {
  test('keeps a limited number of sessions per client, and the older ones as a sum', async () => {
    const { ledger, clock, call, lines, registry, timers, log } = start()
    const early = {}
    registry.open(early, CLIENT)
    timers.fire()
    for (let at = 0; at < 5000; at++) {
      clock.s++
      call()
    }
    expect(lines()).toBeLessThanOrEqual(2002)
    const [client] = (await ledger.sessionsHistory()).clients
    expect(client).toMatchObject({ sessions: 5001, tool_calls: 5000, last_disconnect: clock.s })
    // A running session is never part of the sum, even if it began long ago.
    registry.seen(early, undefined, 'tools/call')
    registry.close(early)
    const [ended] = (await ledger.sessionsHistory()).clients
    expect(ended).toMatchObject({ sessions: 5001, tool_calls: 5001, lifetime_seconds: 5000 })
    expect(log.warnings).toEqual([])
  })

  test('leaves one line of a session that changes all the time', () => {
    const { registry, timers, clock, lines } = start()
    const connection = {}
    registry.open(connection, CLIENT)
    for (let at = 0; at < 2500; at++) {
      clock.s++
      registry.seen(connection, undefined, 'tools/call')
      timers.fire()
    }
    expect(lines()).toBeLessThanOrEqual(1001)
  })

  test('writes 500 lines immediately, the others after a pause, and all of them at the end', () => {
    const { folder, registry, timers, ledger, clock } = start()
    for (let at = 0; at < 1700; at++) registry.open({}, { ...CLIENT, name: `client-${at % 5}` })
    const count = (): number =>
      readdirSync(folder)
        .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
        .filter((line) => line !== '').length
    expect(count()).toBe(1700)
    clock.s += 30
    const delays = [500, 500, 500, 200].map(() => {
      timers.fire()
      return timers.delays()
    })
    expect(delays).toEqual([[50], [50], [50], [1]])
    const seen = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
    expect(seen.join('').match(new RegExp(`"last_seen":${clock.s}`, 'g'))).toHaveLength(1700)
    ledger.close()
    const ended = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
    expect(new Set(ended.join('').match(/"session_id":"\w+"(?=.*"disconnected_at")/g)).size).toBe(1700)
  })

  test('keeps a limited number of clients', () => {
    const { folder, call } = start()
    for (let at = 0; at < 1500; at++) call({ ...CLIENT, name: `client-${at}` })
    const names = readdirSync(folder)
    expect(names.length).toBeLessThanOrEqual(1100)
    expect(names.some((name) => name.startsWith('client-1499-'))).toBe(true)
  })
})
