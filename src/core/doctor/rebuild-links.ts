import { namesToStore, renameOf } from '../links/document-names.ts'
import { createLinkEdits } from '../links/edits.ts'
import { createTargetFinder, type TargetFinder } from '../links/find-targets.ts'
import { type NodeLinks, parsedLinks, withSleep } from '../links/text-links.ts'
import { wantedBy } from '../links/wanted.ts'
import type { StoredLink } from '../port/links.ts'
import type { NodeRow } from '../port/rows.ts'
import type { ScannedNode, ScannedVersion } from '../port/scan.ts'
import type { WriteTx } from '../port/store.ts'
import type { NodePut } from '../port/write-set.ts'
import { nameOf } from '../rows/node-writes.ts'
import { pagesOf } from '../rows/stored-pages.ts'
import { newestVersions } from './checked-rows.ts'

/** Rebuilds every link from the newest versions and the manual links. */
export async function rebuildLinks(tx: WriteTx, at: number): Promise<void> {
  for await (const page of pagesOf(tx, 'nodes'))
    await repairNodes(
      tx,
      page.map(({ key }) => key),
    )
  await linkEverything(tx, at)
}

/** The same, if names and links of nodes are known to be correct. */
export async function linkEverything(tx: WriteTx, at: number): Promise<void> {
  for await (const page of pagesOf(tx, 'documents'))
    await nameDocuments(
      tx,
      page.map(({ id }) => id),
    )
  const find = createTargetFinder(tx)
  for await (const page of pagesOf(tx, 'nodes')) await linkNodes(tx, page, { find, at })
}

async function nameDocuments(tx: WriteTx, ids: number[]): Promise<void> {
  const { namesOf } = await tx.linkFacts({ namesOf: ids })
  await tx.commit(namesToStore(namesOf.map(renameOf)))
}

async function repairNodes(tx: WriteTx, keys: number[]): Promise<void> {
  const newest = await newestVersions(tx, keys)
  const puts: NodePut[] = []
  for (const before of await tx.nodes({ keys, removed: true }, 'stored')) {
    const after = expectedNode(before, newest.get(before.key))
    if (after.name !== before.name || after.links !== before.links) puts.push({ before, after })
  }
  if (puts.length > 0) await tx.commit({ nodes: puts })
}

/** The node with the name from its label, and the links of its newest version. */
export function expectedNode<N extends Pick<ScannedNode, 'type' | 'label' | 'name' | 'links' | 'removedIn'>>(
  node: N,
  newest: ScannedVersion | undefined,
): N {
  const name = node.removedIn === null ? nameOf(node.type, String(node.label)) : null
  const links = newest ? newest.links : node.links
  return { ...node, name, links }
}

async function linkNodes(
  tx: WriteTx,
  nodes: readonly ScannedNode[],
  { find, at }: { find: TargetFinder; at: number },
): Promise<void> {
  const [base, rows] = await Promise.all([tx.state(), tx.links({ of: nodes.map(({ key }) => key) })])
  const bySource = Map.groupBy(rows, ({ sourceKey }) => sourceKey)
  const edits = createLinkEdits(base.nextLinkId)
  for (const node of nodes) {
    const stored = bySource.get(node.key) ?? []
    const next = expectedLinks(node, stored, at)
    edits.replace(node.key, stored, next)
    for (const row of next.rows) edits.seek(row)
  }
  await edits.findTargets(find)
  const set = await edits.toWriteSet(tx)
  if (set.links) await tx.commit(set)
}

/** The expected links of a node, apart from their targets. */
export function expectedLinks(
  node: Pick<NodeRow, 'key' | 'documentId' | 'links' | 'removedIn'>,
  stored: readonly StoredLink[],
  at: number,
): NodeLinks {
  const isGone = node.removedIn !== null
  const { kept, added } = parsedLinks(
    stored.filter(({ origin }) => origin === 'parsed'),
    isGone ? { ...node, links: null } : node,
    at,
  )
  const manual = stored.filter(({ origin }) => origin === 'manual')
  return { rows: [...kept, ...manual].map((row) => withSleep(withWanted(row), isGone)), added }
}

function withWanted(row: StoredLink): StoredLink {
  const { name, file, section } = wantedBy({ ...row, id: row.wantedId })
  const isSame = row.name === name && row.file === file && row.section === section
  return isSame ? row : { ...row, name, file, section }
}
