import { needs } from '../errors.ts'
import type { DocumentKind } from '../model.ts'
import { findSnapshot, type Moment, momentAt, parseMoment } from '../past/moment.ts'
import { noSuchSnapshot } from '../past/pruned-moment.ts'
import type { MomentInput, SnapshotRange } from '../port/history.ts'
import { isOfDoor } from '../port/rows.ts'
import type { ScannedVersion } from '../port/scan.ts'
import type { DocumentNodeRow, DocumentRow, ReadTx } from '../port/store.ts'
import { pagesOf } from '../rows/stored-pages.ts'
import { mutate, type OperationDeps, snapshotOperation } from '../write/operation.ts'
import { PAGE } from './bring-back.ts'
import { documentHistories, type StoredDocumentVersion } from './document-histories.ts'
import { addDocument } from './restore.ts'
import { emptySelection, type Selection } from './selection.ts'
import { refuseShared, snapshotsBy } from './snapshots-by.ts'
import { previewUndo, type Selected, type UndoPreview, type UndoResult, undo, undoResult } from './undo.ts'

/** These snapshots, or everything that an author did after a moment (0: ever). */
export type RevertInput = ({ snapshots: number[] } | { author: string; since: MomentInput }) & {
  /** Decides for the older text where there is a conflict. */
  force?: boolean
}

/** Undoes snapshots without touching what others did. Costs what these snapshots changed. */
export async function revert(deps: OperationDeps, input: RevertInput): Promise<UndoResult> {
  const parsed = parseInput(input, deps.now())
  const about = { operation: 'revert', message: messageOf(input) }
  return undoResult(await mutate(deps, revertAt, { ...about, input: parsed }))
}

/** Decides like `revert`, in one read. */
export async function previewRevert(
  { store, now }: Pick<OperationDeps, 'store' | 'now'>,
  input: RevertInput,
): Promise<UndoPreview> {
  const parsed = parseInput(input, now())
  return previewUndo(store, (tx) => selectRevert(tx, parsed))
}

export const revertAt = snapshotOperation('revert', async (context, input: Parsed) =>
  undo(context, await selectRevert(context.tx, input), { operation: 'revert', force: input.force }),
)

const MAX_NAMED = 20

