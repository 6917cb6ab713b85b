import type { DoorDeps } from '../doors/put-text.ts'
import { mutate } from '../operation.ts'
import { findEntry } from './entry.ts'
import { fileNotFound, isFolderError } from './file-error.ts'
import { type FileInput, putFile } from './put-file.ts'

export interface UpdateInput extends FileInput {
  oldContent: string
}

/**
 * Replaces every occurrence of a text by another, from the first on, and tells how many there were. Both are compared and
 * stored without their secrets. ENOENT, or EISDIR for a folder.
 */
export async function updateFile(deps: DoorDeps, input: UpdateInput): Promise<number> {
  const { memory, path } = input
  const before = deps.redact(input.oldContent.toWellFormed())
  const after = deps.redact(input.content.toWellFormed())
  const { value } = await mutate(deps, { operation: 'file', message: `update:${path}` }, async (context) => {
    const entry = await findEntry(context.tx, memory, path)
    if (entry.kind === 'dir') throw isFolderError()
    if (entry.kind === 'none') throw fileNotFound()
    if (before === '') return 0
    const text = (await context.tx.documentText(entry.head.id)) ?? ''
    const parts = text.split(before)
    const next = deps.redact(parts.join(after))
    if (next !== text) await putFile(deps, context, { ...input, content: next })
    return parts.length - 1
  })
  return value
}
