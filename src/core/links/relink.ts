import { slug } from '../link-parts.ts'
import type { SpaceState } from '../port/history.ts'
import type { LinkAnswer, LinksFitting, StoredLink } from '../port/links.ts'
import type { WriteTx } from '../port/store.ts'
import type { LinkChange, LinkChanges, LinkNode } from './changes.ts'
import { namesToStore, type Rename, renameOf } from './document-names.ts'
import { createLinkEdits, type LinkEdits } from './edits.ts'
import { createTargetFinder } from './find-targets.ts'
import { createKnownFacts } from './known-facts.ts'
import { linksAfter } from './text-links.ts'

type LinkTx = Pick<WriteTx, 'links' | 'linkFacts' | 'state' | 'commit'>

/** Brings links to where they belong after a transaction's changes: of its texts, and all that something changed for. */
export async function relink(
  tx: LinkTx,
  changes: LinkChanges,
  about: { at: number; base: Promise<SpaceState> | undefined },
): Promise<void> {
  if (changes.nodes.size + changes.moved.size + changes.erased.size === 0) return
  const documents = touchedDocuments(changes)
  const withPaths = documents.filter((document) => !changes.pathless.has(document))
  const asked = { namesOf: withPaths, rootsOf: withPaths, headingsIn: reorderedDocuments(changes) }
  const [base, answer, rows] = await Promise.all([
    about.base ?? tx.state(),
    hasValues(asked) ? tx.linkFacts(asked) : NO_FACTS,
    findLinks(tx, { of: sourcesToRead(changes) }),
  ])
  const known = createKnownFacts()
  known.add(asked, answer)
  const edits = createLinkEdits(base.nextLinkId)
  followTexts(edits, changes, rows, about.at)
  const renames = answer.namesOf.map(renameOf)
  const select = concernedBy(changes, { documents, renames, answer, base })
  const names = namesToStore(renames)
  // Before targets are looked for: by these names they are found.
  if (names.documentNames) await tx.commit(names)
  for (const row of await findLinks(tx, select)) edits.seek(row)
  await edits.findTargets(createTargetFinder(tx, known))
  const set = await edits.toWriteSet(tx)
  if (set.links) await tx.commit(set)
}

const NO_FACTS: LinkAnswer = {
  ...{ nodes: [], documentsNamed: [], headingsNamed: [], places: [] },
  ...{ headingsIn: [], marksIn: [], rootsOf: [], namesOf: [] },
}

function hasValues(asked: object): boolean {
  return Object.values(asked).some((list) => list.length > 0)
}

/** Nothing is asked for nothing. */
async function findLinks(tx: LinkTx, select: LinksFitting): Promise<StoredLink[]> {
  return hasValues(select) ? tx.links(select) : []
}

function isLive(node: LinkNode | null): boolean {
  return node !== null && node.removedIn === null
}

/** It came, went or came back. */
function isOther({ before, after }: LinkChange): boolean {
  return isLive(before) !== isLive(after)
}

/** Nodes that have links already, and may have others now. */
function sourcesToRead({ nodes, erased }: LinkChanges): number[] {
  const changed = [...nodes.values()].filter(
    (change) => change.before && (isOther(change) || change.before.links !== change.after.links),
  )
  return [...new Set([...changed.map(({ after }) => after.key), ...erased])]
}

function followTexts(
  edits: LinkEdits,
  { nodes, erased }: LinkChanges,
  rows: readonly StoredLink[],
  at: number,
): void {
  const bySource = Map.groupBy(rows, ({ sourceKey }) => sourceKey)
  for (const [key, change] of nodes) {
    const stored = bySource.get(key) ?? []
    const asksForNew = change.before === null && change.after.links !== null
    if (stored.length > 0 || asksForNew || change.before?.links !== change.after.links)
      edits.replace(key, stored, linksAfter(stored, change, at))
  }
  for (const key of erased) edits.replace(key, bySource.get(key) ?? [], { rows: [], added: [] })
}

function touchedDocuments({ nodes, moved }: LinkChanges): number[] {
  return [...new Set([...[...nodes.values()].map(({ after }) => after.documentId), ...moved])]
}

/** What is above a heading decides which of two in its file counts: below a node that moved, too. */
function reorderedDocuments({ nodes, moved }: LinkChanges): number[] {
  const changes = [...nodes.values()].filter(
    ({ before, after }) => isLive(before) && isLive(after) && before?.parentKey !== after.parentKey,
  )
  return [...new Set([...changes.map(({ after }) => after.documentId), ...moved])]
}

/** Every link that what changed may lead elsewhere. */
function concernedBy(
  changes: LinkChanges,
  found: {
    documents: number[]
    renames: readonly Rename[]
    answer: LinkAnswer
    base: Pick<SpaceState, 'hasLinksById'>
  },
): LinksFitting {
  const { documents, renames, answer, base } = found
  const others = [...changes.nodes.values()].filter(isOther)
  const roots = new Map(answer.rootsOf.map(({ documentId, key }) => [documentId, key]))
  const headings = new Set([...changedHeadings(changes), ...answer.headingsIn.map(({ name }) => name)])
  const files = renames.flatMap(({ documentId, kept, changed }) =>
    changes.moved.has(documentId) ? [...kept, ...changed] : changed,
  )
  const staying = renames.filter(({ documentId }) => !changes.moved.has(documentId))
  const begun = documentsWithOtherRoots(changes)
  return {
    named: [...headings, ...files],
    toFiles: files,
    intoFiles: [...headings, ...staying.flatMap(({ kept }) => kept)],
    toSections: [...new Set([...headings].map(slug))].filter((section) => section !== ''),
    toOwnBlocksOf: documents.filter((document) => !changes.fresh.has(document)),
    inDocuments: [...changes.moved],
    toIds: base.hasLinksById ? others.map(({ after }) => after.id) : [],
    astray: staying
      .filter(({ documentId }) => begun.has(documentId))
      .flatMap(({ documentId, kept }) =>
        kept.map((name) => ({ name, target: roots.get(documentId) ?? null })),
      ),
  }
}

/** Documents that may begin with another node than before: only then links to them as a whole lead elsewhere. */
function documentsWithOtherRoots({ nodes }: LinkChanges): ReadonlySet<number> {
  const changed = [...nodes.values()].filter(
    (change) => isOther(change) || change.before?.parentKey === null || change.after.parentKey === null,
  )
  return new Set(changed.map(({ after }) => after.documentId))
}

/** Names of headings that came, went or were renamed. */
function changedHeadings({ nodes }: LinkChanges): string[] {
  const names: (string | null | undefined)[] = []
  for (const change of nodes.values()) {
    const { before, after } = change
    if (isOther(change) || before?.name !== after.name) names.push(before?.name, after.name)
  }
  return names.filter((name) => typeof name === 'string')
}
