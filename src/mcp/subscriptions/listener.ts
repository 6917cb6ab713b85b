import type { Server } from '@modelcontextprotocol/server'
import type { Era } from '../model/request.ts'
import type { Listener } from './audience.ts'
import { coldNotice } from './cold-notice.ts'
import type { Held } from './held.ts'

/** Tells one client, in the words of its era, what it wants to hear of. */
export function createListener(
  current: () => { server: Server; era: Era } | undefined,
  subscribed: Pick<Held, 'has'>,
): Listener {
  /** Told, but not read: whoever reads it then sees what is newest, so that once is enough. */
  const telling = new Set<string>()
  return {
    updated(uri) {
      const client = current()
      // In the new era the SDK knows who listens to what.
      if (!client || telling.has(uri) || (client.era === 'legacy' && !subscribed.has(uri))) return
      telling.add(uri)
      const told = client.server.sendResourceUpdated({ uri })
      told.catch(ignoreClosed).finally(() => telling.delete(uri))
    },
    cold(nodes) {
      const client = current()
      if (client?.era !== 'legacy') return
      // The SDK remembers the level that a client asked for by the id of its session.
      const { server } = client
      server.sendLoggingMessage(coldNotice(nodes), server.transport?.sessionId).catch(ignoreClosed)
    },
  }
}

/** The client is gone: there is nobody to tell. */
function ignoreClosed(): void {}