function messageOf(input: RevertInput): string {
  if ('author' in input) return `revert ${input.author} since ${input.since}`
  const { snapshots } = input
  const more = snapshots.length - MAX_NAMED
  return `revert ${snapshots.slice(0, MAX_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** `since` null: ever. */
type Parsed = ({ snapshots: number[] } | { author: string; since: Moment | null }) & { force: boolean }

function parseInput(input: RevertInput, now: number): Parsed {
  const { force = false } = Object(input) as RevertInput
  if ('author' in input) {
    needs(typeof input.author === 'string' && input.author !== '', 'author must be the name of an author')
    const isEver = input.since === 0 || input.since === '0'
    return { author: input.author, since: isEver ? null : parseMoment(input.since, now), force }
  }
  const { snapshots } = Object(input) as { snapshots: unknown }
  const isGiven = Array.isArray(snapshots) && snapshots.length > 0
  const areNumbers = isGiven && snapshots.every((one) => Number.isSafeInteger(one) && one > 0)
  needs(areNumbers, 'revert needs { snapshots }: numbers of snapshots, or { author, since }')
  return { snapshots, force }
}

async function selectRevert(tx: ReadTx, input: Parsed): Promise<Selected> {
  const head = (await tx.state()).head?.id ?? 0
  const ids = await snapshotsOf(tx, input)
  const selection = emptySelection()
  const undone = new Set(ids)
  await addNodes(tx, selection, undone)
  await addDocuments(tx, selection, undone)
  return { selection, head, target: null }
}

/** The numbers of the snapshots to undo, oldest first. */
async function snapshotsOf(tx: ReadTx, input: Parsed): Promise<number[]> {
  if ('author' in input) return snapshotsBy(tx, input.author, await sinceOf(tx, input.since))
  const ids = [...new Set(input.snapshots)].sort((a, b) => a - b)
  for (const id of ids) {
    const snapshot = await findSnapshot(tx, id)
    if (!snapshot) throw await noSuchSnapshot(tx, id)
    if (!input.force) await refuseShared(tx, snapshot)
  }
  return ids
}

/** A time before the first snapshot is the beginning. */
async function sinceOf(tx: ReadTx, since: Moment | null): Promise<number> {
  if (since === null) return 0
  if (!('until' in since)) return (await momentAt(tx, since)).id
  return (await tx.snapshots({ until: since.until, limit: 1 }))[0]?.id ?? 0
}

/** Nodes of files and notes: each by itself. */
async function addNodes(
  tx: ReadTx,
  { nodes, nodeConflicts }: Selection,
  undone: ReadonlySet<number>,
): Promise<void> {
  const kindOf = documentKinds(tx)
  for (const range of runsOf([...undone])) {
    for await (const page of nodesIn(tx, range)) {
      const kinds = await kindOf(page)
      const fresh = page.filter(
        ({ key, documentId }) => !nodes.has(key) && !isDoorKind(kinds.get(documentId)),
      )
      const histories = await nodeHistories(tx, fresh)
      for (const [key, versions] of histories) {
        const { at, isTouched } = targetOf(versions, undone, stateKey)
        nodes.set(key, at)
        if (isTouched) nodeConflicts.set(key, 'changed')
      }
    }
  }
}

/** Keys, records and files by path: as a whole. A note gets its exact state if nobody else changed it. */
async function addDocuments(tx: ReadTx, selection: Selection, undone: ReadonlySet<number>): Promise<void> {
  const since = Math.min(...undone) - 1
  const changed = (await tx.changedDocuments(since)).map(({ documentId }) => documentId)
  for (const document of await tx.documents({ ids: changed }, 'row')) {
    const versions = (await documentHistories(tx, [document.id])).get(document.id) ?? []
    if (!versions.some(({ snapshotId }) => undone.has(snapshotId))) continue
    if (document.state === 'erased') selection.erased++
    else await addVersioned(tx, selection, { document, versions, undone })
  }
}

async function addVersioned(
  tx: ReadTx,
  selection: Selection,
  {
    document,
    versions,
    undone,
  }: {
    document: DocumentRow
    versions: readonly StoredDocumentVersion[]
    undone: ReadonlySet<number>
  },
): Promise<void> {
  const { at, isTouched } = targetOf(versions, undone, documentKey)
  if (isOfDoor(document)) {
    await addDocument(tx, selection, document, at)
    if (isTouched) selection.documentConflicts.set(document.id, 'changed')
  } else if (versions.every(({ snapshotId }) => snapshotId <= at || undone.has(snapshotId))) {
    selection.documents.push({ documentId: document.id, at })
  }
}

/**
 * The snapshot before the first one that is undone, and whether another one has changed the state that an undone one
 * left: then older text would replace somebody's work.
 */
export function targetOf<V extends { snapshotId: number }>(
  versions: readonly V[],
  undone: ReadonlySet<number>,
  stateOf: (version: V) => string,
): { at: number; isTouched: boolean } {
  const first = versions.findIndex(({ snapshotId }) => undone.has(snapshotId))
  let left: string | undefined
  let isTouched = false
  for (const [place, version] of versions.entries()) {
    if (place < first) continue
    const next = versions[place + 1]
    if (undone.has(version.snapshotId)) left = stateOf(version)
    else if (!next || undone.has(next.snapshotId)) isTouched ||= stateOf(version) !== left
  }
  return { at: (versions[first]?.snapshotId ?? 1) - 1, isTouched }
}

function stateKey({ textKey, parentKey, position, type, format, label, links }: ScannedVersion): string {
  return JSON.stringify(textKey === null ? null : [textKey, parentKey, position, type, format, label, links])
}

/** A piece is never the state that another version left: it adds to it. */
function documentKey({ snapshotId, state, textKey, attributes, lead }: StoredDocumentVersion): string {
  if (state === 'removed') return JSON.stringify([state])
  return JSON.stringify(lead === null ? [state, textKey, attributes] : [snapshotId])
}

async function nodeHistories(
  tx: ReadTx,
  rows: readonly DocumentNodeRow[],
): Promise<Map<number, ScannedVersion[]>> {
  const histories = new Map<number, ScannedVersion[]>(rows.map(({ key }) => [key, []]))
  if (rows.length === 0) return histories
  for await (const page of pagesOf(tx, 'versions', { of: { nodeKey: [...histories.keys()] } }))
    for (const version of page) histories.get(version.nodeKey)?.push(version)
  return histories
}

async function* nodesIn(tx: ReadTx, changedIn: SnapshotRange): AsyncGenerator<DocumentNodeRow[]> {
  for (let after = 0; ; ) {
    const page = await tx.nodes({ changedIn, after, limit: PAGE }, 'full')
    yield page
    if (page.length < PAGE) return
    after = page.at(-1)?.key ?? after
  }
}

/** Snapshots that follow each other, as ranges. */
function runsOf(ids: readonly number[]): SnapshotRange[] {
  const runs: SnapshotRange[] = []
  for (const id of ids) {
    const last = runs.at(-1)
    if (last?.until === id - 1) last.until = id
    else runs.push({ since: id - 1, until: id })
  }
  return runs
}

function documentKinds(tx: ReadTx) {
  const kinds = new Map<number, DocumentKind>()
  return async (rows: readonly DocumentNodeRow[]): Promise<ReadonlyMap<number, DocumentKind>> => {
    const ids = [...new Set(rows.map(({ documentId }) => documentId))].filter((id) => !kinds.has(id))
    for (const { id, address } of await tx.documents({ ids }, 'row')) kinds.set(id, address.kind)
    return kinds
  }
}

function isDoorKind(kind: DocumentKind | undefined): boolean {
  return kind !== undefined && isOfDoor({ address: { kind } })
}
