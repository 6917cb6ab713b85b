import { beforeAll, describe, expect, test } from 'vitest'
import { loadXxh64, type Xxh64 } from '../../util/text/xxh64.ts'
import type { ClientMeta } from '../model/observer.ts'
import { createRegistry, type RegistryParts, type Session } from './registry.ts'

const START = 1_737_200_000_000
const CLIENT: ClientMeta = {
  name: 'claude-code',
  title: 'Claude Code',
  version: '1.2.0',
  protocol: '2025-06-18',
}
const OTHER: ClientMeta = { name: 'openclaw', version: '0.4.0', protocol: '2026-01-01' }
const MINUTE = 60_000

let hash: Xxh64
beforeAll(async () => {
  hash = await loadXxh64()
})

function start(parts: Partial<RegistryParts> = {}) {
  const clock = { ms: START }
  const began: string[] = []
  const ended: Session[] = []
  const ends: number[] = []
  const registry = createRegistry({
    now: () => clock.ms,
    transport: 'stdio',
    idleExpiryMs: 30 * MINUTE,
    hash,
    salt: '',
    onBegin: ({ session }) => void began.push(session.id),
    onEnd: (attached) => {
      ended.push(attached.session)
      ends.push(attached.lastSeen)
    },
    ...parts,
  })
  return { clock, began, ended, ends, ...registry }
}

describe('a session with a handshake', () => {
  test('is listed with all that the contract names, in its order', () => {
    const { open, list } = start()
    open({}, { protocol: 'p', version: 'v', title: 't', name: 'n' })
    const [session] = list()
    expect(session).toEqual({
      id: 'LHmkNGKwDEE',
      client_meta: { name: 'n', title: 't', version: 'v', protocol: 'p' },
      transport: 'stdio',
      connected_at: 1_737_200_000,
      last_activity: 1_737_200_000,
      count_tool_calls: 0,
    })
    const keys = ['id', 'client_meta', 'transport', 'connected_at', 'last_activity', 'count_tool_calls']
    expect(Object.keys(session ?? {})).toEqual(keys)
    expect(Object.keys(session?.client_meta ?? {})).toEqual(['name', 'title', 'version', 'protocol'])
  })

  test('has no title rather than an empty one, and says where HTTP listens', () => {
    const { open, list } = start({ transport: 'http', listen: '127.0.0.1:7474' })
    expect(open({}, { ...OTHER, title: '' }, 'given-id')).toBe('given-id')
    expect(list()).toEqual([expect.objectContaining({ id: 'given-id', listen: '127.0.0.1:7474' })])
    expect(list()[0]?.client_meta).toEqual(OTHER)
    const stdio = start({ listen: '127.0.0.1:7474' })
    stdio.open({}, CLIENT)
    expect(stdio.list()[0]).not.toHaveProperty('listen')
  })

  test('counts calls of tools, and is active with everything but a ping', () => {
    const { open, seen, list, clock } = start()
    const connection = {}
    const id = open(connection, CLIENT)
    clock.ms += 1500
    expect(seen(connection, undefined, 'tools/call')).toBe(id)
    clock.ms += 1000
    seen(connection, undefined, 'resources/read')
    clock.ms += MINUTE
    seen(connection, undefined, 'ping')
    expect(list()).toMatchObject([{ last_activity: 1_737_200_002, count_tool_calls: 1 }])
  })

  test('belongs to its connection, even if a request names another client', () => {
    const { open, seen, list } = start()
    const connection = {}
    const id = open(connection, CLIENT)
    expect(seen(connection, OTHER, 'tools/list')).toBe(id)
    expect(list()).toMatchObject([{ client_meta: CLIENT }])
  })

  test('lasts as long as the connection, also idle', () => {
    const { open, close, list, clock, ended, ends } = start()
    const connection = {}
    open(connection, CLIENT)
    clock.ms += 1000 * MINUTE
    expect(list()).toHaveLength(1)
    close(connection)
    close(connection)
    expect(list()).toEqual([])
    expect(ended).toMatchObject([{ id: 'LHmkNGKwDEE', last_activity: 1_737_200_000 }])
    expect(ends).toEqual([1_737_260_000])
  })

  test('was seen until its connection closed, even if it was idle or the clock was set', () => {
    const { open, close, attached, clock, ends } = start()
    const connection = {}
    open(connection, CLIENT)
    clock.ms += MINUTE
    expect(attached()).toMatchObject([{ lastSeen: 1_737_200_060, session: { last_activity: 1_737_200_000 } }])
    clock.ms -= 5 * MINUTE
    close(connection)
    expect(ends).toEqual([1_737_200_060])
  })

  test('is another one after another handshake', () => {
    const { open, list, ended } = start()
    const connection = {}
    const first = open(connection, CLIENT)
    const second = open(connection, CLIENT)
    expect(second).not.toBe(first)
    expect(ended.map(({ id }) => id)).toEqual([first])
    expect(list().map(({ id }) => id)).toEqual([second])
  })

  test('does not become shorter when the clock is set back', () => {
    const { open, seen, list, clock } = start()
    const connection = {}
    open(connection, CLIENT)
    clock.ms -= 5 * MINUTE
    seen(connection, undefined, 'tools/call')
    expect(list()).toMatchObject([{ last_activity: 1_737_200_000 }])
  })
})

