import { DAY_MS } from '../../util/text/duration.ts'
import { parseTime } from '../../util/text/times.ts'
import { MemoryError, shown } from '../errors.ts'
import type { MomentInput } from '../port/history.ts'
import type { ReadTx, SnapshotRow } from '../port/store.ts'
import { noSuchSnapshot } from './pruned-moment.ts'

export type Moment = { snapshot: number } | { checkpoint: string } | { until: number }

const FORMS =
  'a snapshot number, the name of a checkpoint, a date or time such as 2026-01-31 or 2026-01-31T10:30Z, "yesterday", or "2h ago"'

/** The number of a snapshot; a time without a zone is UTC, and a date is the end of that day; everything else is a name. */
export function parseMoment(given: MomentInput, now: number): Moment {
  const text = typeof given === 'number' ? String(given) : given
  if (typeof text !== 'string' || text.trim() === '')
    throw new MemoryError('INVALID_INPUT', `a moment is ${FORMS}, got ${shown(given) || 'nothing'}`)
  const until = timeOf(text.trim(), now)
  if (/^\d+$/.test(text.trim())) return { snapshot: Number(text) }
  return until === undefined ? { checkpoint: text.trim() } : { until }
}

/** Whether a text means a number or a time, so that it cannot be the name of a checkpoint. */
export function isNumberOrTime(text: string): boolean {
  return !('checkpoint' in parseMoment(text, 0))
}

/** Whether a moment is a day and not a time in it: it begins where the day does, and ends with it. */
export function isWholeDay(given: MomentInput): boolean {
  return /^(?:\d{4}-\d\d-\d\d|yesterday)$/i.test(String(given).trim())
}

const NOW = ['now', 'today', 'head']
const AGO = /^(\d+(?:\.\d+)?)\s*([a-zµμ]+)(?:\s+ago)?$/i
/** Longer names of the units that `parseTime` knows. */
const UNITS = /^(s|m|h|d|w)(?:ec(?:ond)?s?|in(?:ute)?s?|(?:ou)?rs?|ays?|eeks?)?$/i

function timeOf(text: string, now: number): number | undefined {
  const word = text.toLowerCase()
  // The newest snapshot, whatever clock made it.
  if (NOW.includes(word)) return Number.MAX_SAFE_INTEGER
  if (word === 'yesterday') return now - (now % DAY_MS) - 1
  if (/^\d{4}-\d\d-\d\d$/.test(text)) {
    const start = parseTime(text, now)
    return start === undefined ? undefined : start + DAY_MS - 1
  }
  const [, amount, name = ''] = AGO.exec(text) ?? []
  const [, unit] = UNITS.exec(name) ?? []
  return parseTime(amount && unit ? `${amount}${unit.toLowerCase()}` : text, now)
}

type MomentTx = Pick<ReadTx, 'state' | 'snapshots' | 'checkpoints'>

/** The newest snapshot at a moment. */
export async function momentAt(tx: MomentTx, moment: Moment): Promise<SnapshotRow> {
  if ('snapshot' in moment) return snapshotAt(tx, moment.snapshot)
  if ('checkpoint' in moment) return snapshotAt(tx, await checkpointAt(tx, moment.checkpoint))
  const [newest] = await tx.snapshots({ until: moment.until, limit: 1 })
  return newest ?? tooEarly(tx)
}

/** The existing snapshot with this number. */
export async function snapshotAt(
  tx: Pick<MomentTx, 'state' | 'snapshots'>,
  id: number,
): Promise<SnapshotRow> {
  const head = (await tx.state()).head?.id ?? 0
  if (id > head) throw new MemoryError('INVALID_INPUT', `snapshot ${id} is ahead of HEAD ${head}`)
  const found = await findSnapshot(tx, id)
  if (found) return found
  throw await noSuchSnapshot(tx, id)
}

export async function findSnapshot(
  tx: Pick<ReadTx, 'snapshots'>,
  id: number,
): Promise<SnapshotRow | undefined> {
  return (await tx.snapshots({ after: id - 1, before: id + 1, limit: 1 }))[0]
}

/** How many names an error lists. */
const LISTED = 10

async function checkpointAt(tx: MomentTx, name: string): Promise<number> {
  const all = await tx.checkpoints()
  const found = all.find((one) => one.name === name)
  if (found) return found.snapshotId
  const names = all.slice(-LISTED).map((one) => `"${one.name}"`)
  const known = names.length > 0 ? `; checkpoints: ${names.join(', ')}` : ''
  throw new MemoryError('NOT_FOUND', `no checkpoint is named "${name}"${known}. A moment is ${FORMS}`)
}

async function tooEarly(tx: MomentTx): Promise<never> {
  const { head } = await tx.state()
  const problem = head ? 'the history of this memory begins later' : 'this memory has no snapshots yet'
  throw new MemoryError('NOT_FOUND', problem, { hint: { find: 'snapshot' } })
}
