import { type Hash64, nodeMark } from '../digest.ts'
import { linkEverything } from '../doctor/rebuild-links.ts'
import { MemoryError } from '../errors.ts'
import type { Address } from '../model.ts'
import type { HeatClock } from '../port/heat.ts'
import type { SnapshotRow } from '../port/rows.ts'
import type { OperationTools, WriteTx } from '../port/store.ts'
import type { NodePut } from '../port/write-set.ts'
import { hashOfDigest } from '../rows/snapshot.ts'
import type { ImportItem } from './import-items.ts'
import { createPast } from './import-past.ts'
import { importedRows } from './import-rows.ts'

/** Stores rows of an export as they are, with all derived rows, in an empty memory. */
export function createLoader(tx: WriteTx, { hash, now }: Pick<OperationTools, 'hash' | 'now'>) {
  const past = createPast()
  const unmarked = new Map<number, string | null>()
  let head: SnapshotRow | undefined
  let digest = 0n
  let nextLinkId: number | undefined

  return {
    /** Returns the index of the first row whose id, key or address is already taken: then nothing is stored. */
    async store(items: readonly ImportItem[]): Promise<number | null> {
      const repeated = await findRepeated(tx, items, past.hasNode)
      if (repeated !== null) return repeated
      const ids = await idsAmong(tx, items, past.hasNode)
      for (const item of items) past.take(item)
      nextLinkId ??= (await tx.state()).nextLinkId
      const rows = importedRows(items, { hash, ids, nextLinkId })
      for (const [key, label] of rows.unmarked) unmarked.set(key, label)
      digest += rows.digest
      head = rows.set.snapshots?.at(-1) ?? head
      nextLinkId += rows.set.links?.put.length ?? 0
      await tx.commit(rows.set)
      return null
    },
    /**
     * All rows are stored. `recomputeHead`: redaction changed texts, so the head's recorded `cursor_hash` is out of
     * date.
     */
    async finish(heat: HeatClock, { recomputeHead }: { recomputeHead: boolean }): Promise<void> {
      await checkPast(tx, past)
      digest = BigInt.asUintN(64, digest + (await markNodes(tx, hash, unmarked)))
      await tx.commit({ heatClock: heat, changes: ['import'] })
      if (head) {
        const row = recomputeHead ? { ...head, cursorHash: hashOfDigest(digest) } : head
        await tx.commit({ snapshots: [row], state: { headId: row.id, digest } })
      }
      await linkEverything(tx, now)
    },
  }
}

/** The index of the first row with an identity that another one has, here or stored. */
async function findRepeated(
  tx: WriteTx,
  items: readonly ImportItem[],
  hasNode: (key: number) => boolean,
): Promise<number | null> {
  const addresses = items.flatMap((item) => (item.kind === 'document' ? [item.row.address] : []))
  const nodes = items.flatMap((item) => (item.kind === 'node' ? [item.row] : []))
  const [documents, ids] = await Promise.all([
    tx.documents({ at: addresses }, 'row'),
    tx.nodes({ ids: nodes.map(({ id }) => id), removed: true }, 'id'),
  ])
  const taken = new Set([
    ...documents.map(({ address }) => addressName(address)),
    ...ids.map(({ id }) => idName(id)),
  ])
  for (const [place, item] of items.entries()) {
    if (item.kind === 'version' && hasNode(item.row.nodeKey)) return place
    if (item.kind === 'node' && hasNode(item.row.key)) return place
    const names = namesOf(item)
    if (names.some((name) => taken.has(name))) return place
    if (item.kind !== 'version') for (const name of names) taken.add(name)
  }
  return null
}

/** Identities that must be unique in a file. A version names its node, which must come after it. */
function namesOf(item: ImportItem): string[] {
  if (item.kind === 'document') return [addressName(item.row.address)]
  if (item.kind === 'version') return [keyName(item.row.nodeKey)]
  return item.kind === 'node' ? [keyName(item.row.key), idName(item.row.id)] : []
}

const keyName = (key: number): string => `key ${key}`
const idName = (id: string): string => `id ${id}`
const addressName = (address: Address): string => `address ${JSON.stringify(address)}`

/** Of the nodes among the items, and of their parents that came before. */
async function idsAmong(
  tx: WriteTx,
  items: readonly ImportItem[],
  hasNode: (key: number) => boolean,
): Promise<Map<number, string>> {
  const nodes = items.flatMap((item) => (item.kind === 'node' ? [item.row] : []))
  const parents = new Set(nodes.flatMap(({ parentKey }) => parentKey ?? []))
  const before = [...parents].filter(hasNode)
  const stored = before.length === 0 ? [] : await tx.nodes({ keys: before, removed: true }, 'id')
  return new Map([...stored, ...nodes].map(({ key, id }) => [key, id]))
}

async function checkPast(tx: WriteTx, past: ReturnType<typeof createPast>): Promise<void> {
  const problem = past.problem()
  if (!problem) return
  if (problem.kind === 'cycle') throw refusal(`at snapshot ${problem.snapshot} a node is below itself`)
  const [node] = await tx.nodes({ keys: [problem.node], removed: true }, 'id')
  throw problem.kind === 'early'
    ? refusal(`node ${node?.id} was under its parent when the parent did not exist`)
    : refusal(`a version of node ${node?.id} names a parent that does not exist`)
}

function refusal(problem: string): MemoryError {
  return new MemoryError('INVALID_INPUT', `${problem}; nothing was imported`)
}

/** Nodes changed in one batch, with their texts. */
const CHUNK = 1000

/**
 * Computes the marks of live nodes, now that their parents exist: by key, each with its explicit label. Returns the sum
 * of the marks.
 */
async function markNodes(
  tx: Pick<WriteTx, 'nodes' | 'commit'>,
  hash: Hash64,
  labels: ReadonlyMap<number, string | null>,
): Promise<bigint> {
  const keys = [...labels.keys()]
  let sum = 0n
  for (let at = 0; at < keys.length; at += CHUNK) {
    const stored = await tx.nodes({ keys: keys.slice(at, at + CHUNK), removed: true }, 'stored')
    const parents = new Set(stored.flatMap(({ parentKey }) => parentKey ?? []))
    const found = await tx.nodes({ keys: [...parents], removed: true }, 'id')
    const ids = new Map(found.map(({ key, id }) => [key, id]))
    const nodes = stored.map(({ text: _, heat: __, ...before }): NodePut => {
      const parentId = ids.get(before.parentKey ?? 0) ?? null
      const said = { ...before, label: labels.get(before.key) ?? null }
      const mark = nodeMark(hash, before.id, parentId, said)
      sum += mark
      return { before, after: { ...before, mark } }
    })
    await tx.commit({ nodes })
  }
  return sum
}
