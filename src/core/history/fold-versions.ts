import { contentDigest } from '../../util/text/hash.ts'
import type { ScannedDocumentVersion, ScannedVersion } from '../port/scan.ts'
import type { DocumentVersionWrite, HistoryFold } from '../port/write-set.ts'

/** Versions that disappear, and versions that become versions of a later snapshot. */
export interface FoldedVersions {
  moved: HistoryFold['versions'][number][]
  removed: Version[]
  /** Keys of nodes that are removed in the end. */
  ended: number[]
}
type Version = Pick<ScannedVersion, 'nodeKey' | 'snapshotId' | 'op' | 'textKey'>

/**
 * Versions of nodes that become versions of the snapshot `into`, at most one of each node. Given are those of a run of
 * snapshots that go and those that `into` already has.
 */
export function foldVersions(versions: readonly Version[], into: number): FoldedVersions {
  const folded: FoldedVersions = { moved: [], removed: [], ended: [] }
  for (const ofNode of Map.groupBy(versions, ({ nodeKey }) => nodeKey).values()) {
    const inTime = ofNode.toSorted(bySnapshot)
    const [first, newest] = [inTime[0], inTime.pop()] as [Version, Version]
    const wasThere = first.op !== 'add'
    const isThere = newest.op !== 'rem'
    folded.removed.push(...inTime)
    if (!isThere) folded.ended.push(newest.nodeKey)
    if (!wasThere && !isThere) folded.removed.push(newest)
    else {
      const op = wasThere ? (isThere ? 'mod' : 'rem') : 'add'
      const { nodeKey: key, snapshotId: from } = newest
      if (from !== into || op !== newest.op) folded.moved.push({ key, from, op })
    }
  }
  return folded
}

export interface FoldedDocument {
  /** This version becomes that of `into`. */
  moved?: ScannedDocumentVersion
  /** What becomes of several together. */
  merged?: DocumentVersionWrite & { text: string | null }
  removed: ScannedDocumentVersion[]
}

/**
 * The same for the versions of one document. A piece cannot follow another one of the same snapshot: together they are
 * one piece, or the whole text if one of them was. `textOf`: asked only for those.
 */
export function foldDocument(
  versions: readonly ScannedDocumentVersion[],
  into: number,
  textOf: (version: ScannedDocumentVersion) => string | null,
): FoldedDocument {
  const inTime = versions.toSorted(bySnapshot)
  const newest = inTime.at(-1) as ScannedDocumentVersion
  const removed = inTime.slice(0, -1)
  if (newest.lead === null || removed.length === 0)
    return newest.snapshotId === into ? { removed } : { moved: newest, removed }
  const attributes = inTime.findLast((one) => one.attributes !== null)?.attributes ?? null
  const { documentId, state, digest } = newest
  const content = mergedText(inTime, textOf)
  return {
    merged: { documentId, snapshotId: into, state, digest, attributes, ...content },
    removed: inTime,
  }
}

/** Whether folding these versions of a document needs their texts. */
export function isMerged(versions: readonly ScannedDocumentVersion[]): boolean {
  return versions.length > 1 && versions.toSorted(bySnapshot).at(-1)?.lead !== null
}

function mergedText(
  inTime: readonly ScannedDocumentVersion[],
  textOf: (version: ScannedDocumentVersion) => string | null,
): Pick<DocumentVersionWrite, 'textDigest' | 'lead' | 'trail'> & { text: string | null } {
  const whole = inTime.findLastIndex(({ lead }) => lead === null)
  const [first, ...pieces] = inTime.slice(Math.max(0, whole)) as [
    ScannedDocumentVersion,
    ...ScannedDocumentVersion[],
  ]
  const start = textOf(first)
  // A text that lost its beginning stays as it is.
  if (start === null) return { textDigest: null, text: null, lead: first.lead, trail: first.trail }
  const parts = [start, first.trail, ...pieces.flatMap((one) => [one.lead, textOf(one), one.trail])]
  // What follows the last piece stays apart from it, as it was.
  const trail = whole < 0 ? (parts.pop() ?? null) : null
  const text = parts.join('')
  return { textDigest: contentDigest(text), text, lead: first.lead, trail }
}

function bySnapshot(one: { snapshotId: number }, other: { snapshotId: number }): number {
  return one.snapshotId - other.snapshotId
}
