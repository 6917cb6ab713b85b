import { plural } from '../../util/terminal-units.ts'
import { pagesOf } from '../pages.ts'
import type { StoredLink } from '../port/links.ts'
import type { CheckResult, ReadTx } from '../port/store.ts'
import type { StoredNode } from '../port/stored.ts'
import { renameOf } from './document-names.ts'
import { createTargetFinder, type TargetFinder } from './find-targets.ts'
import { expectedLinks, expectedNode } from './rebuild.ts'

interface Wrong {
  names: number
  documents: number
  states: number
  sources: number
  targets: number
}

export async function checkLinks(tx: ReadTx): Promise<CheckResult> {
  const problems = await linkProblems(tx)
  return problems.length === 0
    ? { name: 'links', status: 'pass', detail: 'links agree with the texts and lead where they should' }
    : { name: 'links', status: 'fail', detail: problems.join('; ') }
}

/** What is wrong with links: names of headings, what texts ask for, and where each link leads. */
async function linkProblems(tx: ReadTx): Promise<string[]> {
  const wrong: Wrong = { names: 0, documents: 0, states: 0, sources: 0, targets: 0 }
  for await (const ids of pagesOf(tx, 'documents', ({ id }) => id)) {
    const { namesOf } = await tx.linkFacts({ namesOf: ids })
    wrong.documents += namesOf.filter((naming) => renameOf(naming).changed.length > 0).length
  }
  const find = createTargetFinder(tx)
  for await (const keys of pagesOf(tx, 'nodes', ({ key }) => key)) await checkNodes(tx, keys, find, wrong)
  return describe(wrong)
}

async function checkNodes(tx: ReadTx, keys: number[], find: TargetFinder, wrong: Wrong): Promise<void> {
  const versions = await tx.scan('versions', { of: keys, limit: Number.MAX_SAFE_INTEGER })
  const newest = new Map(versions.map((version) => [version.nodeKey, version]))
  const rows = await tx.links({ of: keys })
  const bySource = Map.groupBy(rows, ({ sourceKey }) => sourceKey)
  for (const node of await tx.storedNodes(keys)) {
    const expected = expectedNode(node, newest.get(node.key))
    if (expected.name !== node.name) wrong.names++
    if (expected.links !== node.links) wrong.states++
    if (!isAsAsked(node, bySource.get(node.key) ?? [])) wrong.sources++
  }
  const awake = rows.filter(({ asleep }) => !asleep)
  for (const [row, target] of await find(awake)) if (row.targetKey !== target) wrong.targets++
}

/** Whether a node's links are those that its text asks for, apart from their targets. */
function isAsAsked(node: StoredNode, stored: readonly StoredLink[]): boolean {
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
    found.push(`${plural(states, 'node has', 'nodes have')} other links than their history says`)
  if (sources > 0) found.push(`the links of ${plural(sources, 'node')} are not what their texts ask for`)
  if (targets > 0) found.push(`${plural(targets, 'link leads', 'links lead')} elsewhere than they should`)
  return found
}
