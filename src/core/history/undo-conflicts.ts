import type { ReadTx } from '../port/store.ts'
import type { StoredDocument } from '../port/stored.ts'
import { type DocumentThen, differingDocuments } from '../rows/restore-documents.ts'
import { documentNames } from '../write/documents.ts'
import { changesOf, type PastNode, type PastNodes } from './bring-back.ts'
import type { ConflictKind, Selection } from './selection.ts'

/** Something that a restore or a revert would change, and that has changed since by other snapshots. */
export interface UndoConflict {
  kind: ConflictKind
  /** Null for a key, a record or a file as a whole. */
  nodeId: string | null
  /** The document as the tree shows it. */
  file: string
  /** The nearest heading above a node; '' if there is none. */
  heading: string
  /** The last snapshot that changed it; null: unknown. */
  changedIn: number | null
  /** Its text now; null: it is not there. */
  now: string | null
  /** The text that it would have again; null: it would be gone. */
  wouldBe: string | null
}

export interface UndoConflicts {
  /** The first ones. */
  conflicts: UndoConflict[]
  /** How many there are. */
  total: number
}

/** With texts: an answer with all of a large compile would not fit anywhere. */
const MAX_SHOWN = 50

interface Decided {
  selection: Selection
  /** As decided. */
  nodes: PastNodes
  past: readonly DocumentThen[]
  head: number
}

/** Only what would really change is in conflict. */
export async function conflictsOf(tx: ReadTx, decided: Decided): Promise<UndoConflicts> {
  const ofDocuments = await documentConflicts(tx, decided)
  const ofNodes = await nodeConflicts(tx, decided)
  const all = [...ofDocuments, ...ofNodes]
  return { conflicts: all.slice(0, MAX_SHOWN), total: all.length }
}

async function nodeConflicts(tx: ReadTx, { selection, nodes, head }: Decided): Promise<UndoConflict[]> {
  const kinds = selection.nodeConflicts
  if (kinds.size === 0) return []
  const changes = await changesOf(tx, onlyThese(nodes, kinds), head)
  const last = new Map<number, number>()
  for (const { key, changedIn } of await tx.nodes(
    { keys: changes.map(({ nodeKey }) => nodeKey), removed: true },
    'change',
  ))
    last.set(key, changedIn)
  return changes.map(({ nodeKey, nodeId, file, heading, old: now, new: next }) => ({
    ...{ kind: kinds.get(nodeKey) as ConflictKind, nodeId, file, heading },
    ...{ changedIn: last.get(nodeKey) ?? null, now: now?.text ?? null, wouldBe: next?.text ?? null },
  }))
}

async function* onlyThese(pages: PastNodes, keys: ReadonlyMap<number, unknown>): AsyncGenerator<PastNode[]> {
  for await (const page of pages) yield page.filter(({ current }) => keys.has(current.key))
}

async function documentConflicts(tx: ReadTx, { selection, past }: Decided): Promise<UndoConflict[]> {
  const kinds = selection.documentConflicts
  const suspects = past.filter(({ documentId }) => kinds.has(documentId))
  const found = await differingDocuments(tx, suspects)
  const names = await documentNames(
    tx,
    found.map(({ now }) => now.id),
  )
  const conflicts: UndoConflict[] = []
  for (const { now, then } of found) {
    const [newest] = await tx.documentVersions(now.id, { limit: 1 })
    const [earlier] = await tx.documentVersions(now.id, { limit: 1, before: then.at + 1 })
    conflicts.push({
      ...{
        kind: kinds.get(now.id) as ConflictKind,
        nodeId: null,
        file: names.get(now.id) ?? '',
        heading: '',
      },
      changedIn: newest?.snapshotId ?? null,
      now: now.state === 'live' ? shownText(now, newest?.text ?? '') : null,
      wouldBe: then.state === 'live' ? shownText(earlier, earlier?.text ?? '') : null,
    })
  }
  return conflicts
}

/** The bytes of an image say nothing to a reader. */
function shownText(document: Pick<StoredDocument, 'attributes'> | undefined, text: string): string {
  const { value_type, content_type } = document?.attributes ?? {}
  const isBinary = value_type === 'image' || value_type === 'blob'
  return isBinary ? `(${content_type ?? value_type})` : text
}
