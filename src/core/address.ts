import { MemoryError } from './errors.ts'
import type { Address, DocumentKind } from './model.ts'

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
