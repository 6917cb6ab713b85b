import type { Space } from '../../core/accounts/model.ts'
import { failureFields, reasonFields } from '../../mcp/model/errors.ts'
import type { Log } from '../../util/log.ts'
import { createSharedThreads } from '../memory/shared-threads.ts'
import { createMemoryServer, type MemoryChoice } from '../serve/memory-server.ts'
import { usableFiles } from '../spaces/find-space.ts'
import { createSpaceServer, type FindIdentity, type SpaceRequest, type SpaceServer } from './space-server.ts'

export interface SpaceServersParts {
  dir: string
  /** As the command line says them, for every space. */
  settings: MemoryChoice['settings']
  /** A space that nobody has used for this long is closed. */
  idleMs: number
  /** How many are open at most, unless all of them are being used. */
  maxOpen: number
  now: () => number
  log: Log
  /** Clients say who they are. */
  isAudited: boolean
}

type NamedSpace = Pick<Space, 'id' | 'name'>

interface Entry {
  server: Promise<SpaceServer>
  /** Requests that are on their way to it. */
  users: number
  usedAt: number
}

const SWEEP_MS = 1000

/** The spaces that are open, the one that was used last at the end. */
export function createSpaceServers(parts: SpaceServersParts) {
  const { dir, settings, idleMs, maxOpen, now, log, isAudited } = parts
  const threads = createSharedThreads()
  const entries = new Map<string, Entry>()
  /** Until they are closed, nobody opens them again. */
  const closing = new Map<string, Promise<void>>()
  const sweeper = setInterval(() => void sweep(), Math.min(SWEEP_MS, idleMs))
  sweeper.unref()

  async function open(space: NamedSpace): Promise<SpaceServer> {
    await closing.get(space.id)
    const { db } = usableFiles(dir, { ...space, archivedAt: null })
    return createSpaceServer(
      await createMemoryServer({ db, source: undefined, settings, isSpace: true, isAudited, threads }),
      now,
    )
  }

  function enter(space: NamedSpace): Entry {
    const { id } = space
    const entry = entries.get(id) ?? { server: open(space), users: 0, usedAt: 0 }
    entry.users++
    entry.usedAt = now()
    entries.delete(id)
    entries.set(id, entry)
    return entry
  }

  function close(id: string): Promise<void> {
    const entry = entries.get(id)
    if (!entry) return Promise.resolve()
    entries.delete(id)
    const closed = entry.server
      .then((server) => server.close())
      .catch((error) => log.warn('serve: space cannot be closed', { space: id, ...failureFields(error) }))
      .finally(() => {
        if (closing.get(id) === closed) closing.delete(id)
      })
    closing.set(id, closed)
    return closed
  }

  /** Closes what nobody uses: after a while, and sooner where too many are open. */
  async function sweep(): Promise<void> {
    const since = now() - idleMs
    for (const [id, entry] of [...entries]) {
      if (entry.users > 0) continue
      const server = await entry.server.catch(() => undefined)
      await server?.disconnectIdle(since)
      if (entries.get(id) !== entry || entry.users > 0 || server?.isUsed()) continue
      const isIdle = entry.usedAt < since && !server?.hasClients()
      if (isIdle || entries.size > maxOpen) void close(id)
    }
  }

  return {
    /** Answers a request to a space, which is opened for it where it is not. */
    async fetch(space: NamedSpace, asked: SpaceRequest): Promise<Response> {
      const { id } = space
      const entry = enter(space)
      try {
        const server = await entry.server
        return await server.fetch(asked)
      } catch (error) {
        // The next request tries again.
        if (entries.get(id) === entry && (await entry.server.catch(() => undefined)) === undefined)
          entries.delete(id)
        log.error('serve: request to a space failed', { space: id, ...reasonFields(error) })
        throw error
      } finally {
        entry.users--
        if (entries.size > maxOpen) void sweep()
      }
    },
    /** Accounts changed: what no longer holds ends now. */
    async recheck(isServed: (id: string) => Promise<boolean>, find: FindIdentity): Promise<void> {
      await Promise.all(
        [...entries].map(async ([id, { server }]) => {
          if (!(await isServed(id))) return close(id)
          await (await server.catch(() => undefined))?.recheck(find)
        }),
      )
    },
    /** See `SpaceServer`. `time`: in Unix milliseconds. */
    async recheckExpired(time: number, find: FindIdentity): Promise<void> {
      const opened = [...entries.values()].map(({ server }) => server.catch(() => undefined))
      await Promise.all(opened.map(async (server) => (await server)?.recheckExpired(time, find)))
    },
    async flush(): Promise<void> {
      await Promise.all([...entries.values()].map(async ({ server }) => (await server).flush()))
    },
    async close(): Promise<void> {
      clearInterval(sweeper)
      await Promise.all([...entries.keys()].map(close))
      await Promise.all(closing.values())
      await threads.close()
    },
    size: () => entries.size,
  }
}

export type SpaceServers = ReturnType<typeof createSpaceServers>
