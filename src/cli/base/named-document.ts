import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { MemoryError } from '../../core/errors.ts'
import type { Memory } from '../../runtime/memory/open-memory.ts'
import type { NamedDocument } from '../../runtime/places/named-documents.ts'

/** The one document that a person means by a name. `rule`: why it cannot be a folder. Throws NOT_FOUND or CONFLICT with how to name it. */
export async function getDocument(
  memory: Memory,
  name: string,
  cwd: string,
  { rule = 'only documents are erased', asOf }: { rule?: string; asOf?: string | undefined } = {},
): Promise<NamedDocument> {
  const found = await memory.findDocuments(name, { cwd, asOf })
  const [document] = found
  if (!document) throw await notFound(memory, { name, cwd, rule })
  if (found.length > 1) throw ambiguous(name, found)
  if (document.isFolder) throw isFolder(name, rule)
  return document
}

function ambiguous(name: string, found: readonly NamedDocument[]): MemoryError {
  const names = found.map((document) => document.name).join(', ')
  return new MemoryError(
    'CONFLICT',
    `"${name}" names ${found.length} documents: ${names}; choose one, or give the id of one of its nodes`,
  )
}

function isFolder(name: string, rule: string): MemoryError {
  return new MemoryError('INVALID_INPUT', `${name} is a folder, and ${rule}; name one of its files`)
}

interface Asked {
  name: string
  cwd: string
  rule: string
}

async function notFound(memory: Memory, { name, cwd, rule }: Asked): Promise<MemoryError> {
  // As the doors themselves call them.
  const meant = [`key:${name}`, `file:memory/${name.replace(/^\/+/, '')}`]
  for (const guess of meant) {
    const [document] = await memory.findDocuments(guess, { cwd })
    if (document && !document.isFolder)
      return new MemoryError('NOT_FOUND', `there is no document "${name}"; did you mean ${document.name}?`)
  }
  const path = resolve(cwd, name)
  if (existsSync(path) && statSync(path).isDirectory()) return isFolder(name, rule)
  const ways = 'name one by its path, as key:…, record:… or file:…, or by the id of one of its nodes'
  return new MemoryError('NOT_FOUND', `there is no document "${name}"; \`remindb tree\` shows them: ${ways}`)
}
