import type { LinksFitting } from '../port/links.ts'
import type { ReadTx, WriteTx } from '../port/store.ts'
import { pagesOf } from '../rows/stored-pages.ts'
import { createLinkEdits } from './edits.ts'
import { createTargetFinder } from './find-targets.ts'
import { askingForHeadings } from './foresee.ts'

/**
 * The links that may lead elsewhere once other nodes, with links of their own, come to those that are here: every link of these, and
 * of the others those that ask for one of these. Reads all nodes: they should be few.
 */
export async function linksToJoin(tx: Pick<ReadTx, 'scan' | 'linkFacts'>): Promise<LinksFitting> {
  const of: number[] = []
  const ids: string[] = []
  const headings = new Set<string>()
  const documents = new Set<number>()
  for await (const page of pagesOf(tx, 'nodes'))
    for (const { key, id, name, documentId, removedIn } of page) {
      if (removedIn !== null) continue
      of.push(key)
      ids.push(id)
      documents.add(documentId)
      if (name !== null) headings.add(name)
    }
  const { namesOf } = await tx.linkFacts({ namesOf: [...documents] })
  const files = [...new Set(namesOf.flatMap(({ names }) => names.map(({ name }) => name)))]
  const named = [...headings, ...files]
  return { ...askingForHeadings([...headings]), of, named, toFiles: files, intoFiles: named, toIds: ids }
}

/** Brings the links that `linksToJoin` named before to where they belong, now that the others are here. */
export async function joinLinks(
  tx: Pick<WriteTx, 'state' | 'links' | 'linkFacts' | 'commit'>,
  select: LinksFitting,
): Promise<void> {
  const [{ nextLinkId }, rows] = await Promise.all([tx.state(), tx.links(select)])
  const edits = createLinkEdits(nextLinkId)
  for (const row of rows) edits.seek(row)
  await edits.findTargets(createTargetFinder(tx))
  const set = await edits.toWriteSet(tx)
  if (set.links) await tx.commit(set)
}
