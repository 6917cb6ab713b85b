import { linkFilter } from '../../core/links/select.ts'
import type * as port from '../../core/port/links.ts'
import type { NodeRow } from '../../core/port/rows.ts'
import { by } from '../../util/order.ts'
import type { Sync } from '../tx.ts'
import { childrenByParent, liveNodes, textOf } from './nodes.ts'
import { keyOf, pick, rowsOf, type Tables } from './tables.ts'

const inOrder = by(({ sourceKey, id }: Pick<port.StoredLink, 'sourceKey' | 'id'>) => [sourceKey, id])

function selected({ links }: Tables, select: port.LinkSelect): port.StoredLink[] {
  if ('direction' in select) {
    const end = select.direction === 'out' ? 'sourceKey' : 'targetKey'
    const newest = rowsOf(links).sort(by(({ id }) => [-id]))
    const own = (key: number) => newest.filter((link) => link[end] === key).slice(0, select.newest)
    return select.keys.flatMap(own).filter(({ targetKey }) => targetKey !== null)
  }
  if (!('pending' in select)) return rowsOf(links, linkFilter(select)).sort(by(({ place }) => [place]))
  const { pending, limit, after = { sourceKey: 0, id: 0 } } = select
  const rest = rowsOf(links, ({ asleep, targetKey }) => !asleep && (targetKey === null) === pending)
  return rest
    .filter((link) => inOrder(link, after) > 0)
    .sort(inOrder)
    .slice(0, limit)
}

export function linkReads(tables: Tables): Sync<port.LinkReads> {
  return {
    links(select, fields) {
      const found = selected(tables, select)
      if (fields !== 'ends') return found as never[]
      return found.map(({ id, sourceKey, targetKey, origin, place, weight }) => {
        return { id, sourceKey, targetKey, origin, place, weight } as never
      })
    },
    linkFacts: (asked) => factsOf(tables, asked),
  }
}

function factsOf(tables: Tables, asked: port.LinkQuestion): port.LinkAnswer {
  const live = liveNodes(tables)
  const children = childrenByParent(tables)
  const names = rowsOf(tables.documentNames)
  const rootsIn = (id: number) => (children.get(null) ?? []).filter((node) => node.documentId === id)
  const textIn = ({ digest }: NodeRow): string => textOf(tables, digest) ?? ''
  const frontOf = (node: NodeRow): string[] => {
    const lists = (children.get(node.key) ?? []).filter(({ type }) => type === 'list')
    return [node, ...lists].map(textIn)
  }
  const depthOf = ({ parentKey }: NodeRow): number =>
    pick(tables.nodes, [parentKey ?? 0]).reduce((_, one) => 1 + depthOf(one), 0)

  const documentsNamed = names.filter(({ name }) => asked.documentsNamed?.includes(name))
  const headings = live.flatMap((node) => (node.name === null ? [] : { ...node, name: node.name }))
  const headingsNamed = headings.filter(({ name }) => asked.headingsNamed?.includes(name))
  const named = [...documentsNamed, ...headingsNamed].map(({ documentId }) => documentId)
  const headingsIn = headings.filter(({ documentId }) => asked.headingsIn?.includes(documentId))
  const namesIn = Map.groupBy(headingsIn, ({ documentId, name }) => keyOf(documentId, name))
  return {
    nodes: live.filter(({ id }) => asked.nodes?.includes(id)).map(({ id, key }) => ({ id, key })),
    documentsNamed,
    headingsNamed: headingsNamed.map((node) => {
      const { name, key, id, documentId } = node
      return { name, key, id, documentId, depth: depthOf(node) }
    }),
    places: pick(tables.documents, new Set([...(asked.places ?? []), ...named])).map(({ id, address }) => {
      return { documentId: id, address }
    }),
    headingsIn: [...namesIn.values()]
      .flatMap(([first]) => (first ? { documentId: first.documentId, name: first.name } : []))
      .sort(by(({ name }) => [name])),
    marksIn: live
      .filter((node) => asked.marksIn?.includes(node.documentId) && textIn(node).includes('^'))
      .sort(by(({ id }) => [id]))
      .map((node) => ({ documentId: node.documentId, key: node.key, text: textIn(node) })),
    namesOf: pick(tables.documents, asked.namesOf ?? []).map(({ id: documentId, address }) => {
      const roots = rootsIn(documentId)
      const first = roots.find(({ type }) => type !== 'preamble') ?? roots[0]
      const front = roots[0]?.type === 'preamble' ? frontOf(roots[0]) : []
      const own = names.filter((one) => one.documentId === documentId)
      const path = 'path' in address ? address.path : null
      const naming = { documentId, path, root: first?.key ?? null, front }
      return { ...naming, names: own.map(({ name, isAlias }) => ({ name, isAlias })) }
    }),
  }
}
