import { by } from '../util/text/order.ts'
import { MemoryError } from './errors.ts'
import { type Address, DOCUMENT_KINDS, type DocumentKind } from './model.ts'

const FIELDS: Record<DocumentKind, readonly string[]> = {
  source: ['root', 'path'],
  note: ['id'],
  record: ['id'],
  key: ['key'],
  file: ['node', 'scope', 'thread', 'path'],
}

/** Callers without types may pass any value. */
export function checkAddress(given: unknown): asserts given is Address {
  const address = Object(given) as Record<string, unknown>
  const kind = address.kind as DocumentKind
  const fields = Object.hasOwn(FIELDS, String(kind)) ? FIELDS[kind] : undefined
  if (fields?.every((name) => typeof address[name] === 'string')) return
  const shape = ['kind', ...(fields ?? FIELDS.source)].join(', ')
  throw new MemoryError(
    'INVALID_INPUT',
    `a document is named by { ${shape} }${fields ? '' : `, where kind is one of ${Object.keys(FIELDS).join(', ')}`}`,
  )
}

/**
 * The name of a document in answers: the path of a file on disk, the fixed name of a note, or `record:…`, `key:…` and
 * `file:memory/path` for the other doors, with `@thread` for files of one thread.
 */
export function shownName(address: Address): string {
  switch (address.kind) {
    case 'source':
      return address.path
    case 'note':
      return 'mcp:write'
    case 'record':
      return `record:${address.id}`
    case 'key':
      return `key:${address.key}`
    case 'file': {
      const thread = address.scope === 'perThread' ? `@${address.thread}` : ''
      return `file:${address.node}${thread}${address.path}`
    }
  }
}

/** An address within its kind: its collection, and its name in that collection. */
export function placeOf(address: Address): Place {
  switch (address.kind) {
    case 'source':
      return { collection: address.root, name: address.path }
    case 'note':
    case 'record':
      return { collection: '', name: address.id }
    case 'key':
      return { collection: '', name: address.key }
    case 'file':
      return { collection: JSON.stringify([address.node, address.scope, address.thread]), name: address.path }
  }
}

interface Place {
  collection: string
  name: string
}

/** Whether a place of the same kind is this one or below it; an empty name is the top of its collection. */
export function isAtOrBelow({ collection, name }: Place, top: Place): boolean {
  if (collection !== top.collection) return false
  return top.name === '' || name === top.name || name.startsWith(`${top.name}/`)
}

/** The inverse of `placeOf`. */
export function toAddress(kind: DocumentKind, collection: string, name: string): Address {
  switch (kind) {
    case 'source':
      return { kind, root: collection, path: name }
    case 'note':
    case 'record':
      return { kind, id: name }
    case 'key':
      return { kind, key: name }
    case 'file': {
      const [node, scope, thread] = JSON.parse(collection) as [string, 'global' | 'perThread', string]
      return { kind, node, scope, thread, path: name }
    }
  }
}

const KINDS = ['source', ...DOCUMENT_KINDS.filter((kind) => kind !== 'source').sort()]

/** The order of documents in an outline: files on disk by root and path, then the other doors by kind and name. */
export const byAddress = by((address: Address) => {
  const { collection, name } = placeOf(address)
  return [KINDS.indexOf(address.kind), collection, name]
})
