import { by } from '../../util/text/order.ts'
import type { LinkAnswer, LinkQuestion } from '../port/links.ts'
import type { NodeRow } from '../port/rows.ts'
import type { StoredDocument } from '../port/stored.ts'
import type { DocumentName } from '../port/write-set.ts'

/** The rows from which `linkFacts` is answered. */
export interface LinkSources {
  documents: readonly StoredDocument[]
  names: readonly DocumentName[]
  /** Live nodes. */
  nodes: readonly NodeRow[]
  textOf(node: NodeRow): string
}

/** Defines `linkFacts` as a function of all rows: for engines that scan them. */
export function linkAnswer(asked: LinkQuestion, sources: LinkSources): LinkAnswer {
  const { documents, names, nodes, textOf } = sources
  const headings = nodes.flatMap((node) => (node.name === null ? [] : { ...node, name: node.name }))
  const documentsNamed = names.filter(({ name }) => asked.documentsNamed?.includes(name))
  const headingsNamed = headings.filter(({ name }) => asked.headingsNamed?.includes(name))
  const mentioned = [...documentsNamed, ...headingsNamed].map(({ documentId }) => documentId)
  const placed = new Set([...(asked.places ?? []), ...mentioned])
  const marked = nodes.filter(
    (node) => asked.marksIn?.includes(node.documentId) && textOf(node).includes('^'),
  )
  return {
    nodes: nodes.filter(({ id }) => asked.nodes?.includes(id)).map(({ id, key }) => ({ id, key })),
    documentsNamed: documentsNamed.map(({ name, isAlias, documentId }) => ({ name, isAlias, documentId })),
    headingsNamed: headingsNamed.map((node) => {
      const { name, key, id, documentId } = node
      return { name, key, id, documentId, depth: depthOf(node, nodes) }
    }),
    places: documents
      .filter(({ id }) => placed.has(id))
      .map(({ id, address }) => ({ documentId: id, address })),
    headingsIn: namesIn(headings.filter(({ documentId }) => asked.headingsIn?.includes(documentId))),
    marksIn: marked
      .sort(by(({ id }) => [id]))
      .map((node) => ({ documentId: node.documentId, key: node.key, text: textOf(node) })),
    namesOf: documents
      .filter(({ id }) => asked.namesOf?.includes(id))
      .map((document) => namingOf(document, sources)),
  }
}

function depthOf({ parentKey }: NodeRow, nodes: readonly NodeRow[]): number {
  const parent = nodes.find(({ key }) => key === parentKey)
  return parent ? 1 + depthOf(parent, nodes) : 0
}

/** Each once, sorted. */
function namesIn(headings: readonly { documentId: number; name: string }[]): LinkAnswer['headingsIn'] {
  const each = new Map(
    headings.map(({ documentId, name }) => [JSON.stringify([documentId, name]), { documentId, name }]),
  )
  return [...each.values()].sort(by(({ name }) => [name]))
}

function namingOf({ id, address }: StoredDocument, sources: LinkSources): LinkAnswer['namesOf'][number] {
  const { names, nodes, textOf } = sources
  const inOrder = nodes.toSorted(by(({ position, key }) => [position, key]))
  const roots = inOrder.filter(({ documentId, parentKey }) => documentId === id && parentKey === null)
  const first = roots.find(({ type }) => type !== 'preamble') ?? roots[0]
  const front = roots.slice(0, 1).filter(({ type }) => type === 'preamble')
  const lists = inOrder.filter(({ type, parentKey }) => type === 'list' && parentKey === front[0]?.key)
  return {
    documentId: id,
    path: 'path' in address ? address.path : null,
    root: first?.key ?? null,
    front: [...front, ...lists].map(textOf),
    names: names
      .filter(({ documentId }) => documentId === id)
      .map(({ name, isAlias }) => ({ name, isAlias })),
  }
}
