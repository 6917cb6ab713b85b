import { dirname } from 'node:path'
import { limitsFor, type QuotaDefaults } from '../../core/access/limits.ts'
import { coversScope } from '../../core/access/scopes.ts'
import { maskPaths } from '../../core/observe/mask.ts'
import type { CustomView } from '../../core/records/custom-view.ts'
import type { Access } from '../../mcp/model/access.ts'
import type { Caller } from '../../mcp/model/caller.ts'
import type { Served, ServedMemory } from '../../mcp/model/served.ts'
import { redactSession } from '../../mcp/sessions/redact-session.ts'
import type { Registry } from '../../mcp/sessions/registry.ts'
import type { Lazy } from '../../util/lazy.ts'
import type { Logging } from '../logs/logging.ts'
import { VERSION } from '../timing/version.ts'
import type { AgentClient } from './agent-memory.ts'
import type { FindPrincipal } from './clients.ts'
import type { OpenedMemory } from './served-memory.ts'

export interface ServedParts extends Pick<Served, 'tools' | 'schemes' | 'answers' | 'redact' | 'isEnding'> {
  path: string
  memory: Lazy<OpenedMemory>
  registry: Registry
  logging: Logging
  views: readonly CustomView[]
  /** The most that any client may do. */
  access: Access
  /** As the settings are now. */
  quotas: () => QuotaDefaults
}

/** What a client is offered: everything where there are no accounts, else what its principal may do, in its name. */
export function createServedTo(parts: ServedParts): (principal: FindPrincipal) => Served {
  const { path, registry, logging, views, tools, schemes, access, answers, redact, isEnding } = parts
  const shared = {
    ...{ version: VERSION, schemes, answers, redact, isEnding },
    observer: {
      logs: logging.ring,
      async sessions() {
        const redacted = await redact()
        return { db_path: path, sessions: registry.list().map((one) => redactSession(redacted, one)) }
      },
      customViews: () => views,
    },
    log: logging.log,
    clock: () => performance.now(),
  }
  return (principal) => ({
    ...shared,
    // What is the operator's is not there for others.
    tools: principal ? tools.filter(({ scope }) => scope !== 'operator') : tools,
    allowed: () => ({ access, scopes: principal?.().scopes }),
    memory: memoryFor(principal, parts),
    hidePaths(text) {
      const { mask } = ownedBy(principal)
      return mask === undefined ? text : maskPaths(text, [dirname(path)], mask)
    },
  })
}

function memoryFor(
  principal: FindPrincipal,
  { memory, quotas }: Pick<ServedParts, 'memory' | 'quotas'>,
): ServedMemory {
  const opened = async (): Promise<OpenedMemory> => {
    const served = await memory.get()
    served.checkIsThere()
    return served
  }
  return {
    async as(caller, signal) {
      return (await opened()).as(clientOf(principal, caller, quotas), signal)
    },
    record({ address }, events) {
      if (!principal || events.length === 0) return
      const { id: principalId, userId } = principal()
      const by = { userId, principalId, address }
      const facts = events.map((event) => ({ ...by, ...event, at: Date.now() }))
      // It is open: the call was answered.
      void memory.peek().then((served) => served?.record(facts))
    },
    async observer(signal) {
      const { observer } = await opened()
      return { ...observer, ...observer.for({ signal, ...ownedBy(principal) }) }
    },
    compiling: async () => (await memory.peek())?.compiling(),
  }
}

/** Never what a client says of itself, where it is known who it is. */
function clientOf(
  principal: FindPrincipal,
  { author, address }: Caller,
  quotas: ServedParts['quotas'],
): AgentClient {
  if (!principal) return { author }
  const { id: principalId, userId, ...who } = principal()
  const limits = limitsFor(who, quotas())
  const { owner = author, mask } = ownedBy(principal)
  return { author: owner, owner, mask, caller: { userId, principalId, address, limits } }
}

/** Whose keys and threads a client has, and what it sees instead of paths of this machine. */
function ownedBy(principal: FindPrincipal): { owner?: string; mask?: string } {
  if (!principal) return {}
  const { author, scopes, space } = principal()
  return coversScope(scopes, 'memories:admin') ? { owner: author } : { owner: author, mask: `space:${space}` }
}
