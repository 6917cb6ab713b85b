import { printable } from '../../util/text/printable.ts'
import { plural } from '../../util/text/units.ts'
import type { FoundDocument } from '../observe/find-documents.ts'
import type { SnapshotRow } from '../port/store.ts'
import { inSnapshot } from './write-text.ts'

/** What an erasure is about, as a person names it. */
export interface ErasedDocument extends Pick<FoundDocument, 'state' | 'nodes' | 'nodeId'> {
  name: string
  kind: FoundDocument['address']['kind']
  /** Of a file on disk: it is still there. */
  fileExists: boolean
}

/** What became of it. */
export interface Erasure {
  nodes: number
  scrubbed: boolean
  snapshot: SnapshotRow | null
  backups: string[]
}

/** What would go: for who has not yet said that it may. */
export function wouldEraseLines(document: ErasedDocument): string[] {
  return [
    `would erase ${printable(document.name)} (${sizeOf(document)}), with every text it ever had`,
    ...wholeLines(document, 'is one of its nodes: the whole document goes'),
    'nothing was erased; it cannot be undone: give --yes to do it',
  ]
}

/** What went, and where it may still be. */
export function erasedLines(
  document: ErasedDocument,
  { nodes, scrubbed, snapshot, backups }: Erasure,
): string[] {
  const name = printable(document.name)
  return [
    snapshot
      ? `erased ${name} (${sizeOf({ ...document, nodes })})${inSnapshot(snapshot)}`
      : `${name} was erased before; nothing of it is left`,
    ...(snapshot ? wholeLines(document, 'was one of its nodes: the whole document is gone') : []),
    scrubbed
      ? 'on disk: overwritten'
      : 'on disk: not yet, because another process is reading; a running server finishes it, or `remindb doctor --fix`',
    ...backupLines(backups),
    ...afterLines(document),
  ]
}

/** What was removed before has nothing to show, and still something to lose. */
function sizeOf({ state, nodes }: Pick<ErasedDocument, 'state' | 'nodes'>): string {
  if (state === 'erased') return 'tags only'
  return state === 'removed' ? 'history only' : plural(nodes, 'node')
}

function wholeLines({ nodeId }: ErasedDocument, words: string): string[] {
  return nodeId === null ? [] : [`node ${printable(nodeId)} ${words}`]
}

function backupLines(backups: readonly string[]): string[] {
  if (backups.length === 0)
    return ['backups: none beside the database; those you keep elsewhere still have it']
  return [
    `backups: ${backups.length} beside the database may still have it; delete those:`,
    ...backups.map((file) => `  ${printable(file)}`),
  ]
}

/** What keeps a text from coming back, and until when. */
function afterLines({ kind, fileExists }: ErasedDocument): string[] {
  if (kind === 'source' && fileExists)
    return ['the file is still there: compile skips it until you delete or rename it']
  if (kind === 'key') return ['the key takes no value until an agent calls `forget` for it']
  return []
}

/** The same as data; `erasure` is null where nothing was erased yet. */
export function eraseJson(
  { name, kind, nodeId, nodes, fileExists }: ErasedDocument,
  erasure: Erasure | null,
) {
  return {
    document: name,
    kind,
    node_id: nodeId,
    nodes: erasure?.nodes ?? nodes,
    erased: erasure !== null,
    snapshot_id: erasure?.snapshot?.id ?? null,
    scrubbed: erasure?.scrubbed ?? null,
    backups: erasure?.backups ?? [],
    file_exists: fileExists,
  }
}
