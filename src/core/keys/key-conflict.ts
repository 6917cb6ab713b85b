import { pythonJson, pythonRepr } from '../../util/text/python-text.ts'
import { MemoryError } from '../errors.ts'
import { DEFAULT_ROOM } from '../find/budget.ts'
import type { DoorDocument } from '../port/doors.ts'
import { isBinary, keyOf, valueTypeOf, versionOf } from './key-document.ts'

/**
 * The key is at another version than the one that was to be replaced. A value that is too long for an answer is left out whole: stored back, a part of it would replace
 * all of it.
 */
export function keyConflict(found: DoorDocument, attempted: string): MemoryError {
  const key = keyOf(found)
  const value = isBinary(valueTypeOf(found)) ? null : found.text
  const facts = { conflict: true, key, attempted_version: attempted, current_version: versionOf(found) }
  const messageWith = (shown: Parameters<typeof pythonJson>[0]): string => {
    const updated = `memory ${pythonRepr(key)} was updated since version ${pythonRepr(attempted)}`
    return `Conflict: ${updated}. ${pythonJson({ ...facts, ...shown })}`
  }
  const message = messageWith({ current_value: value })
  if (message.length <= DEFAULT_ROOM) return new MemoryError('CONFLICT', message)
  const rest = { characters: value?.length ?? 0, more: 'recall with this key and offset=0' }
  return new MemoryError('CONFLICT', messageWith({ current_value: null, ...rest }))
}
