import { plural } from '../../util/text/units.ts'
import { renameOf } from '../links/document-names.ts'
import { createTargetFinder, type TargetFinder } from '../links/find-targets.ts'
import type { StoredLink } from '../port/links.ts'
import type { ScannedNode } from '../port/scan.ts'
import type { ReadTx } from '../port/store.ts'
import { pagesOf } from '../rows/stored-pages.ts'
import { type Finding, fail, pass } from './check.ts'
import { newestVersions } from './checked-rows.ts'
import { expectedLinks, expectedNode } from './rebuild-links.ts'

interface Wrong {
  names: number
  documents: number
  states: number
  sources: number
  targets: number
}

export type LinkCheckTx = Pick<ReadTx, 'scan' | 'links' | 'linkFacts'>

/** Checks names of headings and documents, the links of texts, and link targets. */
export async function findLinkProblems(tx: LinkCheckTx): Promise<Finding> {
  const wrong: Wrong = { names: 0, documents: 0, states: 0, sources: 0, targets: 0 }
  for await (const page of pagesOf(tx, 'documents')) {
    const { namesOf } = await tx.linkFacts({ namesOf: page.map(({ id }) => id) })
    wrong.documents += namesOf.filter((naming) => renameOf(naming).changed.length > 0).length
  }
  const find = createTargetFinder(tx)
  for await (const page of pagesOf(tx, 'nodes')) await checkNodes(tx, page, { find, wrong })
  const problems = describe(wrong)
  return problems.length === 0
    ? pass('links match the texts and have the right targets')
    : fail(problems.join('; '))
}

async function checkNodes(
  tx: LinkCheckTx,
  nodes: readonly ScannedNode[],
  { find, wrong }: { find: TargetFinder; wrong: Wrong },
): Promise<void> {
  const keys = nodes.map(({ key }) => key)
  const [newest, rows] = await Promise.all([newestVersions(tx, keys), tx.links({ of: keys })])
  const bySource = Map.groupBy(rows, ({ sourceKey }) => sourceKey)
  for (const node of nodes) {
    const expected = expectedNode(node, newest.get(node.key))
    if (expected.name !== node.name) wrong.names++
    if (expected.links !== node.links) wrong.states++
    if (!isAsAsked(node, bySource.get(node.key) ?? [])) wrong.sources++
  }
  const awake = rows.filter(({ asleep }) => !asleep)
  for (const [row, target] of await find(awake)) if (row.targetKey !== target) wrong.targets++
}

/** Whether a node's links match its text, apart from their targets. */
function isAsAsked(node: ScannedNode, stored: readonly StoredLink[]): boolean {
  const { rows, added } = expectedLinks(node, stored, 0)
  const known = new Set(stored)
  return added.length === 0 && rows.length === stored.length && rows.every((row) => known.has(row))
}

function describe({ names, documents, states, sources, targets }: Wrong): string[] {
  const found: string[] = []
  if (names > 0) found.push(`${plural(names, 'heading')} cannot be found by their label`)
  if (documents > 0)
    found.push(`${plural(documents, 'document')} cannot be found by their file name or aliases`)
  if (states > 0)
    found.push(`${plural(states, 'node has', 'nodes have')} links that differ from their history`)
  if (sources > 0) found.push(`the links of ${plural(sources, 'node')} do not match their texts`)
  if (targets > 0) found.push(`${plural(targets, 'link has', 'links have')} a wrong target`)
  return found
}
