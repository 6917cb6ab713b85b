import { printable } from '../../util/text/printable.ts'
import { plural } from '../../util/text/units.ts'
import type { FoundDocument } from '../observe/find-documents.ts'
import type { SnapshotRow } from '../port/store.ts'
import { inSnapshot } from './write-text.ts'

/** The document to erase, as a person names it. */
export interface ErasedDocument extends Pick<FoundDocument, 'state' | 'nodes' | 'nodeId'> {
  name: string
  kind: FoundDocument['address']['kind']
  /** For a file on disk: it still exists. */
  fileExists: boolean
}

/** The result of an erasure. */
export interface Erasure {
  nodes: number
  scrubbed: boolean
  snapshot: SnapshotRow | null
  backups: string[]
}

/** What would be erased, before the user confirms. */
export function wouldEraseLines(document: ErasedDocument): string[] {
  return [
    `would erase ${printable(document.name)} (${sizeOf(document)}), with every text it ever had`,
    ...wholeLines(document, 'is one of its nodes: the whole document would be erased'),
    'nothing was erased; erasing cannot be undone: confirm with --yes',
  ]
}

/** What was erased, and where it may still be. */
export function erasedLines(
  document: ErasedDocument,
  { nodes, scrubbed, snapshot, backups }: Erasure,
): string[] {
  const name = printable(document.name)
  return [
    snapshot
      ? `erased ${name} (${sizeOf({ ...document, nodes })})${inSnapshot(snapshot)}`
      : `${name} was already erased`,
    ...(snapshot ? wholeLines(document, 'was one of its nodes: the whole document is gone') : []),
    scrubbed
      ? 'on disk: overwritten'
      : 'on disk: not overwritten yet, because another process is reading; a running server or `remindb doctor --fix` will do it',
    ...backupLines(backups),
    ...afterLines(document),
  ]
}

/** A removed document has no nodes, but still history. */
function sizeOf({ state, nodes }: Pick<ErasedDocument, 'state' | 'nodes'>): string {
  if (state === 'erased') return 'tags only'
  return state === 'removed' ? 'history only' : plural(nodes, 'node')
}

function wholeLines({ nodeId }: ErasedDocument, words: string): string[] {
  return nodeId === null ? [] : [`node ${printable(nodeId)} ${words}`]
}

function backupLines(backups: readonly string[]): string[] {
  if (backups.length === 0) return ['backups: none beside the database; backups elsewhere still contain it']
  return [
    `backups: ${backups.length} beside the database may still contain it; delete them:`,
    ...backups.map((file) => `  ${printable(file)}`),
  ]
}

/** What prevents the text from returning, and until when. */
function afterLines({ kind, fileExists }: ErasedDocument): string[] {
  if (kind === 'source' && fileExists)
    return ['the file still exists: compile skips it until you delete or rename it']
  if (kind === 'key') return ['the key accepts no value until an agent calls `forget` for it']
  return []
}

/** The same as data; `erasure` is null if nothing was erased. */
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
