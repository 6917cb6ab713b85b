import { appendText } from '../doors/append-text.ts'
import { putText } from '../doors/put-text.ts'
import { mutate } from '../operation.ts'
import type { DoorHead } from '../port/doors.ts'
import type { PutContext } from '../put.ts'
import { utf8Length } from '../tokens.ts'
import { FOLDER, findEntry } from './entry.ts'
import { FileError, isFolderError } from './file-error.ts'
import { checkFileLength, type FileDeps, inWordsOfFiles } from './file-limit.ts'
import { fileAddress } from './file-memory.ts'
import { foldersAbove } from './path.ts'
import { attributesOf, type FileAttributes, type FileInput, putFile } from './put-file.ts'

/**
 * Puts a text behind a file, on a line of its own; makes the file, and the folders above it, where there is none. Costs the
 * text, however long the file is. EISDIR for a folder; EINVAL below a file, and for a text that is too long or has too many blocks.
 */
export async function appendFile(deps: FileDeps, input: FileInput): Promise<void> {
  const content = input.content.toWellFormed()
  const bytes = utf8Length(content)
  checkFileLength(bytes, deps.limit)
  await inWordsOfFiles(() => append(deps, { ...input, content }, bytes))
}

async function append(deps: FileDeps, input: FileInput, bytes: number): Promise<void> {
  const { memory, path, content } = input
  await mutate(deps, { operation: 'file', message: `append:${path}` }, async (context) => {
    const entry = await findEntry(context.tx, memory, path)
    if (entry.kind === 'dir') throw isFolderError()
    if (entry.kind === 'file') {
      checkFileLength((await context.tx.textBytes([entry.head.id])) + bytes, deps.limit)
      return appendTo(deps, context, entry.head, content)
    }
    await makeFoldersAbove(deps, context, input)
    // What is too much for one call is refused here too.
    await putFile({ ...deps, parseWhole: deps.parse }, context, input)
  })
}

async function appendTo(
  deps: FileDeps,
  context: PutContext,
  document: DoorHead,
  content: string,
): Promise<void> {
  const { ends, is_empty: isEmpty } = document.attributes as FileAttributes
  const separator = isEmpty || ends === 'line' || content.startsWith('\n') ? '' : '\n'
  if (separator === '' && content === '') return
  const attributes = attributesOf(separator + deps.redact(content))
  await appendText(deps, context, { document, separator, text: content, attributes })
}

async function makeFoldersAbove(
  deps: FileDeps,
  context: PutContext,
  { memory, path }: FileInput,
): Promise<void> {
  for (const folder of foldersAbove(path)) {
    const address = fileAddress(memory, folder)
    const head = await context.tx.findDoorHead(address)
    const isLive = head?.state === 'live'
    if (isLive && head.attributes.folder !== true)
      throw new FileError('EINVAL', `invalid path: ${folder} is a file; only a folder has files in it`)
    if (!isLive) await putText(deps, context, { address, text: null, attributes: { ...FOLDER } })
  }
}
