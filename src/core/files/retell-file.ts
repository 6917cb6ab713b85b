import type { DoorAddress } from '../doors/put-text.ts'
import type { TakeRetold } from '../doors/retell.ts'
import type { TextLimit } from '../doors/text-limit.ts'
import { utf8Length } from '../tokens.ts'
import { checkFileLength } from './file-limit.ts'
import { putFile } from './put-file.ts'

/** The text of a file after an edit of its nodes; it may be too long if it is less than it was. */
export function createRetellFile(limit: () => TextLimit): TakeRetold {
  return async (deps, context, { address, text: before }, text) => {
    checkFileLength(utf8Length(text), limit(), utf8Length(before ?? ''))
    const { kind: _, path, ...memory } = address as DoorAddress & { kind: 'file' }
    await putFile(deps, context, { memory, path, content: text })
  }
}
