import { putAttributes } from '../doors/put-attributes.ts'
import type { DocumentPage, DocumentQuery } from '../port/documents.ts'
import type { DoorDocument } from '../port/doors.ts'
import type { ReadTx } from '../port/store.ts'
import { utf8Length } from '../tokens.ts'
import { documentAt, totalOf } from '../write/documents.ts'
import { mutate, type OperationDeps, snapshotOperation } from '../write/operation.ts'
import type { PutContext } from '../write/put.ts'
import type { RecordLimits, Room } from './limits.ts'
import { attributesOf } from './model.ts'
import { inUse } from './room.ts'
import { DAY_MS } from './times.ts'

export interface ArchivePolicy {
  /** Days without access after which a learning is archived; after its completion, for a task. */
  days: { learning: number; task: number }
}

/** How many were archived. */
export interface Archived {
  learnings: number
  tasks: number
}

/** The maximum number of records that one run archives; the next run continues. */
const MOST = 1000
const PAGE = 200

type Archivable = 'learning' | 'task'

interface Rule {
  /** Which records may be archived. */
  query: DocumentQuery
  /** The times that must be long past. */
  times: NonNullable<DocumentQuery['until']>['all']
  /** Which records are archived first. */
  sort: DocumentPage['sort']
}

/** There is none for core memories, nor for tasks that are not completed. */
const RULES: Record<Archivable, Rule> = {
  learning: { query: inUse('learning'), times: ['accessed', 'updated'], sort: [{ by: 'accessed' }] },
  task: { query: completed(), times: ['completed_at'], sort: [{ by: 'completed_at' }] },
}

function completed(): DocumentQuery {
  const { where = [], ...query } = inUse('task')
  return { ...query, where: [...where, { attribute: 'status', in: ['completed'] }] }
}

/**
 * Archives records that were not used for long, and records over the limits, oldest first, in one snapshot. For a
 * record that was archived before and restored, the time counts from its restoration.
 */
export async function archiveRecords(
  deps: OperationDeps,
  limits: RecordLimits,
  policy: ArchivePolicy,
): Promise<Archived> {
  const agoOf = (type: Archivable): number => deps.now() - policy.days[type] * DAY_MS
  // Found before locking: finding may take longer than archiving.
  const due = await deps.store.read(async (tx) => ({
    learning: await findDue(tx, 'learning', { at: agoOf('learning'), room: limits.room.learning }),
    task: await findDue(tx, 'task', { at: agoOf('task'), room: limits.room.task }),
  }))
  if (due.learning.length + due.task.length === 0) return { learnings: 0, tasks: 0 }
  const message = `archive: ${due.learning.length} learnings, ${due.task.length} tasks`
  const input = { learning: due.learning.map(toFound), task: due.task.map(toFound) }
  const { value } = await mutate(deps, archiveFound, { operation: 'record', message, input })
  return value
}

/** A record as it was found. */
type Found = Pick<DoorDocument, 'address' | 'revision' | 'accesses'>

function toFound({ address, revision, accesses }: DoorDocument): Found {
  return { address, revision, accesses }
}

export const archiveFound = snapshotOperation(
  'archive-records',
  async (context, { learning, task }: Record<Archivable, Found[]>) => ({
    learnings: await archive(context, learning),
    tasks: await archive(context, task),
  }),
)

async function archive(context: PutContext, found: readonly Found[]): Promise<number> {
  let count = 0
  for (const { revision, accesses, address } of found) {
    const document = await documentAt(context.tx, address, 'whole')
    // It may have been accessed, changed or removed since.
    if (!document || document.revision !== revision || document.accesses !== accesses) continue
    await putAttributes(context, document, { ...attributesOf(document), archived: true })
    count++
  }
  return count
}

async function findDue(
  tx: ReadTx,
  type: Archivable,
  { at, room }: { at: number; room: Room },
): Promise<DoorDocument[]> {
  const { query, times, sort } = RULES[type]
  const isStaying = (document: DoorDocument) => wasBroughtBack(tx, document, at)
  const due: DoorDocument[] = []
  for await (const document of listAll(tx, { ...query, until: { at, all: times } }, sort)) {
    if (due.length >= MOST) return due
    if (!(await isStaying(document))) due.push(document)
  }
  const excess = await findExcess(tx, type, room)
  const known = new Set(due.map(({ id }) => id))
  for (const document of due) excess.leave(document)
  for await (const document of excess.isAny() ? listAll(tx, query, sort) : []) {
    if (!excess.isAny() || due.length >= MOST) break
    if (known.has(document.id) || (await isStaying(document))) continue
    excess.leave(document)
    due.push(document)
  }
  return due
}

/** How much is over the limits. */
async function findExcess(tx: ReadTx, type: Archivable, { count, bytes }: Room) {
  const total = await totalOf(tx, inUse(type), { bytes: true })
  let tooMany = count === null ? 0 : total.count - count
  let tooLarge = bytes === null ? 0 : total.bytes - bytes
  return {
    isAny: (): boolean => tooMany > 0 || tooLarge > 0,
    leave({ text }: DoorDocument): void {
      tooMany--
      tooLarge -= utf8Length(text ?? '')
    },
  }
}

async function* listAll(
  tx: ReadTx,
  query: DocumentQuery,
  sort: DocumentPage['sort'],
): AsyncGenerator<DoorDocument> {
  for (let offset = 0; ; offset += PAGE) {
    const page = await tx.documents(query, 'whole', { sort, limit: PAGE, offset })
    yield* page
    if (page.length < PAGE) return
  }
}

/** Whether it was archived, and restored after `at`. */
async function wasBroughtBack(tx: ReadTx, document: DoorDocument, at: number): Promise<boolean> {
  if (document.updatedAt <= at) return false
  let after: number | undefined
  for (let before: number | undefined; ; ) {
    const versions = await tx.documentVersions(document.id, {
      limit: PAGE,
      ...(before !== undefined && { before }),
    })
    for (const { attributes, createdAt, state } of versions) {
      const isArchived = state === 'live' && attributes.archived === true
      if (isArchived) return after !== undefined && after > at
      if (createdAt <= at) return false
      after = createdAt
    }
    if (versions.length < PAGE) return false
    before = versions.at(-1)?.snapshotId
  }
}
