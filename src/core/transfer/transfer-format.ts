import { decodeLinks, encodeLinks } from '../link.ts'
import type { Link, NodeState } from '../model.ts'
import type { Overlay } from '../port/rows.ts'
import { FieldError, isObject } from './transfer-fields.ts'
import type {
  ManualLink,
  TransferDocument,
  TransferDocumentVersion,
  TransferMove,
  TransferNode,
  TransferSnapshot,
  TransferSpace,
  TransferVersion,
} from './transfer-rows.ts'
import {
  document,
  documentVersion,
  FORMAT_VERSION,
  header,
  node,
  snapshot,
  version,
} from './transfer-shapes.ts'

export interface Header extends TransferSpace {
  exportedAt: number
  /** Of the head; null if there is none. */
  cursorHash: string | null
}

/** One line after the header. Versions belong to the node above them, nodes to the document above them. */
export type Line =
  | { kind: 'snapshot'; row: TransferSnapshot }
  | { kind: 'document'; row: TransferDocument }
  | { kind: 'documentVersion'; row: Omit<TransferDocumentVersion, 'documentId'> }
  | { kind: 'node'; row: Omit<TransferNode, 'documentId'> }
  | { kind: 'version'; row: Omit<TransferVersion, 'nodeKey'> }
  | { kind: 'end' }

/** The header field that counts each kind of line. */
export const COUNTED = {
  snapshot: 'snapshots',
  document: 'documents',
  documentVersion: 'documentVersions',
  node: 'nodes',
  version: 'versions',
} as const

export function encodeHeader({ exportedAt, headId, cursorHash, heat, counts }: Header): string {
  const { snapshots, documents, documentVersions: document_versions, nodes, versions } = counts
  return JSON.stringify({
    remindb: 'export',
    version: FORMAT_VERSION,
    exported_at: exportedAt,
    head: headId,
    cursor_hash: cursorHash,
    heat: { clock: heat.clock, ticked_at: heat.tickedAt, frozen: heat.frozen, cold_below: heat.coldBelow },
    counts: { snapshots, documents, document_versions, nodes, versions },
  })
}

/** Throws `FieldError`. */
export function decodeHeader(value: unknown): Header {
  const { exported_at, head, cursor_hash, heat, counts } = header(value, 'header')
  const { document_versions: documentVersions, ...others } = counts
  const { ticked_at: tickedAt, cold_below: coldBelow, clock, frozen } = heat
  return {
    exportedAt: exported_at,
    headId: head,
    cursorHash: cursor_hash,
    heat: { clock, tickedAt, frozen, coldBelow },
    counts: { ...others, documentVersions },
  }
}

/** The keys and their order are part of the format: exporting twice gives the same text. */
export function encodeLine(line: Line): string {
  switch (line.kind) {
    case 'snapshot':
      return JSON.stringify({ snapshot: fromSnapshot(line.row) })
    case 'document':
      return JSON.stringify({ document: fromDocument(line.row) })
    case 'documentVersion':
      return JSON.stringify({ document_version: fromDocumentVersion(line.row) })
    case 'node':
      return JSON.stringify({ node: fromNode(line.row) })
    case 'version':
      return JSON.stringify({ version: fromVersion(line.row) })
    case 'end':
      return '{"end":true}'
  }
}

const DECODERS: Record<string, (value: unknown) => Line> = {
  snapshot(value) {
    const {
      parent_id: parentId,
      cursor_hash: cursorHash,
      created_at: createdAt,
      checkpoints,
      ...row
    } = snapshot(value, 'snapshot')
    const names = checkpoints?.map(toCheckpoint)
    return { kind: 'snapshot', row: { ...row, parentId, cursorHash, createdAt, checkpoints: names } }
  },
  document(value) {
    const { created_at: createdAt, updated_at: updatedAt, door, moves, ...row } = document(value, 'document')
    const times = { createdAt, updatedAt }
    return {
      kind: 'document',
      row: { ...row, ...times, door: door && toDoor(door), moves: moves?.map(toMove) },
    }
  },
  document_version(value) {
    const { snapshot_id: snapshotId, ...row } = documentVersion(value, 'document_version')
    return { kind: 'documentVersion', row: { ...row, snapshotId } }
  },
  node: (value) => ({ kind: 'node', row: toNode(node(value, 'node')) }),
  version(value) {
    const { snapshot_id: snapshotId, op, state } = version(value, 'version')
    if ((op === 'rem') !== (state === null))
      throw new FieldError('version.state must be null for rem, and only for rem')
    if (!state) return { kind: 'version', row: { snapshotId, op, state } }
    const { parent_key: parentKey, links, ...said } = state
    return {
      kind: 'version',
      row: { snapshotId, op, state: { ...said, parentKey, links: encodeLinks(links) } },
    }
  },
  end(value) {
    if (value !== true) throw new FieldError('end must be true')
    return { kind: 'end' }
  },
}

