import type { SpaceState } from '../port/history.ts'
import type { DocumentNaming, LinkAnswer, LinksFitting, StoredLink } from '../port/links.ts'
import type { WriteTx } from '../port/store.ts'
import { type LinkChange, type LinkChanges, type LinkNode, mayHaveAliases } from './changes.ts'
import { namesToStore, type Rename, renameOf } from './document-names.ts'
import { createLinkEdits, type LinkEdits } from './edits.ts'
import { createTargetFinder } from './find-targets.ts'
import { askingForHeadings } from './foresee.ts'
import type { KnownDocuments } from './known-documents.ts'
import { createKnownFacts } from './known-facts.ts'
import type { KnownLinks } from './known-links.ts'
import { linksAfter } from './text-links.ts'

type LinkTx = Pick<WriteTx, 'links' | 'linkFacts' | 'state' | 'commit'>

/** Updates links after a transaction's changes: those of changed texts, and those whose target may have changed. */
export async function relink(
  tx: LinkTx,
  changes: LinkChanges,
  about: {
    at: number
    base: Promise<SpaceState> | undefined
    known: KnownLinks
    documents: Pick<KnownDocuments, 'namingOf'>
  },
): Promise<void> {
  const { nodes, plain, moved, erased } = changes
  if (nodes.size + plain.size + moved.size + erased.size === 0) return
  const { naming, left } = nameDocuments(changes, about.documents)
  const asked = { namesOf: left, headingsIn: reorderedDocuments(changes) }
  const [base, { headingsIn, ...found }, rows] = await Promise.all([
    about.base ?? tx.state(),
    hasValues(asked) ? tx.linkFacts(asked) : NO_FACTS,
    about.known.find(tx, { of: sourcesToRead(changes) }),
  ])
  const known = createKnownFacts()
  known.add(asked, { ...found, headingsIn })
  const namesOf = [...naming, ...found.namesOf]
  const edits = createLinkEdits(base.nextLinkId)
  followTexts(edits, changes, rows, about.at)
  const renames = namesOf.map(renameOf)
  // In a memory without links none is concerned, and a first compile would ask for every name in it.
  const select = base.nextLinkId > 1 ? concernedBy(changes, { renames, namesOf, headingsIn, base }) : {}
  const names = namesToStore(renames)
  // Before finding targets, which are found by these names.
  if (names.documentNames) await tx.commit(names)
  for (const row of await about.known.find(tx, select)) edits.seek(row)
  await edits.findTargets(createTargetFinder(tx, known))
  const set = await edits.toWriteSet(tx)
  if (set.links) await tx.commit(set)
}

const NO_FACTS: LinkAnswer = {
  ...{ nodes: [], documentsNamed: [], headingsNamed: [], places: [] },
  ...{ headingsIn: [], marksIn: [], namesOf: [] },
}

function hasValues(asked: object): boolean {
  return Object.values(asked).some((list) => list.length > 0)
}

function isLive(node: LinkNode | null): boolean {
  return node !== null && node.removedIn === null
}

/** Whether it was added, removed or restored. */
function isOther({ before, after }: LinkChange): boolean {
  return isLive(before) !== isLive(after)
}

/** Nodes that may have stored links and may change them. */
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

/** The names and first nodes of documents that may have changed; `left`: documents whose names must be read. */
function nameDocuments(changes: LinkChanges, documents: Pick<KnownDocuments, 'namingOf'>) {
  const naming: DocumentNaming[] = []
  const left: number[] = []
  for (const id of documentsToName(changes)) {
    const known = documents.namingOf(id)
    if (known) naming.push(known)
    else left.push(id)
  }
  return { naming, left }
}

function documentsToName({ nodes, moved, pathless }: LinkChanges): number[] {
  const documents = new Set(moved)
  for (const change of nodes.values()) {
    const { documentId } = change.after
    if (!pathless.has(documentId) && (change.hasMarks || isRootChange(change) || isAliasChange(change)))
      documents.add(documentId)
  }
  return [...documents]
}

/** A root was added, removed or moved: the document may begin with another node. */
function isRootChange(change: LinkChange): boolean {
  const { before, after } = change
  const wasRoot = isLive(before) && before?.parentKey === null
  const isRoot = isLive(after) && after.parentKey === null
  if (!wasRoot && !isRoot) return false
  return wasRoot !== isRoot || before?.position !== after.position || before?.type !== after.type
}

function isAliasChange({ before, after }: LinkChange): boolean {
  const isSame = (what: 'digest' | 'type' | 'parentKey'): boolean => before?.[what] === after[what]
  if (isSame('digest') && isSame('type') && isSame('parentKey')) return false
  return mayHaveAliases(after) || (before !== null && mayHaveAliases(before))
}

/** Existing documents that had blocks, or have some now. */
function documentsWithMarks({ nodes, fresh }: LinkChanges): number[] {
  const documents = new Set<number>()
  for (const { hasMarks, after } of nodes.values()) if (hasMarks) documents.add(after.documentId)
  return [...documents].filter((document) => !fresh.has(document))
}

/** The depth of a heading decides which of two in its file is the target: also below a node that moved. */
function reorderedDocuments({ nodes, moved }: LinkChanges): number[] {
  const changes = [...nodes.values()].filter(
    ({ before, after }) => isLive(before) && isLive(after) && before?.parentKey !== after.parentKey,
  )
  return [...new Set([...changes.map(({ after }) => after.documentId), ...moved])]
}

/** Every link whose target may have changed. */
function concernedBy(
  changes: LinkChanges,
  found: {
    renames: readonly Rename[]
    namesOf: readonly DocumentNaming[]
    headingsIn: LinkAnswer['headingsIn']
    base: Pick<SpaceState, 'hasLinksById'>
  },
): LinksFitting {
  const { renames, namesOf, headingsIn, base } = found
  const others = [...changes.nodes.values()].filter(isOther)
  const roots = new Map(namesOf.map(({ documentId, root }) => [documentId, root]))
  const headings = new Set([...changedHeadings(changes), ...headingsIn.map(({ name }) => name)])
  const files = renames.flatMap(({ documentId, kept, changed }) =>
    changes.moved.has(documentId) ? [...kept, ...changed] : changed,
  )
  const staying = renames.filter(({ documentId }) => !changes.moved.has(documentId))
  const begun = documentsWithOtherRoots(changes)
  return {
    ...askingForHeadings([...headings]),
    named: [...headings, ...files],
    toFiles: files,
    intoFiles: [...headings, ...staying.flatMap(({ kept }) => kept)],
    toOwnBlocksOf: documentsWithMarks(changes),
    inDocuments: [...changes.moved],
    toIds: base.hasLinksById ? [...others.map(({ after }) => after.id), ...changes.plain.values()] : [],
    astray: staying
      .filter(({ documentId }) => begun.has(documentId))
      .flatMap(({ documentId, kept }) =>
        kept.map((name) => ({ name, target: roots.get(documentId) ?? null })),
      ),
  }
}

/** Documents that may begin with another node: only then do links to the whole document change. */
function documentsWithOtherRoots({ nodes }: LinkChanges): ReadonlySet<number> {
  const changed = [...nodes.values()].filter(isRootChange)
  return new Set(changed.map(({ after }) => after.documentId))
}

/** Names of headings that were added, removed or renamed. */
function changedHeadings({ nodes }: LinkChanges): string[] {
  const names: (string | null | undefined)[] = []
  for (const change of nodes.values()) {
    const { before, after } = change
    if (isOther(change) || before?.name !== after.name) names.push(before?.name, after.name)
  }
  return names.filter((name) => typeof name === 'string')
}
