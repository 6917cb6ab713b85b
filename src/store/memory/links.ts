import { shownName } from '../../core/address.ts'
import { linkFilter } from '../../core/links/select.ts'
import type * as port from '../../core/port/links.ts'
import type { StoredNode } from '../../core/port/stored.ts'
import { by, comparePlaces } from '../../util/order.ts'
import type { Sync } from '../tx.ts'
import { childrenByParent, liveNodes, textOf } from './nodes.ts'
import { pick, type Tables } from './tables.ts'

type EdgePlace = Pick<port.Edge, 'sourceKey' | 'targetKey' | 'origin'>
const edgePlace = ({ sourceKey, targetKey, origin }: EdgePlace) => [sourceKey, targetKey, origin]
type PendingPlace = Pick<port.LinkRow, 'sourceKey' | 'origin' | 'place'>
const pendingPlace = ({ sourceKey, origin, place }: PendingPlace) => [
  sourceKey,
  Number(origin === 'manual'),
  place,
]

export function linkReads(tables: Tables): Sync<port.LinkReads> {
  const all = (): port.StoredLink[] => [...tables.links.values()]
  const idOf = (key: number | null): string | null => tables.nodes.get(key ?? 0)?.id ?? null

  /** Several links of one origin between two nodes are one edge; the last one tells its weight. */
  function edgesIn(links: port.StoredLink[]): port.EdgeRow[] {
    const edges = new Map<string, port.EdgeRow>()
    for (const { sourceKey, targetKey, origin, weight } of links.sort(by(({ place }) => [place]))) {
      const [sourceId, targetId] = [idOf(sourceKey), idOf(targetKey)]
      if (targetKey === null || sourceId === null || targetId === null) continue
      edges.set(`${sourceKey} ${targetKey} ${origin}`, {
        sourceKey,
        targetKey,
        origin,
        weight,
        sourceId,
        targetId,
      })
    }
    return [...edges.values()].sort(by(edgePlace))
  }
  return {
    edgesOf(keys, direction, perNode) {
      const end = direction === 'out' ? 'sourceKey' : 'targetKey'
      const newest = all().sort(by(({ id }) => [-id]))
      const links = keys.flatMap((key) => newest.filter((link) => link[end] === key).slice(0, perNode))
      return edgesIn(links)
    },
    listEdges({ limit, after }) {
      const edges = edgesIn(all()).filter(
        (edge) => !after || comparePlaces(edgePlace(edge), edgePlace(after)) > 0,
      )
      return edges.slice(0, limit)
    },
    listPending({ limit, after }) {
      const waiting = all().filter(({ targetKey, asleep }) => targetKey === null && !asleep)
      const rest = waiting.filter(
        (link) => !after || comparePlaces(pendingPlace(link), pendingPlace(after)) > 0,
      )
      const page = rest.sort(by(pendingPlace)).slice(0, limit)
      return page.map(({ sourceKey, origin, place, label, weight, source, wantedId: id }) => ({
        ...{ sourceKey, sourceId: idOf(sourceKey) ?? '', origin, place, label, weight, source, id },
        ...{ targetKey: null, targetId: null },
      }))
    },
    links: (select) =>
      all()
        .filter(linkFilter(select))
        .sort(by(({ place }) => [place])),
    linkFacts: (asked) => factsOf(tables, asked),
  }
}

function factsOf(tables: Tables, asked: port.LinkQuestion): port.LinkAnswer {
  const live = liveNodes(tables)
  const children = childrenByParent(tables)
  const names = [...tables.documentNames.values()]
  const rootsIn = (id: number) => (children.get(null) ?? []).filter((node) => node.documentId === id)
  const within = (ids: readonly number[] = []) => live.filter(({ documentId }) => ids.includes(documentId))
  const textIn = ({ digest }: StoredNode): string => textOf(tables, digest) ?? ''
  const depthOf = ({ parentKey }: StoredNode): number =>
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
