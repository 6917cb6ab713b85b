import { countCodePoints } from '../../util/code-points.ts'
import { type DoorAddress, putText } from '../doors/put-text.ts'
import type { TakeRetold } from '../doors/retell.ts'
import { needs } from '../errors.ts'
import { contentTooLong, isLonger } from './check.ts'
import type { RecordLimits } from './limits.ts'
import { attributesOf } from './model.ts'
import { checkRoom } from './room.ts'

/** The content of a record after an edit of its nodes; it may be too long if it is less than it was. */
export function createRetellRecord(limits: () => RecordLimits): TakeRetold {
  return async (deps, context, document, text) => {
    const { maxContent } = limits()
    const before = document.text ?? ''
    needs(
      !isLonger(text, Math.max(maxContent, countCodePoints(before) - 1)),
      `${contentTooLong(maxContent)}; the edit would make the record longer: give the node fewer words, or raise records.max_content`,
    )
    const attributes = attributesOf(document)
    const sized = (content: string) => ({ content, attributes })
    await checkRoom(context.tx, limits(), sized(before), sized(deps.redact(text)))
    await putText(deps, context, { address: document.address as DoorAddress, text, attributes })
  }
}
