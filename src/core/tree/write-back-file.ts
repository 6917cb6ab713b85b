import type { DoorAddress } from '../doors/put-text.ts'
import type { TextLimit } from '../doors/text-limit.ts'
import { checkFileLength } from '../files/file-limit.ts'
import { prepareFile } from '../files/put-file.ts'
import { utf8Length } from '../tokens.ts'
import type { PrepareDoorPut } from './write-back.ts'

/** The text of a file after an edit of its nodes; it may be too long if it is less than it was. */
export function createWriteBackFile(limit: () => TextLimit): PrepareDoorPut {
  return async (deps, { address, text: before }, text) => {
    checkFileLength(utf8Length(text), limit(), utf8Length(before ?? ''))
    const { kind: _, path, ...memory } = address as DoorAddress & { kind: 'file' }
    return { put: await deps.prepare(prepareFile, { memory, path, content: text }) }
  }
}
