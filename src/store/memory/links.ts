import { shownName } from '../../core/address.ts'
import { linkFilter } from '../../core/links/select.ts'
import type * as port from '../../core/port/links.ts'
import type { NodeRow } from '../../core/port/rows.ts'
import { by } from '../../util/order.ts'
import type { Sync } from '../tx.ts'
import { childrenByParent, liveNodes, textOf } from './nodes.ts'
import { pick, rowsOf, type Tables } from './tables.ts'

export function linkReads(tables: Tables): Sync<port.LinkReads> {
  const all = (): port.StoredLink[] => rowsOf(tables.links)

  function selected(select: port.LinkSelect): port.StoredLink[] {
    if ('direction' in select) {
      const end = select.direction === 'out' ? 'sourceKey' : 'targetKey'
      const newest = all().sort(by(({ id }) => [-id]))
      const own = (key: number) => newest.filter((link) => link[end] === key).slice(0, select.newest)
      return select.keys.flatMap(own).filter(({ targetKey }) => targetKey !== null)
    }
    if (!('pending' in select))
      return all()
        .filter(linkFilter(select))
        .sort(by(({ place }) => [place]))
    const { pending, limit, after = { sourceKey: 0, id: 0 } } = select
    const inOrder = by(({ sourceKey, id }: Pick<port.StoredLink, 'sourceKey' | 'id'>) => [sourceKey, id])
    const rest = all().filter(
      (link) => !link.asleep && (link.targetKey === null) === pending && inOrder(link, after) > 0,
    )
    return rest.sort(inOrder).slice(0, limit)
  }
  return {
    links: (select, fields) =>
      selected(select).map((link) => (fields === 'ends' ? endsOf(link) : link)) as never[],
    linkFacts: (asked) => factsOf(tables, asked),
  }
}

function endsOf({
  id,
  sourceKey,
  targetKey,
  origin,
  place,
  weight,
}: port.StoredLink): port.LinkFields['ends'] {
  return { id, sourceKey, targetKey, origin, place, weight }
}

function factsOf(tables: Tables, asked: port.LinkQuestion): port.LinkAnswer {
  const live = liveNodes(tables)
  const children = childrenByParent(tables)
  const names = rowsOf(tables.documentNames)
  const rootsIn = (id: number) => (children.get(null) ?? []).filter((node) => node.documentId === id)
  const within = (ids: readonly number[] = []) => live.filter(({ documentId }) => ids.includes(documentId))
  const textIn = ({ digest }: NodeRow): string => textOf(tables, digest) ?? ''
  const depthOf = ({ parentKey }: NodeRow): number =>
    pick(tables.nodes, [parentKey ?? 0]).reduce((_, one) => 1 + depthOf(one), 0)

  const documentsNamed = names.filter(({ name }) => asked.documentsNamed?.includes(name))
  const headings = live.filter(({ name }) => name !== null && asked.headingsNamed?.includes(name))
  const mentioned = new Set([
    ...(asked.places ?? []),
    ...[...documentsNamed, ...headings].map((one) => one.documentId),
  ])
  const headingNames = within(asked.headingsIn).flatMap(({ documentId, name }) =>
    name === null ? [] : { documentId, name },
  )
  return {
    nodes: live.filter(({ id }) => asked.nodes?.includes(id)).map(({ id, key }) => ({ id, key })),
    documentsNamed,
    headingsNamed: headings.map((node) => {
      const { name, key, id, documentId } = node
      return { name: name ?? '', key, id, documentId, depth: depthOf(node) }
    }),
    places: pick(tables.documents, mentioned).map(({ id, address }) => ({
      documentId: id,
      address,
      shown: shownName(address),
    })),
    headingsIn: [...new Map(headingNames.map((one) => [JSON.stringify(one), one])).values()].sort(
      by(({ name }) => [name]),
    ),
    marksIn: within(asked.marksIn)
      .filter((node) => textIn(node).includes('^'))
      .sort(by(({ id }) => [id]))
      .map((node) => ({ documentId: node.documentId, key: node.key, text: textIn(node) })),
    rootsOf: (asked.rootsOf ?? []).flatMap((documentId) => {
      const roots = rootsIn(documentId)
      const first = roots.find(({ type }) => type !== 'preamble') ?? roots[0]
      return first ? { documentId, key: first.key } : []
    }),
    namesOf: pick(tables.documents, asked.namesOf ?? []).flatMap(({ id: documentId, address }) => {
      const [first] = rootsIn(documentId)
      const lists = (children.get(first?.key ?? 0) ?? []).filter(({ type }) => type === 'list').map(textIn)
      const root = first
        ? { type: first.type, text: textIn(first), lists: first.type === 'preamble' ? lists : [] }
        : null
      const own = names.filter((one) => one.documentId === documentId)
      return {
        documentId,
        path: 'path' in address ? address.path : null,
        root,
        names: own.map(({ name, isAlias }) => ({ name, isAlias })),
      }
    }),
  }
}
