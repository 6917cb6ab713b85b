import { createNumberSet, type NumberSet } from '../../util/number-set.ts'
import type { NodeRow } from '../port/rows.ts'
import type { ScannedVersion } from '../port/scan.ts'
import type { WriteTx } from '../port/store.ts'
import type { VersionPut } from '../port/write-set.ts'
import { pagesOf } from '../rows/stored-pages.ts'

/** A live node's text is referenced by its newest version: if that is lost, the head gets one. */
export async function adoptTexts(tx: WriteTx): Promise<void> {
  const snapshots = await snapshotIds(tx)
  for await (const page of pagesOf(tx, 'nodes')) {
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

type Versions = ReadonlyMap<number, readonly ScannedVersion[]>

async function adopt(
  tx: WriteTx,
  keys: readonly number[],
  { versions, snapshots }: { versions: Versions; snapshots: NumberSet },
): Promise<void> {
  const { head } = await tx.state()
  if (!head) throw new Error('no snapshot to hold the texts of live nodes')
  const nodes = await tx.nodes({ keys, removed: true }, 'stored')
  const adoptions = nodes.flatMap((node) => adopted(node, versions.get(node.key) ?? [], snapshots) ?? [])
  const put = adoptions.map((version) => ({ ...version, snapshotId: head.id }))
  await tx.commit({ versions: { put, remove: put } })
}

/** A version with the node's content; undefined if its text is lost too. */
export function adopted(
  node: NodeRow,
  versions: readonly ScannedVersion[],
  snapshots: Pick<NumberSet, 'has'>,
): Omit<VersionPut, 'snapshotId'> | undefined {
  const { key, parentKey, position, type, format, links, digest } = node
  if (digest === '') return undefined
  const label = versions.at(-1)?.label ?? null
  const state = { parentKey, position, type, format, links, label, digest }
  return { key, op: newestOf(versions, snapshots) ? 'mod' : 'add', state }
}

function newestOf(
  versions: readonly ScannedVersion[] | undefined,
  snapshots: Pick<NumberSet, 'has'>,
): ScannedVersion | undefined {
  return versions?.findLast(({ snapshotId }) => snapshots.has(snapshotId))
}

export async function snapshotIds(tx: WriteTx): Promise<NumberSet> {
  const ids = createNumberSet()
  for await (const page of pagesOf(tx, 'snapshots')) for (const { id } of page) ids.add(id)
  return ids
}

/** Of nodes, oldest first. */
export async function versionsOf(tx: WriteTx, keys: readonly number[]): Promise<Versions> {
  const rows = await tx.scan('versions', { of: { nodeKey: keys }, limit: Number.MAX_SAFE_INTEGER })
  return Map.groupBy(rows, ({ nodeKey }) => nodeKey)
}
