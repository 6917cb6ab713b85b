import { MemoryError } from '../errors.ts'
import type { DocumentQuery } from '../port/documents.ts'
import type { ReadTx } from '../port/store.ts'
import { utf8Length } from '../tokens.ts'
import { totalOf } from '../write/documents.ts'
import { ROOM_SETTINGS, type Room } from './limits.ts'
import type { RecordAttributes, RecordType } from './model.ts'

/** Records of a type that count towards its limits: not archived ones. */
export function inUse(type: RecordType): DocumentQuery {
  return {
    kind: 'record',
    where: [
      { attribute: 'type', in: [type] },
      { attribute: 'archived', in: [false] },
    ],
  }
}

/** Input of the check that a changed record fits the limits. */
export interface RoomCheck {
  core: Room
  /** Undefined: it is new. */
  before?: Sized | undefined
  after: Sized
}

interface Sized {
  content: string
  attributes: RecordAttributes
}

/** How much core memories use, as far as it is limited. */
export interface UsedRoom {
  count: number
  bytes: number
}

export async function usedRoom(tx: Pick<ReadTx, 'totals'>, core: Room): Promise<UsedRoom> {
  const [{ count }, { bytes }] = await Promise.all([
    core.count === null ? NONE : totalOf(tx, inUse('core')),
    core.bytes === null ? NONE : totalOf(tx, inUse('core'), { bytes: true }),
  ])
  return { count, bytes }
}

const NONE: UsedRoom = { count: 0, bytes: 0 }

/**
 * Core memories are never archived automatically: if a limit is reached, the call fails. The other types have soft
 * limits, enforced by archival. `used` is called only if needed.
 */
export async function checkRoom(
  { core, before, after }: RoomCheck,
  used: () => Promise<UsedRoom>,
): Promise<void> {
  if (!takesRoom(after)) return
  const isMore = before === undefined || !takesRoom(before)
  const growth = utf8Length(after.content) - (before && !isMore ? utf8Length(before.content) : 0)
  if (!isMore && growth <= 0) return
  const { count, bytes } = await used()
  if (isMore && core.count !== null && count >= core.count)
    throw full(`there are already ${count} core memories`, ROOM_SETTINGS.core.count)
  if (growth > 0 && core.bytes !== null && bytes + growth > core.bytes)
    throw full(`core memories already have ${bytes} of at most ${core.bytes} bytes`, ROOM_SETTINGS.core.bytes)
}

function takesRoom({ attributes: { type, archived } }: Sized): boolean {
  return type === 'core' && !archived
}

function full(what: string, setting: string): MemoryError {
  const advice = 'archive some with delete_memory or update_memory (archived: true)'
  return new MemoryError('LIMIT_EXCEEDED', `${what}; ${advice}, or raise ${setting}`)
}
