import { contentDigest } from '../../util/text/hash.ts'
import { appendText, type PreparedPiece, preparePiece } from '../doors/append-text.ts'
import { putText, type TextPut } from '../doors/put-text.ts'
import type { TextLimit } from '../doors/text-limit.ts'
import type { DoorHead } from '../port/doors.ts'
import { utf8Length } from '../tokens.ts'
import { documentAt, totalOf } from '../write/documents.ts'
import { mutate, snapshotOperation } from '../write/operation.ts'
import type { PutContext } from '../write/put.ts'
import { attributesOf, type FileAttributes, type FileInput, FOLDER, findEntry } from './document.ts'
import { FileError, isFolderError } from './errors.ts'
import { asFileErrors, checkFileLength, type FileDeps } from './limits.ts'
import { type FileMemory, fileAddress } from './model.ts'
import { foldersAbove } from './path.ts'

/**
 * Appends a text to a file, on a new line; creates the file and its folders if necessary. The cost depends on the text,
 * not on the file. EISDIR for a folder; EINVAL below a file, and for a text that is too long or has too many blocks.
 */
export async function appendFile(deps: FileDeps, input: FileInput): Promise<void> {
  const { memory, path } = input
  const content = input.content.toWellFormed()
  const bytes = utf8Length(content)
  checkFileLength(bytes, deps.limit)
  await asFileErrors(async () => {
    const piece = await deps.prepare(preparePiece, content)
    const startsLine = content.startsWith('\n')
    await mutate(deps, append, {
      ...{ operation: 'file', message: `append:${path}` },
      input: { memory, path, bytes, startsLine, piece, limit: deps.limit },
    })
  })
}

interface AppendFileInput {
  memory: FileMemory
  path: string
  /** Of the content as given. */
  bytes: number
  startsLine: boolean
  piece: PreparedPiece
  limit: TextLimit
}

export const append = snapshotOperation('append-file', async (context, input: AppendFileInput) => {
  const { tx } = context
  const { memory, path, bytes, limit } = input
  const entry = await findEntry(tx, memory, path)
  if (entry.kind === 'dir') throw isFolderError()
  if (entry.kind === 'file') {
    const stored = await totalOf(tx, { ids: [entry.head.id] }, { bytes: true })
    checkFileLength(stored.bytes + bytes, limit)
    return appendTo(context, entry.head, input)
  }
  await makeFoldersAbove(context, input)
  await putText(context, newFile(input))
})

function newFile({ memory, path, piece }: AppendFileInput): TextPut {
  const text = wholeOf(piece)
  const attributes = { ...attributesOf(text), open_levels: piece.open }
  return {
    address: fileAddress(memory, path),
    text,
    digest: contentDigest(text),
    flat: piece.flat,
    attributes,
  }
}

function wholeOf({ lead, text, trail }: PreparedPiece): string {
  return lead + text + trail
}

async function appendTo(
  context: PutContext,
  document: DoorHead,
  { piece, startsLine }: AppendFileInput,
): Promise<void> {
  const { ends, is_empty: isEmpty } = document.attributes as FileAttributes
  const separator = isEmpty || ends === 'line' || startsLine ? '' : '\n'
  const whole = wholeOf(piece)
  if (separator === '' && whole === '') return
  await appendText(context, { document, separator, piece, attributes: attributesOf(separator + whole) })
}

async function makeFoldersAbove(context: PutContext, { memory, path }: AppendFileInput): Promise<void> {
  for (const folder of foldersAbove(path)) {
    const address = fileAddress(memory, folder)
    const head = await documentAt(context.tx, address, 'head')
    const isLive = head?.state === 'live'
    if (isLive && head.attributes.folder !== true)
      throw new FileError('EINVAL', `invalid path: ${folder} is a file, not a folder`)
    if (!isLive)
      await putText(context, {
        address,
        text: null,
        digest: contentDigest(''),
        flat: [],
        attributes: { ...FOLDER },
      })
  }
}