/** Throws `FieldError`. */
export function decodeLine(value: unknown): Line {
  const [[kind, row] = ['', undefined], ...more] = isObject(value) ? Object.entries(value) : []
  if (more.length > 0 || !Object.hasOwn(DECODERS, kind))
    throw new FieldError('the line must be an object with one field that names its kind')
  return (DECODERS[kind] as (value: unknown) => Line)(row)
}

function fromSnapshot({ checkpoints, ...row }: TransferSnapshot) {
  const { id, parentId: parent_id, cursorHash: cursor_hash, author, operation, message, root } = row
  const line = { id, parent_id, cursor_hash, author, operation, message, root, created_at: row.createdAt }
  return checkpoints ? { ...line, checkpoints: checkpoints.map(fromCheckpoint) } : line
}

type Names = NonNullable<TransferSnapshot['checkpoints']>

function fromCheckpoint({ name, author, createdAt: created_at }: Names[number]) {
  return { name, author, created_at }
}

function toCheckpoint({ created_at: createdAt, ...row }: ReturnType<typeof fromCheckpoint>): Names[number] {
  return { ...row, createdAt }
}

function fromDocument({
  id,
  address,
  state,
  digest,
  text,
  revision,
  door,
  moves,
  ...times
}: TransferDocument) {
  const { createdAt: created_at, updatedAt: updated_at } = times
  const row = { id, address, state, digest, text, revision, created_at, updated_at }
  return {
    ...row,
    ...(door && { door: fromDoor(door) }),
    ...(moves && { moves: moves.map(fromMove) }),
  }
}

function fromMove({ snapshotId: snapshot_id, root, path }: TransferMove) {
  return { snapshot_id, root, path }
}

function toMove({ snapshot_id: snapshotId, ...place }: ReturnType<typeof fromMove>): TransferMove {
  return { snapshotId, ...place }
}

type Door = NonNullable<TransferDocument['door']>

function fromDoor({ attributes, appended, accesses, accessedAt: accessed_at }: Door) {
  return { attributes, appended, accesses, accessed_at }
}

function toDoor({
  accessed_at: accessedAt,
  ...door
}: Omit<Door, 'accessedAt'> & { accessed_at: number | null }): Door {
  return { ...door, accessedAt }
}

function fromDocumentVersion({
  snapshotId,
  state,
  digest,
  text,
  door,
}: Omit<TransferDocumentVersion, 'documentId'>) {
  const row = { snapshot_id: snapshotId, state, digest, text }
  if (!door) return row
  const { attributes, lead, trail } = door
  return { ...row, door: { attributes, lead, trail } }
}

function fromNode({ key, id, parentKey, removed, heat, overlay, links }: Omit<TransferNode, 'documentId'>) {
  const { value, clock, pinned, accesses, accessedAt: accessed_at, told } = heat
  return {
    key,
    id,
    parent_key: parentKey,
    removed,
    heat: { value, clock, pinned, accesses, accessed_at, told },
    overlay: overlay && { operation: overlay.operation, base: overlay.base && fromBase(overlay.base) },
    links: links.map(({ createdAt, ...asked }) => ({ ...fromLink(asked), created_at: createdAt })),
  }
}

function toNode(checked: ReturnType<typeof node>): Omit<TransferNode, 'documentId'> {
  const { parent_key: parentKey, heat, overlay, links, ...row } = checked
  const { accessed_at: accessedAt, ...warmth } = heat
  return {
    ...row,
    parentKey,
    heat: { ...warmth, accessedAt },
    overlay: overlay && { operation: overlay.operation, base: overlay.base && toBase(overlay.base) },
    links: links.map(({ created_at: createdAt, ...asked }): ManualLink => ({ ...asked, createdAt })),
  }
}

type Base = NonNullable<Overlay['base']>

/** A base has neither label nor links: they would contain words of the file's text. */
function fromBase({ parentKey, position, type, format, digest }: Base) {
  return { parent_key: parentKey, position, type, format, digest }
}

function toBase({
  parent_key: parentKey,
  ...base
}: Omit<NodeState, 'parentKey' | 'label' | 'links'> & { parent_key: number | null }): Base {
  return { ...base, parentKey, label: null, links: null }
}

function fromVersion({ snapshotId, op, state }: Omit<TransferVersion, 'nodeKey'>) {
  if (!state) return { snapshot_id: snapshotId, op, state }
  const { parentKey: parent_key, position, type, format, label, text } = state
  const links = decodeLinks(state.links).map(fromLink)
  return { snapshot_id: snapshotId, op, state: { parent_key, position, type, format, label, text, links } }
}

function fromLink({ label, weight, source, id }: Link) {
  return { label, weight, source, id }
}
