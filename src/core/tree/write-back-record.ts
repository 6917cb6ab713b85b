import { countCodePoints } from '../../util/text/code-points.ts'
import { type DoorAddress, prepareText } from '../doors/put-text.ts'
import { needs } from '../errors.ts'
import { contentTooLong, isLonger } from '../records/check.ts'
import type { RecordLimits } from '../records/limits.ts'
import { attributesOf } from '../records/model.ts'
import type { PrepareDoorPut } from './write-back.ts'

/** The content of a record after an edit of its nodes; it may be too long if it is less than it was. */
export function createWriteBackRecord(limits: () => RecordLimits): PrepareDoorPut {
  return async (deps, document, text) => {
    const { maxContent, room } = limits()
    const before = document.text ?? ''
    needs(
      !isLonger(text, Math.max(maxContent, countCodePoints(before) - 1)),
      `${contentTooLong(maxContent)}; the edit would make the record longer: give the node fewer words, or raise records.max_content`,
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
