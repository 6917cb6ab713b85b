import { prepareText } from '../doors/put-text.ts'
import { needs } from '../errors.ts'
import type { KeyAddress } from '../keys/key-document.ts'
import { type KeyLimits, sizeAttributes, valueTooLarge } from '../keys/key-model.ts'
import { utf8Length } from '../tokens.ts'
import type { PrepareDoorPut } from './write-back.ts'

/** The value of a key after an edit of its nodes; it may be too large if it is less than it was. */
export function createWriteBackKey(limits: () => KeyLimits): PrepareDoorPut {
  return async (deps, document, text) => {
    const bytes = utf8Length(text)
    const { maxValueBytes } = limits()
    needs(
      bytes <= Math.max(maxValueBytes, utf8Length(document.text ?? '') - 1),
      `${valueTooLarge(maxValueBytes, bytes)}; the edit would make it so: give the node fewer words, or raise keys.max_value_bytes`,
    )
    const { value_type: _, size_bytes: __, ...others } = document.attributes
    const address = document.address as KeyAddress
    const prepared = await deps.prepare(prepareText, { text, heading: address.key })
    return {
      put: { address, ...prepared, attributes: { ...others, ...sizeAttributes(prepared.text ?? '') } },
    }
  }
}
