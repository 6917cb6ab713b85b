import { MemoryError } from '../errors.ts'
import { indexRow } from '../find/query/index-row.ts'
import { labelOf } from '../label.ts'
import { estimateTokens } from '../tokens.ts'
import { type OpenDocument, openDocument } from './import-document.ts'
import type { ImportItem, ImportNode } from './import-items.ts'
import { lineError } from './import-lines.ts'
import type { Redaction } from './import-redaction.ts'
import { COUNTED, type Header, type Line } from './transfer-format.ts'
import type {
  TransferCounts,
  TransferDocument,
  TransferDocumentVersion,
  TransferNode,
  TransferSnapshot,
  TransferVersion,
} from './transfer-rows.ts'

const CUT_OFF = 'the file ends before its last line: it was cut off; nothing was imported. Export it again'

interface OpenNode {
  line: number
  row: TransferNode
  /** The newest version so far. */
  newest: { row: TransferVersion; digest: string | null } | null
}

/** Reads the lines of an export in order, checks them against each other, and passes rows to `add`. */
export function createImporter(
  add: (line: number, item: ImportItem) => void,
  header: Header,
  redaction: Redaction,
) {
  const counts: TransferCounts = { snapshots: 0, documents: 0, documentVersions: 0, nodes: 0, versions: 0 }
  const snapshots = new Set<number>()
  const names = new Set<string>()
  let head: TransferSnapshot | null = null
  let document: OpenDocument | null = null
  let node: OpenNode | null = null
  let isEnded = false

  function takeSnapshot(line: number, row: TransferSnapshot): void {
    if (document) throw lineError(line, 'a snapshot must come before the documents')
    if (head && row.id <= head.id) throw lineError(line, 'snapshots must be in order, each once')
    if (row.parentId !== null) checkSnapshot(line, row.parentId, 'snapshot.parent_id')
    const redacted = redaction.snapshot(row)
    checkNames(line, redacted)
    snapshots.add(row.id)
    head = row
    send(line, { kind: 'snapshot', row: redacted })
  }

  /** Each checkpoint is one snapshot. */
  function checkNames(line: number, { checkpoints }: TransferSnapshot): void {
    for (const { name } of checkpoints ?? []) {
      if (names.has(name)) throw lineError(line, 'two snapshots have the same checkpoint')
      names.add(name)
    }
  }

  function checkMoves(line: number, { moves }: TransferDocument): void {
    const seen = new Set<number>()
    for (const { snapshotId } of moves ?? []) {
      checkSnapshot(line, snapshotId, 'document.moves.snapshot_id')
      if (seen.has(snapshotId)) throw lineError(line, 'document.moves has two of one snapshot')
      seen.add(snapshotId)
    }
  }

  async function takeDocument(line: number, row: TransferDocument): Promise<void> {
    if (document && row.id <= document.id) throw lineError(line, 'documents must be in order, each once')
    closeDocument()
    checkMoves(line, row)
    document = openDocument(line, row)
    const address = redaction.address(row.address)
    send(line, { kind: 'document', row: await redaction.exact({ ...row, address }) })
  }

  async function takeDocumentVersion(
    line: number,
    row: Omit<TransferDocumentVersion, 'documentId'>,
  ): Promise<void> {
    if (!document || node) throw lineError(line, 'a document_version must come right after its document')
    checkSnapshot(line, row.snapshotId, 'document_version.snapshot_id')
    document.takeVersion(line, row)
    send(line, { kind: 'documentVersion', row: await redaction.exact({ ...row, documentId: document.id }) })
  }

  function takeNode(line: number, row: Omit<TransferNode, 'documentId'>): void {
    if (!document) throw lineError(line, 'a node must come after its document')
    closeNode()
    if (row.removed) {
      checkSnapshot(line, row.removed.in, 'node.removed.in')
      if (row.parentKey !== null) throw lineError(line, 'a removed node has no parent')
    }
    if (row.heat.clock > header.heat.clock)
      throw lineError(line, 'node.heat.clock is ahead of the clock in the header')
    document.checkNode(line, { hasText: row.removed === null })
    node = { line, row: { ...row, documentId: document.id }, newest: null }
  }

  async function takeVersion(line: number, row: Omit<TransferVersion, 'nodeKey'>): Promise<void> {
    if (!node || !document) throw lineError(line, 'a version must come after its node')
    checkSnapshot(line, row.snapshotId, 'version.snapshot_id')
    if (node.newest && row.snapshotId <= node.newest.row.snapshotId)
      throw lineError(line, 'versions must be in order, each once')
    document.checkNode(line, { hasText: row.state !== null })
    node.newest = await redaction.version({ ...row, nodeKey: node.row.key })
    send(line, { kind: 'version', ...node.newest })
  }

  /** All versions of the last node were read. */
  function closeNode(): void {
    if (!node) return
    const { line, row, newest } = node
    node = null
    if ((row.removed === null) !== Boolean(newest?.row.state))
      throw lineError(line, 'the newest version of the node does not match whether it is removed')
    send(line, { kind: 'node', row: redaction.node({ ...row, current: currentOf(newest) }) })
  }

  /** All versions and nodes of the last document were read. */
  function closeDocument(): void {
    closeNode()
    document?.checkVersions()
  }

  function send(line: number, item: ImportItem): void {
    counts[COUNTED[item.kind]]++
    add(line, item)
  }

  function checkSnapshot(line: number, id: number, field: string): void {
    if (!snapshots.has(id)) throw lineError(line, `${field} is not a snapshot of this file`)
  }

  function end(line: number): void {
    closeDocument()
    isEnded = true
    checkEnd(line)
  }

  function checkEnd(line: number): void {
    const told = header.counts
    const isAll = Object.values(COUNTED).every((name) => counts[name] === told[name])
    if (!isAll) throw lineError(line, 'the number of lines does not match the header')
    if ((head?.id ?? null) !== header.headId) throw lineError(1, 'header.head is not the newest snapshot')
    if ((head?.cursorHash ?? null) !== header.cursorHash)
      throw lineError(1, 'header.cursor_hash is not that of the newest snapshot')
  }

  return {
    counts,
    async take(number: number, line: Line): Promise<void> {
      if (isEnded) throw lineError(number, 'the line comes after the end of the export')
      if (line.kind === 'snapshot') takeSnapshot(number, line.row)
      else if (line.kind === 'document') await takeDocument(number, line.row)
      else if (line.kind === 'documentVersion') await takeDocumentVersion(number, line.row)
      else if (line.kind === 'node') takeNode(number, line.row)
      else if (line.kind === 'version') await takeVersion(number, line.row)
      else end(number)
    },
    /** All lines were read. */
    finish(): void {
      if (!isEnded) throw new MemoryError('INVALID_INPUT', CUT_OFF)
    },
  }
}

function currentOf(newest: OpenNode['newest']): ImportNode['current'] {
  if (!newest?.row.state || newest.digest === null) return null
  const { text, parentKey: _, ...said } = newest.row.state
  const label = said.label ?? labelOf({ ...said, text })
  return {
    state: { ...said, digest: newest.digest },
    label,
    tokens: estimateTokens(text),
    words: indexRow({ type: said.type, label, text }),
  }
}
