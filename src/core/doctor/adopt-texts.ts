import { createNumberSet, type NumberSet } from '../../util/number-set.ts'
import type { RawVersion } from '../port/raw-rows.ts'
import type { WriteTx } from '../port/store.ts'
import type { StoredNode } from '../port/stored.ts'
import type { VersionPut } from '../port/write-set.ts'
import { pagesOf } from './pages.ts'

/** A live node's text is held by its newest version: where that one is lost, the head gets one. */
export async function adoptTexts(tx: WriteTx): Promise<void> {
  const snapshots = await snapshotIds(tx)
  for await (const page of pagesOf(tx, 'nodeRows')) {
    const live = new Map(page.flatMap((row) => (row.removedIn === null ? [[row.key, row]] : [])))
    const versions = await versionsOf(tx, [...live.keys()])
    const unheld = [...live.values()].filter(
      ({ key, textKey }) => textKey !== newestOf(versions.get(key), snapshots)?.textKey,
    )
    if (unheld.length > 0)
      await adopt(
        tx,
        unheld.map(({ key }) => key),
        { versions, snapshots },
      )
  }
}

type Versions = ReadonlyMap<number, readonly RawVersion[]>

async function adopt(
  tx: WriteTx,
  keys: readonly number[],
  { versions, snapshots }: { versions: Versions; snapshots: NumberSet },
): Promise<void> {
  const { head } = await tx.state()
  if (!head) throw new Error('there is no snapshot that could hold the texts of live nodes')
  const nodes = await tx.storedNodes({ keys })
  const put = nodes.flatMap((node) => adopted(node, versions.get(node.key) ?? [], snapshots) ?? [])
  await tx.commit({
    pastVersions: { put: put.map((version) => ({ ...version, snapshotId: head.id })), remove: [] },
  })
}

/** A version that says what the node says; undefined where its text is lost too. */
export function adopted(
  node: StoredNode,
  versions: readonly RawVersion[],
  snapshots: Pick<NumberSet, 'has'>,
): Omit<VersionPut, 'snapshotId'> | undefined {
  const { key, parentKey, position, type, format, links, digest } = node
  if (digest === null) return undefined
  const label = versions.at(-1)?.label ?? null
  const state = { parentKey, position, type, format, links, label, digest }
  return { key, op: newestOf(versions, snapshots) ? 'mod' : 'add', state }
}

function newestOf(
  versions: readonly RawVersion[] | undefined,
  snapshots: Pick<NumberSet, 'has'>,
): RawVersion | undefined {
  return versions?.findLast(({ snapshotId }) => snapshots.has(snapshotId))
}

export async function snapshotIds(tx: WriteTx): Promise<NumberSet> {
  const ids = createNumberSet()
  for await (const page of pagesOf(tx, 'snapshots')) for (const { id } of page) ids.add(id)
  return ids
}

/** Of nodes, oldest first. */
export async function versionsOf(tx: WriteTx, keys: readonly number[]): Promise<Versions> {
  const rows = await tx.scan('versionRows', { of: keys, limit: Number.MAX_SAFE_INTEGER })
  return Map.groupBy(rows, ({ nodeKey }) => nodeKey)
}
