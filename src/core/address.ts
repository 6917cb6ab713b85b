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

/** Callers without types give anything. */
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
 * What a document is called in answers. A file on disk has its path, a note the name its tool always had, what is behind another
 * door `record:…`, `key:…` or `file:memory/path`, with `@thread` where a thread has its own.
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

/** An address within its kind: what it is in, and its name there. */
export function placeOf(address: Address): { collection: string; name: string } {
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

/** The address that `placeOf` gives the place of. */
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

/** As an outline has documents: files on disk by root and path, then the other doors by kind and name. */
export const byAddress = by((address: Address) => {
  const { collection, name } = placeOf(address)
  return [KINDS.indexOf(address.kind), collection, name]
})
