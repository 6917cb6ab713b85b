import { countCodePoints } from '../../util/text/code-points.ts'
import { type DoorAddress, prepareText } from '../doors/put-text.ts'
import type { TextLimit } from '../doors/text-limit.ts'
import { needs } from '../errors.ts'
import { prepareFile } from '../files/document.ts'
import { checkFileLength } from '../files/limits.ts'
import type { KeyAddress } from '../keys/document.ts'
import { type KeyLimits, sizeAttributes, valueTooLarge } from '../keys/model.ts'
import { contentTooLong, isLonger } from '../records/check.ts'
import type { RecordLimits } from '../records/limits.ts'
import { attributesOf } from '../records/model.ts'
import { utf8Length } from '../tokens.ts'
import type { PrepareDoorPut } from './write-back.ts'

/** The content of a record after an edit of its nodes. It may exceed the limit if it gets shorter. */
export function createWriteBackRecord(limits: () => RecordLimits): PrepareDoorPut {
  return async (deps, document, text) => {
    const { maxContent, room } = limits()
    const before = document.text ?? ''
    needs(
      !isLonger(text, Math.max(maxContent, countCodePoints(before) - 1)),
      `${contentTooLong(maxContent)}; the edited record would be too long: shorten the node's text, or raise records.max_content`,
    )
    const attributes = attributesOf(document)
    const prepared = await deps.prepare(prepareText, { text })
    const sized = (content: string) => ({ content, attributes })
    return {
      put: { address: document.address as DoorAddress, ...prepared, attributes },
      room: { core: room.core, before: sized(before), after: sized(prepared.text ?? '') },
    }
  }
}

/** The value of a key after an edit of its nodes. It may exceed the limit if it gets smaller. */
export function createWriteBackKey(limits: () => KeyLimits): PrepareDoorPut {
  return async (deps, document, text) => {
    const bytes = utf8Length(text)
    const { maxValueBytes } = limits()
    needs(
      bytes <= Math.max(maxValueBytes, utf8Length(document.text ?? '') - 1),
      `${valueTooLarge(maxValueBytes, bytes)}; the edited value would be too large: shorten the node's text, or raise keys.max_value_bytes`,
    )
    const { value_type: _, size_bytes: __, ...others } = document.attributes
    const address = document.address as KeyAddress
    const prepared = await deps.prepare(prepareText, { text, heading: address.key })
    return {
      put: { address, ...prepared, attributes: { ...others, ...sizeAttributes(prepared.text ?? '') } },
    }
  }
}

/** The text of a file after an edit of its nodes. It may exceed the limit if it gets shorter. */
export function createWriteBackFile(limit: () => TextLimit): PrepareDoorPut {
  return async (deps, { address, text: before }, text) => {
    checkFileLength(utf8Length(text), limit(), utf8Length(before ?? ''))
    const { kind: _, path, ...memory } = address as DoorAddress & { kind: 'file' }
    return { put: await deps.prepare(prepareFile, { memory, path, content: text }) }
  }
}