describe('clients that identify themselves in every request', () => {
  test('are one entry for each identity and connection', () => {
    const { seen, list } = start()
    const [a, b] = [{}, {}]
    const id = seen(a, CLIENT, 'tools/call')
    expect(seen(a, { ...CLIENT }, 'tools/call')).toBe(id)
    const others = [seen(a, { ...CLIENT, version: '1.3.0' }, 'tools/list'), seen(b, CLIENT, 'tools/call')]
    expect(new Set([id, ...others]).size).toBe(3)
    expect(list()).toHaveLength(3)
    expect(list().find((session) => session.id === id)).toMatchObject({ count_tool_calls: 2 })
  })

  test('end after a time without a request, and come back as new sessions', () => {
    const { seen, list, clock, ended } = start()
    const connection = {}
    const id = seen(connection, CLIENT, 'tools/call')
    clock.ms += 30 * MINUTE
    expect(list()).toHaveLength(1)
    clock.ms += 1
    expect(list()).toEqual([])
    expect(ended).toMatchObject([{ id, last_activity: 1_737_200_000, count_tool_calls: 1 }])
    expect(seen(connection, CLIENT, 'tools/call')).not.toBe(id)
  })

  test('stay alive with a ping, which is not activity', () => {
    const { seen, list, clock } = start()
    const connection = {}
    seen(connection, CLIENT, 'tools/list')
    clock.ms += 20 * MINUTE
    seen(connection, CLIENT, 'ping')
    clock.ms += 20 * MINUTE
    expect(list()).toMatchObject([{ last_activity: 1_737_200_000 }])
  })

  test('end with their connection', () => {
    const { seen, close, list, ended } = start()
    const connection = {}
    seen(connection, CLIENT, 'tools/list')
    seen(connection, OTHER, 'tools/list')
    close(connection)
    expect([list().length, ended.length]).toEqual([0, 2])
  })

  test('have no session before they give a name', () => {
    const { seen, list } = start()
    expect(seen({}, undefined, 'initialize')).toBeUndefined()
    expect(list()).toEqual([])
  })

  test('cannot fill the memory with names: one more takes the place of the one idle for longest', () => {
    const { seen, list, clock, ended } = start()
    const named = (index: number) => seen('127.0.0.1', { ...OTHER, name: `name-${index}` }, 'tools/call')
    const ids = Array.from({ length: 300 }, (_, index) => {
      clock.ms++
      return named(index)
    })
    const honest = seen('127.0.0.1', CLIENT, 'tools/call')
    expect(list()).toHaveLength(256)
    expect(list().map(({ id }) => id)).toContain(honest)
    expect(ended.map(({ id }) => id)).toEqual(ids.slice(0, 45))
    expect(named(299)).toBe(ids[299])
    clock.ms += 31 * MINUTE
    expect(named(999)).toBeDefined()
    expect(list()).toHaveLength(1)
    expect(ended).toHaveLength(301)
  })

  test('keep their place while they are answered: a client that finds none is not listed', () => {
    const { seen, hold, list, ended } = start()
    const named = (index: number) => ({ ...OTHER, name: `name-${index}` })
    const leaves = Array.from({ length: 256 }, (_, index) => {
      seen('127.0.0.1', named(index), 'tools/call')
      return hold('127.0.0.1', named(index))
    })
    expect([seen('127.0.0.1', CLIENT, 'tools/call'), ended.length]).toEqual([undefined, 0])
    leaves[7]?.()
    expect(seen('127.0.0.1', CLIENT, 'tools/call')).toBeDefined()
    expect(ended).toMatchObject([{ client_meta: named(7) }])
    expect(list()).toHaveLength(256)
  })

  test('cannot fill the memory with names over many connections', () => {
    const { seen, list, close, clock, began, ended } = start()
    const connections = Array.from({ length: 51 }, () => ({}))
    for (const connection of connections)
      for (let index = 0; index < 200; index++)
        seen(connection, { ...CLIENT, name: `name-${index}` }, 'tools/call')
    expect(list()).toHaveLength(10_000)
    expect(ended.map(({ id }) => id)).toEqual(began.slice(0, 200))
    close(connections[50] as object)
    expect(list()).toHaveLength(9800)
    clock.ms += 31 * MINUTE
    expect(list()).toEqual([])
    expect(ended).toHaveLength(began.length)
  }, 60_000)

  test('cannot fill the memory with a name', () => {
    const { seen, list } = start()
    seen({}, { ...CLIENT, name: 'x'.repeat(100_000) }, 'tools/list')
    expect(list()[0]?.client_meta.name).toHaveLength(200)
  })
})

