import type { Address } from '../model.ts'
import type { FileFacts } from '../port/file-facts.ts'
import type { DocumentRow, Operation, ReadTx, SnapshotRow, WriteTx } from '../port/store.ts'
import { countRedactions, type Redactions } from '../redact.ts'
import { moveDocuments } from '../rows/documents.ts'
import { deleteFileFacts, putFileFacts } from '../rows/file-facts.ts'
import type { Conflict } from '../rows/plan.ts'
import type { SnapshotAbout } from '../rows/snapshot.ts'
import { documentAt } from '../write/documents.ts'
import {
  type Counts,
  type DocumentInput,
  factsFor,
  newPutContext,
  type PutContext,
  type PutFacts,
  putDocuments,
  removeDocuments,
} from '../write/put.ts'
import type { NodeCounts } from '../write/removal-groups.ts'
import { knownDocuments, type Scan, type Scope } from './scan.ts'
import { createSeeding, type Seeds } from './seeds.ts'

/** Documents are planned together up to this many characters: the store is asked once for many, and few are in memory. */
const GROUP_SIZE = 500_000
/** The overhead of a block in addition to its text. */
const BLOCK_SIZE = 200

export interface PublishInput extends Scope, Pick<Scan, 'parsed' | 'missing' | 'moves' | 'facts'> {
  about: SnapshotAbout
  home: string | null
  seeds: Seeds | undefined
}

