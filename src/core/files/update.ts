import { mutate } from '../operation.ts'
import { utf8Length } from '../tokens.ts'
import { findEntry } from './entry.ts'
import { fileNotFound, isFolderError } from './file-error.ts'
import { checkFileLength, type FileDeps } from './file-limit.ts'
import { type FileInput, putFile } from './put-file.ts'

export interface UpdateInput extends FileInput {
  oldContent: string
}

/**
 * Replaces every occurrence of a text by another, from the first on, and tells how many there were. Both are compared and
 * stored without their secrets. ENOENT, or EISDIR for a folder.
 */
export async function updateFile(deps: FileDeps, input: UpdateInput): Promise<number> {
  const { memory, path } = input
  const before = deps.redact(input.oldContent.toWellFormed())
  const after = deps.redact(input.content.toWellFormed())
  const { value } = await mutate(deps, { operation: 'file', message: `update:${path}` }, async (context) => {
    const entry = await findEntry(context.tx, memory, path)
    if (entry.kind === 'dir') throw isFolderError()
    if (entry.kind === 'none') throw fileNotFound()
    if (before === '') return 0
    const text = (await context.tx.documentText(entry.head.id)) ?? ''
    const count = countOf(text, before)
    const bytes = utf8Length(text)
    // Before it is made: every occurrence may become a text as long as a message.
    checkFileLength(bytes + count * (utf8Length(after) - utf8Length(before)), deps.limit, bytes)
    const next = deps.redact(text.split(before).join(after))
    if (next !== text) await putFile(deps, context, { ...input, content: next })
    return count
  })
  return value
}

/** How often a text occurs in another, each after the end of the one before. */
function countOf(text: string, part: string): number {
  let count = 0
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) count++
  return count
}
