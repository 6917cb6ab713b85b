import { createNumberMap, type NumberMap } from '../../util/number-map.ts'
import type { Op } from '../model.ts'
import type { SnapshotRange } from '../port/history.ts'
import type { StoredRows, VersionTable } from '../port/scan.ts'
import type { ReadTx, SnapshotRow, Store } from '../port/store.ts'
import { nextRun } from './kept-snapshots.ts'
import { namedSnapshots } from './prune-step.ts'
import { noPruned, type Pruned, type PruneTail } from './pruned.ts'

const PAGE = 5000
const VERSIONS = 20_000
const ALL = Number.MAX_SAFE_INTEGER

/** Tables whose rows hold texts. */
type TextTable = Exclude<VersionTable, 'moves'>

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

/** What pruning would remove, without nodes. What pieces of documents become together is not subtracted. */
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

function noneSeen(): Record<TextTable, NumberMap> {
  return { versions: createNumberMap(), documentVersions: createNumberMap() }
}

/** What a run has of a node or document, read from the newest version on: nothing, a version, or a removal. */
const NOTHING = 0
const THERE = 1
const REMOVED = 2

interface Found {
  into: number
  seen: NumberMap
  /** By text: the references that would be released. */
  released: NumberMap
}

/** One page after the other, so that no transaction is long. */
async function countSuperseded(
  store: Pick<Store, 'read'>,
  table: TextTable,
  { since, until }: SnapshotRange,
  { into, seen, released }: Found,
): Promise<number> {
  let count = 0
  for (let upTo = until; upTo > since; ) {
    const range = { since, until: upTo }
    const { rows, next } = await store.read((tx) => pageOf(tx, table, range, { into, seen }))
    for (const { owner, op, textKey } of rows) {
      const newer = seen.get(owner) ?? NOTHING
      const isUndone = newer === REMOVED && op === 'add'
      if (newer !== NOTHING) {
        count += isUndone ? 2 : 1
        if (textKey !== null) released.add(textKey, 1)
      }
      if (newer === NOTHING) seen.set(owner, op === 'rem' ? REMOVED : THERE)
      else if (isUndone) seen.set(owner, NOTHING)
    }
    upTo = next
  }
  return count
}

/** Versions of whole snapshots; one that is larger than a page is read as a whole. */
async function pageOf(
  tx: Estimating,
  table: TextTable,
  { since, until }: SnapshotRange,
  { into, seen }: Pick<Found, 'into' | 'seen'>,
): Promise<{ rows: SeenVersion[]; next: number }> {
  const found = await tx.scanBack(table, { since, until }, VERSIONS)
  const isFull = found.length === VERSIONS
  const last = isFull ? (found.at(-1)?.snapshotId ?? since) : since
  const whole = found.filter(({ snapshotId }) => snapshotId > last)
  const isOne = isFull && whole.length === 0
  const rows = isOne ? await tx.scanBack(table, { since: last - 1, until: last }, ALL) : whole
  const versions = rows.map(toSeen)
  await seeKept(tx, table, versions, { into, seen })
  return { rows: versions, next: isOne ? last - 1 : last }
}

/** The versions that the snapshot that stays already has. */
async function seeKept(
  tx: Estimating,
  table: TextTable,
  versions: readonly SeenVersion[],
  { into, seen }: Pick<Found, 'into' | 'seen'>,
): Promise<void> {
  const owners = new Set(versions.map(({ owner }) => owner).filter((owner) => seen.get(owner) === undefined))
  if (owners.size === 0) return
  const name = table === 'versions' ? 'nodeKey' : 'documentId'
  const of = { [name]: [...owners], snapshotId: [into] }
  for (const { owner, op } of (await tx.scan(table, { of, limit: owners.size })).map(toSeen))
    seen.set(owner, op === 'rem' ? REMOVED : THERE)
}

interface SeenVersion {
  /** The key of the node or the id of the document. */
  owner: number
  /** Undefined for a document. */
  op: Op | undefined
  textKey: number | null
}

function toSeen(row: StoredRows[TextTable]): SeenVersion {
  const { textKey } = row
  return 'nodeKey' in row
    ? { owner: row.nodeKey, op: row.op, textKey }
    : { owner: row.documentId, op: undefined, textKey }
}

async function countTexts(store: Pick<Store, 'read'>, released: NumberMap, pruned: Pruned): Promise<void> {
  const count = async (by: ReadonlyMap<number, number>): Promise<void> => {
    for (const { key, references, bytes } of await store.read((tx) => tx.textSizes([...by.keys()]))) {
      if (references > (by.get(key) ?? 0)) continue
      pruned.texts++
      pruned.textBytes += bytes
    }
  }
  let page = new Map<number, number>()
  for (const [key, by] of released.entries()) {
    page.set(key, by)
    if (page.size < PAGE) continue
    await count(page)
    page = new Map()
  }
  await count(page)
}