/** The result of writing a compile. */
export interface Published extends Counts {
  total: number
  /** Removed files, with the nodes removed with them, by path. */
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
 * Updates documents from their files, all in one snapshot. The source yields the parsed files in batches. Null, and
 * nothing is written, if a base changed since it was read.
 */
export const publishFiles: Operation<PublishInput, Published | null> = {
  name: 'compile',
  async run(tx, input, tools) {
    const seeding = input.seeds && createSeeding(input.seeds)
    const context = newPutContext(tx, tools, input.about, seeding?.note)
    const groups = groupsOf(tools.source as AsyncIterable<DocumentInput[]>)
    const first = await groups.next()
    const [current, early, missing] = await Promise.all([
      knownDocuments(tx, input),
      input.moves.size > 0 || first.done ? undefined : factsForFiles(context, input, first.value),
      countMissing(tx, input),
    ])
    if (!isCurrent(input, current)) {
      await groups.return(undefined)
      return null
    }
    if (input.home) await tx.commit({ home: input.home })
    await moveFiles(context, input, current)
    const put = await putFiles(context, input, { groups, first, early })
    const gone = await removeMissing(context, input, current, missing)
    const { counts } = context
    if (counts.added + counts.modified > 0) await seeding?.apply(tx, await knownDocuments(tx, input))
    await writeFacts(tx, input, current)
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

export function isCurrent(
  { parsed, missing, moves }: PublishInput,
  current: Map<string, DocumentRow>,
): boolean {
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
    // The remains of an earlier file of that name swap places with it.
    const displaced = await documentAt(context.tx, address, 'row')
    if (displaced && !moving.has(displaced.id))
      addressed.push({ documentId: displaced.id, address: row.address })
  }
  await moveDocuments(context, addressed, await context.snapshot.row())
  for (const [path, row] of moves) current.set(path, row)
}

/** Files that are planned together. */
export async function* groupsOf(
  batches: AsyncIterable<DocumentInput[]>,
): AsyncGenerator<DocumentInput[], undefined> {
  let group: DocumentInput[] = []
  let size = 0
  for await (const batch of batches) {
    for (const document of batch) {
      group.push(document)
      size += sizeOf(document)
      if (size < GROUP_SIZE) continue
      yield group
      group = []
      size = 0
    }
  }
  if (group.length > 0) yield group
}

function factsForFiles(
  context: PutContext,
  { parsed, moves }: Pick<PublishInput, 'parsed' | 'moves'>,
  inputs: readonly DocumentInput[],
): Promise<PutFacts> {
  const isHere = (path: string): boolean => moves.has(path) || (parsed.get(path) ?? 0) > 0
  const at = inputs.map(({ address }) => address).filter((address) => isHere(pathOf({ address })))
  return factsFor(context, inputs, { at })
}

interface Groups {
  groups: AsyncGenerator<DocumentInput[], undefined>
  first: IteratorResult<DocumentInput[], undefined>
  /** For the first one, if it was already requested. */
  early: PutFacts | undefined
}

export async function putFiles(
  context: PutContext,
  input: Pick<PublishInput, 'parsed' | 'moves'>,
  { groups, first, early }: Groups,
): Promise<Pick<Published, 'conflicts' | 'redactions'>> {
  const conflicts: Published['conflicts'] = []
  const redactions: Redactions = {}
  for (let group = first, known = early; !group.done; group = await groups.next(), known = undefined) {
    const facts = known ?? (await factsForFiles(context, input, group.value))
    const digests = new Map(facts.contents.documents.map((row) => [pathOf(row), row.digest]))
    // Except the ones that were moved with unchanged text.
    const inputs = group.value.filter((document) => digests.get(pathOf(document)) !== document.digest)
    // Stored ones first: if an id is taken, its replacement depends on the order.
    const isNew = (document: DocumentInput): number => (digests.has(pathOf(document)) ? 0 : 1)
    inputs.sort((a, b) => isNew(a) - isNew(b))
    for (const document of inputs) countRedactions(textsOf(document), redactions)
    for (const [at, result] of (await putDocuments(context, inputs, facts)).entries())
      conflicts.push(...withPath(pathOf(inputs[at] as DocumentInput), result.conflicts))
  }
  return { conflicts, redactions }
}

/** Requested together with the first reads, so that removing them takes no extra round trip. */
async function countMissing(tx: ReadTx, { root, missing }: PublishInput): Promise<NodeCounts> {
  const at = [...missing.keys()].map((path) => ({ kind: 'source', root, path }) as const)
  return at.length > 1 ? tx.documents({ at }, 'size') : []
}

async function removeMissing(
  context: PutContext,
  { missing }: PublishInput,
  current: Map<string, DocumentRow>,
  counts: NodeCounts,
): Promise<Pick<Published, 'purged' | 'conflicts'>> {
  const paths = [...missing.keys()]
  const removed = await removeDocuments(
    context,
    paths.map((path) => current.get(path) as DocumentRow),
    counts,
  )
  const purged = paths.map((path, at) => ({ path, nodes: removed[at]?.nodes ?? 0 }))
  const conflicts = paths.flatMap((path, at) => withPath(path, removed[at]?.conflicts ?? []))
  return { purged: purged.sort((a, b) => (a.path < b.path ? -1 : 1)), conflicts }
}

function sizeOf({ flat }: DocumentInput): number {
  return flat.reduce((sum, { text }) => sum + text.length + BLOCK_SIZE, 0)
}

function pathOf({ address }: Pick<DocumentInput, 'address'>): string {
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

export const storeFacts: Operation<FactsInput, void> = {
  name: 'store-facts',
  async run(tx, input) {
    const { root, facts } = input
    const at = facts.put.map(({ path }) => ({ kind: 'source', root, path }) as const)
    const documents = await tx.documents({ at }, 'row')
    await writeFacts(tx, input, new Map(documents.map((row) => [pathOf(row), row])))
  },
}

/** `documents`: the documents of the files, by path. */
export async function writeFacts(
  tx: WriteTx,
  { root, absorbs = [], facts }: FactsInput,
  documents: ReadonlyMap<string, DocumentRow>,
): Promise<void> {
  // A compile that read a file while another process erased it must not bring its digest back.
  const put = facts.put.filter(({ path }) => documents.get(path)?.state !== 'erased')
  await putFileFacts(tx, root, put)
  await deleteFileFacts(tx, root, facts.delete)
  for (const inner of absorbs) {
    const paths = (await tx.listFileFacts(inner.root)).map(({ path }) => path)
    await deleteFileFacts(tx, inner.root, paths)
  }
}
