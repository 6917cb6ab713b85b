import { putText, type TextPut } from '../doors/put-text.ts'
import type { DoorHead } from '../port/doors.ts'
import type { ReadTx } from '../port/store.ts'
import { prepareRedacted } from '../prepare.ts'
import { utf8Length } from '../tokens.ts'
import { documentAt } from '../write/documents.ts'
import { mutate, prepared, snapshotOperation, stale } from '../write/operation.ts'
import { factsFor } from '../write/put.ts'
import { type FileInput, findEntry, prepareFile } from './document.ts'
import { fileNotFound, isFolderError } from './errors.ts'
import { asFileErrors, checkFileLength, type FileDeps } from './limits.ts'
import { type FileMemory, fileAddress } from './model.ts'

export interface UpdateInput extends FileInput {
  oldContent: string
}

/**
 * Replaces every occurrence of a text with another and returns how many there were. Both are compared and stored
 * without secrets. ENOENT, or EISDIR for a folder.
 */
export async function updateFile(deps: FileDeps, input: UpdateInput): Promise<number> {
  const { memory, path } = input
  const before = await deps.prepare(prepareRedacted, input.oldContent.toWellFormed())
  const after = await deps.prepare(prepareRedacted, input.content.toWellFormed())
  return asFileErrors(() =>
    prepared(deps, async () => {
      const { revision, text } = await readWhole(deps, memory, path)
      if (before === '') return 0
      const count = countOf(text, before)
      const bytes = utf8Length(text)
      // Before replacing: every occurrence may grow to the length of a message.
      checkFileLength(bytes + count * (utf8Length(after) - utf8Length(before)), deps.limit, bytes)
      const next = await deps.prepare(prepareRedacted, text.split(before).join(after))
      if (next === text) return count
      const put = await deps.prepare(prepareFile, { memory, path, content: next })
      await mutate(deps, replaceFile, {
        ...{ operation: 'file', message: `update:${path}` },
        input: { memory, path, revision, put },
      })
      return count
    }),
  )
}

function readWhole(
  { store }: FileDeps,
  memory: FileMemory,
  path: string,
): Promise<{ revision: number; text: string }> {
  return store.read(async (tx) => {
    const [{ revision }, document] = await Promise.all([
      getFile(tx, memory, path),
      documentAt(tx, fileAddress(memory, path), 'text'),
    ])
    return { revision, text: document?.text ?? '' }
  })
}

async function getFile(tx: ReadTx, memory: FileMemory, path: string): Promise<DoorHead> {
  const entry = await findEntry(tx, memory, path)
  if (entry.kind === 'dir') throw isFolderError()
  if (entry.kind === 'none') throw fileNotFound()
  return entry.head
}

interface ReplaceFileInput {
  memory: FileMemory
  path: string
  /** The revision of the file that `put` was computed from. */
  revision: number
  put: TextPut
}

export const replaceFile = snapshotOperation(
  'replace-file',
  async (context, { memory, path, revision, put }: ReplaceFileInput) => {
    const [head, facts] = await Promise.all([getFile(context.tx, memory, path), factsFor(context, [put])])
    if (head.revision !== revision) throw stale()
    await putText(context, put, facts)
  },
)

/** How often a text occurs in another, without overlaps. */
function countOf(text: string, part: string): number {
  let count = 0
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) count++
  return count
}
