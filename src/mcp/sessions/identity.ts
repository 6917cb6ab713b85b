import {
  CLIENT_INFO_META_KEY,
  type JSONRPCMessage,
  PROTOCOL_VERSION_META_KEY,
} from '@modelcontextprotocol/server'
import { printable } from '../../util/text/printable.ts'
import type { ClientMeta } from '../model/observer.ts'
import { MAX_TEXT } from './registry.ts'

/** The sender of a message of the new era: every request carries it. */
export function envelopeClient(meta: unknown): ClientMeta | undefined {
  const envelope = recordOf(meta)
  if (!(PROTOCOL_VERSION_META_KEY in envelope)) return undefined
  return toClient(envelope[CLIENT_INFO_META_KEY], envelope[PROTOCOL_VERSION_META_KEY])
}

/** The client that opens a session of the old era. */
export function initializeClient(message: JSONRPCMessage): ClientMeta | undefined {
  if (!('method' in message) || !('id' in message) || message.method !== 'initialize') return undefined
  const { clientInfo, protocolVersion } = recordOf(message.params)
  return toClient(clientInfo, protocolVersion)
}

/** The method of a message; undefined for an answer. */
export function methodOf(message: JSONRPCMessage): string | undefined {
  return 'method' in message ? message.method : undefined
}

export function metaOf(message: JSONRPCMessage): unknown {
  return 'params' in message ? recordOf(message.params)._meta : undefined
}

/** The signature on a client's writes. */
export function authorOf({ name, version }: Pick<ClientMeta, 'name' | 'version'>): string {
  if (name === '') return 'mcp'
  return version === '' ? name : `${name}/${version}`
}

function toClient(info: unknown, protocol: unknown): ClientMeta {
  const { name, title, version } = recordOf(info)
  const said = nameOf(title)
  return {
    name: nameOf(name),
    ...(said === '' ? {} : { title: said }),
    version: nameOf(version),
    protocol: nameOf(protocol),
  }
}

/** Client names are arbitrary: one short line is kept, in whole words. Half a secret could not be recognised as one. */
function nameOf(value: unknown): string {
  const text = typeof value === 'string' ? printable(value) : ''
  return text.length <= MAX_TEXT
    ? text
    : text
        .slice(0, MAX_TEXT + 1)
        .replace(/\S*$/, '')
        .trimEnd()
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
