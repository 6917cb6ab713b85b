import { createNumberMap } from '../../util/number-map.ts'
import { createNumberSet, type NumberSet } from '../../util/number-set.ts'
import type { VersionTable } from '../port/scan.ts'
import type { ReadTx, SnapshotRow, Store } from '../port/store.ts'
import { nextRun } from './kept-snapshots.ts'
import { namedSnapshots } from './prune-step.ts'
import { noPruned, type Pruned, type PruneTail } from './pruned.ts'

const PAGE = 5000

type Estimating = Pick<ReadTx, 'snapshots' | 'scanBack' | 'scan' | 'textSizes'>

/** Runs of snapshots that would go, newest first, each read in a transaction of its own. */
export async function* runsBelow(
  store: Pick<Store, 'read'>,
  tail: PruneTail,
): AsyncGenerator<{ into: SnapshotRow; gone: SnapshotRow[]; isNew: boolean }> {
  let last: number | undefined = tail.from
  let into: SnapshotRow | undefined
  while (last !== undefined) {
    const before: number = last
    const { older, named, first } = await store.read(async (tx) => ({
      older: await tx.snapshots({ before, limit: PAGE, hidden: true }),
      named: await namedSnapshots(tx),
      first: (await tx.snapshots({ after: before - 1, limit: 1, before: before + 1 }))[0],
    }))
    into ??= first
    for (let rest = older; into && rest.length > 0; ) {
      const run = nextRun<SnapshotRow>(into, rest, named)
      const isNew = run.into !== into
      into = run.into
      rest = rest.slice(
        run.gone.length === 0 ? rest.length : rest.indexOf(run.gone.at(-1) as SnapshotRow) + 1,
      )
      if (run.gone.length > 0) yield { into: run.into, gone: run.gone, isNew }
    }
    last = older.length === PAGE ? older.at(-1)?.id : undefined
  }
}

/** About what pruning would remove: what pieces of documents become together is not subtracted. */
export async function estimatePruned(store: Pick<Store, 'read'>, tail: PruneTail): Promise<Pruned> {
  const pruned = noPruned()
  const released = createNumberMap()
  let seen = noneSeen()
  for await (const { into, gone, isNew } of runsBelow(store, tail)) {
    if (isNew) seen = noneSeen()
    pruned.snapshots += gone.length
    const range = { since: (gone.at(-1) as SnapshotRow).id - 1, until: (gone[0] as SnapshotRow).id }
    for (const table of ['versions', 'documentVersions'] as const) {
      const found = { into: into.id, seen: seen[table], released }
      pruned.versions += await countSuperseded(store, table, range, found)
    }
  }
  await countTexts(store, released, pruned)
  return pruned
}

function noneSeen(): Record<VersionTable, NumberSet> {
  return { versions: createNumberSet(), documentVersions: createNumberSet() }
}

interface Found {
  into: number
  /** Nodes or documents with a later version that takes the place of older ones. */
  seen: NumberSet
  /** By text: the references that would be released. */
  released: ReturnType<typeof createNumberMap>
}

/** One page after the other, so that no transaction is long. */
async function countSuperseded(
  store: Pick<Store, 'read'>,
  table: VersionTable,
  { since, until }: { since: number; until: number },
  { into, seen, released }: Found,
): Promise<number> {
  let count = 0
  for (let upTo = until; upTo > since; ) {
    const limit = PAGE * 4
    const rows = await store.read((tx) => pageOf(tx, table, { since, until: upTo, limit, into, seen }))
    for (const { owner, textKey } of rows.kept) {
      if (seen.has(owner)) {
        count++
        if (textKey !== null) released.add(textKey, 1)
      }
      seen.add(owner)
    }
    upTo = rows.next
  }
  return count
}

interface PageInput {
  since: number
  until: number
  limit: number
  into: number
  seen: NumberSet
}

async function pageOf(tx: Estimating, table: VersionTable, { since, until, limit, into, seen }: PageInput) {
  let rows = await tx.scanBack(table, { since, until }, limit)
  const last = rows.at(-1)?.snapshotId ?? since
  const isFull = rows.length === limit
  // Whole snapshots only; one that is larger than a page is read as a whole.
  if (isFull && rows[0]?.snapshotId === last)
    rows = await tx.scanBack(table, { since: last - 1, until: last }, Number.MAX_SAFE_INTEGER)
  else if (isFull) rows = rows.filter(({ snapshotId }) => snapshotId > last)
  const kept = rows.map((row) => {
    return { owner: 'nodeKey' in row ? row.nodeKey : row.documentId, textKey: row.textKey }
  })
  const owners = [...new Set(kept.map(({ owner }) => owner))].filter((owner) => !seen.has(owner))
  const name = table === 'versions' ? 'nodeKey' : 'documentId'
  const of = { [name]: owners, snapshotId: [into] }
  const there = owners.length > 0 ? await tx.scan(table, { of, limit: owners.length }) : []
  for (const row of there) seen.add('nodeKey' in row ? row.nodeKey : row.documentId)
  const lowest = rows.at(-1)?.snapshotId
  return { kept, next: isFull && lowest !== undefined ? lowest - 1 : since }
}

async function countTexts(
  store: Pick<Store, 'read'>,
  released: Found['released'],
  pruned: Pruned,
): Promise<void> {
  const entries = [...released.entries()]
  for (let at = 0; at < entries.length; at += PAGE) {
    const by = new Map(entries.slice(at, at + PAGE))
    for (const { key, references, bytes } of await store.read((tx) => tx.textSizes([...by.keys()])))
      if (references <= (by.get(key) ?? 0)) {
        pruned.texts++
        pruned.textBytes += bytes
      }
  }
}
