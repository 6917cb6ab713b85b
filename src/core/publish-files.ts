import { documentAt } from './documents.ts'
import type { Address } from './model.ts'
import type { Conflict } from './plan.ts'
import type { FileFacts } from './port/file-facts.ts'
import type { DocumentRow, Operation, SnapshotRow, WriteTx } from './port/store.ts'
import {
  type Counts,
  type DocumentInput,
  newPutContext,
  type PutContext,
  putDocument,
  putNewDocuments,
  removeDocument,
} from './put.ts'
import { countRedactions, type Redactions } from './redact.ts'
import { knownDocuments, type Scan, type Scope } from './scan.ts'
import { createSeeding, type Seeds } from './seeds.ts'
import type { SnapshotAbout } from './snapshot.ts'
import { moveDocuments } from './write/documents.ts'
import { deleteFileFacts, putFileFacts } from './write/file-facts.ts'

/** New documents planned together, so that the store is asked once for many. */
const GROUP_BLOCKS = 256

interface PublishInput extends Scope, Pick<Scan, 'parsed' | 'missing' | 'moves' | 'facts'> {
  about: SnapshotAbout
  home: string | null
  seeds: Seeds | undefined
}

/** What writing a compile did. */
export interface Published extends Counts {
  total: number
  /** Files that are gone, with the nodes they took along, by path. */
  purged: { path: string; nodes: number }[]
  conflicts: (Conflict & { path: string })[]
  /** Secrets that the files which were put have markers for, by kind. */
  redactions: Redactions
  /** Null when nothing changed. */
  snapshot: SnapshotRow | null
}

export function nothingPublished(): Published {
  const counts = { added: 0, modified: 0, removed: 0, total: 0 }
  return { ...counts, purged: [], conflicts: [], redactions: {}, snapshot: null }
}

/**
 * Brings documents to what their files say, all in one snapshot. Its source gives the files that were parsed, in batches. Null, and
 * nothing is written, when a base is not what was read.
 */
export const publishFiles: Operation<PublishInput, Published | null> = {
  name: 'compile',
  async run(tx, input, tools) {
    const current = await knownDocuments(tx, input)
    if (!isCurrent(input, current)) return null
    if (input.home) await tx.commit({ home: input.home })
    const seeding = input.seeds && createSeeding(input.seeds)
    const context = newPutContext(tx, tools, input.about, seeding?.note)
    await moveFiles(context, input, current)
    const put = await putFiles(context, tools.source as AsyncIterable<DocumentInput[]>, current)
    const gone = await removeMissing(context, input, current)
    const { counts } = context
    if (counts.added + counts.modified > 0) await seeding?.apply(tx, await knownDocuments(tx, input))
    await writeFacts(tx, input)
    return {
      ...counts,
      total: counts.added + counts.modified + counts.removed,
      purged: gone.purged,
      conflicts: [...put.conflicts, ...gone.conflicts],
      redactions: put.redactions,
      snapshot: await context.snapshot.finish(),
    }
  },
}

function isCurrent({ parsed, missing, moves }: PublishInput, current: Map<string, DocumentRow>): boolean {
  const revisions = new Map([...current.values()].map((row) => [row.id, row.revision]))
  return (
    [...parsed, ...missing].every(([path, revision]) => (current.get(path)?.revision ?? 0) === revision) &&
    [...moves.values()].every((row) => revisions.get(row.id) === row.revision)
  )
}

async function moveFiles(
  context: PutContext,
  { root, moves }: Pick<PublishInput, 'root' | 'moves'>,
  current: Map<string, DocumentRow>,
): Promise<void> {
  if (moves.size === 0) return
  const addressed: { documentId: number; address: Address }[] = []
  const moving = new Set([...moves.values()].map((row) => row.id))
  for (const [path, row] of moves) {
    const address = { kind: 'source', root, path } as const
    addressed.push({ documentId: row.id, address })
    // What is left of an earlier file of that name changes places with it.
    const displaced = await documentAt(context.tx, address, 'row')
    if (displaced && !moving.has(displaced.id))
      addressed.push({ documentId: displaced.id, address: row.address })
  }
  await moveDocuments(context, addressed)
  for (const [path, row] of moves) current.set(path, row)
}

async function putFiles(
  context: PutContext,
  batches: AsyncIterable<DocumentInput[]>,
  current: Map<string, DocumentRow>,
): Promise<Pick<Published, 'conflicts' | 'redactions'>> {
  const conflicts: Published['conflicts'] = []
  const redactions: Redactions = {}
  let group = newGroup()
  for await (const batch of batches) {
    for (const document of batch) {
      const path = pathOf(document)
      const row = current.get(path)
      // Moved here with its text as it was.
      if (row?.digest === document.digest) continue
      countRedactions(textsOf(document), redactions)
      if (row) {
        conflicts.push(...withPath(path, await putDocument(context, row, document)))
        continue
      }
      group.inputs.push(document)
      group.blocks += document.flat.length
      if (group.blocks < GROUP_BLOCKS) continue
      await putNewDocuments(context, group.inputs)
      group = newGroup()
    }
  }
  await putNewDocuments(context, group.inputs)
  return { conflicts, redactions }
}

async function removeMissing(
  context: PutContext,
  { missing }: PublishInput,
  current: Map<string, DocumentRow>,
): Promise<Pick<Published, 'purged' | 'conflicts'>> {
  const purged: Published['purged'] = []
  const conflicts: Published['conflicts'] = []
  for (const path of missing.keys()) {
    const removed = await removeDocument(context, current.get(path) as DocumentRow)
    conflicts.push(...withPath(path, removed.conflicts))
    purged.push({ path, nodes: removed.nodes })
  }
  return { purged: purged.sort((a, b) => (a.path < b.path ? -1 : 1)), conflicts }
}

function newGroup(): { inputs: DocumentInput[]; blocks: number } {
  return { inputs: [], blocks: 0 }
}

function pathOf({ address }: DocumentInput): string {
  return address.kind === 'source' ? address.path : ''
}

function textsOf({ flat }: DocumentInput): string[] {
  return flat.map(({ text }) => text)
}

function withPath(path: string, conflicts: readonly Conflict[]): Published['conflicts'] {
  return conflicts.map((conflict) => ({ ...conflict, path }))
}

interface FactsInput extends Pick<Scope, 'root' | 'absorbs'> {
  facts: { put: FileFacts[]; delete: string[] }
}

export const storeFacts: Operation<FactsInput, void> = { name: 'store-facts', run: writeFacts }

async function writeFacts(tx: WriteTx, { root, absorbs = [], facts }: FactsInput): Promise<void> {
  await putFileFacts(tx, root, facts.put)
  await deleteFileFacts(tx, root, facts.delete)
  for (const inner of absorbs) {
    const paths = (await tx.listFileFacts(inner.root)).map(({ path }) => path)
    await deleteFileFacts(tx, inner.root, paths)
  }
}
