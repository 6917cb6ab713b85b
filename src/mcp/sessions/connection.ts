import { isJSONRPCResultResponse, type JSONRPCMessage } from '@modelcontextprotocol/server'
import type { Caller } from '../model/caller.ts'
import type { ClientMeta } from '../model/observer.ts'
import { authorOf, envelopeClient, initializeClient, metaOf, methodOf } from './identity.ts'
import type { ConnectionKey, Registry } from './registry.ts'

/** The client did not identify itself. */
const UNKNOWN_CLIENT: ClientMeta = { name: '', version: '', protocol: '' }

export interface ConnectionOptions {
  /** The registry's key for the connection. If given, its creator reports the end of the connection to the registry. */
  key?: ConnectionKey
  /** Where its requests come from. Default: there is no network. */
  address?: string
  /** The id of a session with a handshake; otherwise the registry creates one. */
  sessionId?: string
}

/** Tracks which clients speak over one connection, and keeps the registry in step. */
export function createConnection(registry: Registry, options: ConnectionOptions = {}) {
  const { key = {}, sessionId, address = '' } = options
  /** A handshake that is not answered yet. */
  let greeting: { client: ClientMeta; requestId: unknown } | undefined
  /** The client that made the handshake, if there was one. */
  let greeted: ClientMeta | undefined

  return {
    received(message: JSONRPCMessage): void {
      const client = initializeClient(message)
      if (client && 'id' in message) greeting = { client, requestId: message.id }
      const method = methodOf(message)
      // A client that only discovers the server is not a session yet.
      if (method !== undefined && method !== 'server/discover')
        registry.seen(key, envelopeClient(metaOf(message)), method)
    },
    sent(message: JSONRPCMessage): void {
      if (!greeting || !isJSONRPCResultResponse(message) || message.id !== greeting.requestId) return
      // The server has the last word on which protocol is spoken.
      const { protocolVersion } = message.result as { protocolVersion?: unknown }
      greeted = { ...greeting.client, protocol: String(protocolVersion ?? greeting.client.protocol) }
      greeting = undefined
      registry.open(key, greeted, sessionId)
    },
    /** The client that sends requests with this envelope. */
    callerOf(envelope?: unknown): Caller {
      const client = greeted ?? envelopeClient(envelope)
      return {
        sessionId: registry.find(key, client) ?? '',
        author: authorOf(client ?? UNKNOWN_CLIENT),
        address,
      }
    },
    close(): void {
      registry.close(key)
    },
  }
}

export type Connection = ReturnType<typeof createConnection>