describe('clients without a connection, known by their address', () => {
  test('are one session for each identity and address, across reconnects', () => {
    const { seen, list, began } = start()
    const id = seen('127.0.0.1', CLIENT, 'tools/call')
    expect(seen('127.0.0.1', { ...CLIENT }, 'tools/call')).toBe(id)
    const others = [seen('127.0.0.1', OTHER, 'tools/list'), seen('127.0.0.2', CLIENT, 'tools/call')]
    expect(list()).toHaveLength(3)
    expect(began).toEqual([id, ...others])
    expect(list().find((session) => session.id === id)).toMatchObject({ count_tool_calls: 2 })
  })

  test('lasted until their last request, and end when they have been idle', () => {
    const { seen, list, attached, clock, ends } = start()
    seen('127.0.0.1', CLIENT, 'tools/call')
    clock.ms += MINUTE
    seen('127.0.0.1', CLIENT, 'ping')
    clock.ms += 30 * MINUTE
    expect(attached()).toMatchObject([{ lastSeen: 1_737_200_060, session: { last_activity: 1_737_200_000 } }])
    clock.ms += 1
    expect(list()).toEqual([])
    expect(ends).toEqual([1_737_200_060])
  })

  test('stay attached while a request or a stream of theirs is open', () => {
    const { seen, hold, attached, clock, ends } = start()
    seen('127.0.0.1', CLIENT, 'subscriptions/listen')
    const leave = hold('127.0.0.1', CLIENT)
    clock.ms += 100 * MINUTE
    expect(attached()).toMatchObject([{ lastSeen: 1_737_206_000 }])
    leave()
    clock.ms += 30 * MINUTE + 1
    expect(attached()).toEqual([])
    expect(ends).toEqual([1_737_206_000])
    hold('127.0.0.1', CLIENT)()
    hold('127.0.0.1', undefined)()
  })
})

describe('ids', () => {
  test('differ between two servers that start in the same second', () => {
    const [a, b] = [start({ salt: '1-a' }), start({ salt: '2-b' })]
    const ids = [a.open({}, CLIENT), b.open({}, CLIENT)]
    expect(new Set(ids).size).toBe(2)
    for (const id of ids) expect(id).toMatch(/^[0-9A-Za-z]{11}$/)
  })

  test('differ within a server, also when a session follows another in the same second', () => {
    const { open, close, seen } = start()
    const ids = Array.from({ length: 50 }, () => {
      const connection = {}
      const id = open(connection, CLIENT)
      close(connection)
      return [id, seen(connection, OTHER, 'tools/list')]
    })
    expect(new Set(ids.flat()).size).toBe(100)
  })

  test('order sessions of the same second', () => {
    const { open, list, clock } = start()
    for (const id of ['c', 'a', 'b']) open({}, CLIENT, id)
    clock.ms -= MINUTE
    open({}, CLIENT, 'z')
    expect(list().map(({ id }) => id)).toEqual(['z', 'a', 'b', 'c'])
  })
})

test('a list does not change afterwards', () => {
  const { open, seen, list } = start()
  const connection = {}
  open(connection, CLIENT)
  const before = list()
  seen(connection, undefined, 'tools/call')
  expect(before).toMatchObject([{ count_tool_calls: 0 }])
})

describe('a connection', () => {
  test('with ever new names keeps the latest, and every active client', () => {
    const { seen, list, ended } = start()
    const connection = {}
    const named = (index: number) => ({ ...OTHER, name: `name ${index}` })
    for (let index = 0; index < 1000; index++) {
      seen(connection, named(0), 'tools/call')
      seen(connection, named(index), 'tools/list')
    }
    expect(list()).toHaveLength(256)
    expect(list().find(({ client_meta }) => client_meta.name === 'name 0')).toMatchObject({
      count_tool_calls: 1000,
    })
    expect(ended).toHaveLength(1000 - 256)
  })
})
