import { createNumberSet } from '../../util/number-set.ts'
import { plural } from '../../util/text/units.ts'
import type { ScannedDocument, ScannedDocumentVersion } from '../port/scan.ts'
import type { WriteTx } from '../port/store.ts'
import { tagRows } from '../rows/door-counts.ts'
import { type Finding, fail, pass, RESTORE, type RowChecks } from './check.ts'
import { type TaggedDocument, taggedDocuments } from './checked-rows.ts'
import { recountingDoors } from './door-counts.ts'
import { seeRows } from './see-rows.ts'
import { recountingUsers } from './user-counts.ts'

/** Checks what doors store about documents besides their texts. */
export function documentCheck(): RowChecks {
  const counts = recountingDoors()
  const users = recountingUsers()
  const beginnings = followingBeginnings()
  let [unreadable, wrong] = [0, 0]
  function finding(): Finding {
    if (unreadable > 0)
      return fail(`the attributes of ${plural(unreadable, 'document')} cannot be read; ${RESTORE}`)
    const lost = beginnings.lost()
    if (lost > 0) return fail(`${plural(lost, 'text has', 'texts have')} lost their beginning; ${RESTORE}`)
    const all = wrong + counts.countWrong() + users.countWrong()
    return all === 0
      ? pass('tags, accesses and counts agree with the documents')
      : fail(`${all} tags, accesses or counts do not agree with the documents`)
  }
  return {
    see: {
      doorCounts: counts.seeClass,
      tagCounts: counts.seeTag,
      userCounts: users.seeCount,
      taggedDocuments(row) {
        beginnings.document(row)
        if (row.attributes === undefined) unreadable++
        wrong += wrongTags(row) + Number(!hasSoundAccesses(row))
        counts.count(row)
        users.document(row)
      },
      documentVersions(row) {
        beginnings.version(row)
        if (row.attributes === undefined) unreadable++
      },
      nodeStates: users.node,
    },
    findings: { documents: finding },
  }
}

/** The expected tags of a document; none if it was removed. */
export function expectedTags({
  state,
  attributes = null,
}: Pick<ScannedDocument, 'state' | 'attributes'>): { tag: string; word: string }[] {
  return state === 'removed' ? [] : tagRows(attributes)
}

/** Missing and superfluous tags. */
export function wrongTags(row: Pick<TaggedDocument, 'state' | 'attributes' | 'tags'>): number {
  const expected = tagNames(expectedTags(row))
  const stored = tagNames(row.tags)
  return countMissing(expected, stored) + countMissing(stored, expected)
}

function tagNames(tags: TaggedDocument['tags']): Set<string> {
  return new Set(tags.map(({ tag, word }) => JSON.stringify([tag, word])))
}

function countMissing(from: ReadonlySet<string>, others: ReadonlySet<string>): number {
  return [...from].filter((name) => !others.has(name)).length
}

export function hasSoundAccesses({
  accesses,
  accessedAt,
  state,
}: Pick<ScannedDocument, 'accesses' | 'accessedAt' | 'state'>): boolean {
  if (typeof accesses !== 'number' || !Number.isSafeInteger(accesses) || accesses < 0) return false
  if (accessedAt !== null && !Number.isSafeInteger(accessedAt)) return false
  return accesses > 0 === (accessedAt !== null) && (accesses === 0 || state === 'live')
}

/**
 * Checks that each piece follows another piece or a whole text of the same document. Documents come first, then
 * versions in order.
 */
export function followingBeginnings() {
  const appended = createNumberSet()
  let lost = 0
  let current: { documentId: number; wasLive: boolean } | undefined
  return {
    document({ id, appended: isAppended }: Pick<ScannedDocument, 'id' | 'appended'>): void {
      if (isAppended) appended.add(id)
    },
    version({
      documentId,
      state,
      lead,
    }: Pick<ScannedDocumentVersion, 'documentId' | 'state' | 'lead'>): void {
      if (current?.documentId !== documentId) current = { documentId, wasLive: false }
      if (lead !== null && !current.wasLive) lost++
      if (state !== 'live') return
      current.wasLive = true
      if (lead === null) appended.delete(documentId)
    },
    /** Pieces without a predecessor, and appended documents without a whole text. */
    lost: (): number => lost + appended.size(),
  }
}

export async function healDocuments(tx: WriteTx): Promise<void> {
  if (!(await canAllBeRead(tx))) return
  const counts = recountingDoors()
  await seeRows(tx, { doorCounts: counts.seeClass, tagCounts: counts.seeTag })
  for await (const page of taggedDocuments(tx)) {
    page.forEach(counts.count)
    await healTags(tx, page)
    await healAccesses(tx, page)
  }
  await tx.commit(counts.corrections())
  await healUsers(tx)
}

async function healUsers(tx: WriteTx): Promise<void> {
  const users = recountingUsers()
  await seeRows(tx, { userCounts: users.seeCount, documents: users.document, nodeStates: users.node })
  const sizes = new Map(users.wrongSizes().map(({ id, textBytes }) => [id, textBytes]))
  const stored = sizes.size === 0 ? [] : await tx.documents({ ids: [...sizes.keys()] }, 'stored')
  const documents = stored.map((before) => {
    return { before, after: { ...before, textBytes: sizes.get(before.id) ?? 0 } }
  })
  await tx.commit({ documents, userCounts: users.corrections() })
}

async function canAllBeRead(tx: WriteTx): Promise<boolean> {
  let isReadable = true
  const see = ({ attributes }: Pick<ScannedDocument, 'attributes'>): void => {
    isReadable &&= attributes !== undefined
  }
  await seeRows(tx, { documents: see, documentVersions: see })
  return isReadable
}

async function healTags(tx: WriteTx, rows: readonly TaggedDocument[]): Promise<void> {
  const wrong = rows.filter((row) => wrongTags(row) > 0)
  await tx.commit({ tags: wrong.map((row) => ({ documentId: row.id, tags: expectedTags(row) })) })
}

async function healAccesses(tx: WriteTx, rows: readonly ScannedDocument[]): Promise<void> {
  const ids = rows.filter((row) => !hasSoundAccesses(row)).map(({ id }) => id)
  if (ids.length === 0) return
  const stored = await tx.documents({ ids }, 'stored')
  await tx.commit({
    documents: stored.map((before) => ({ before, after: { ...before, accesses: 0, accessedAt: null } })),
  })
}
