import { linkAnswer } from '../../core/links/link-answer.ts'
import { linkFilter, linkShapes } from '../../core/links/select.ts'
import type * as port from '../../core/port/links.ts'
import type { NodeRow } from '../../core/port/rows.ts'
import { by } from '../../util/text/order.ts'
import type { Sync } from '../tx.ts'
import { liveNodes, textOf } from './nodes.ts'
import { rowsOf, type Tables } from './tables.ts'

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
  const awake = rowsOf(links, ({ asleep, targetKey }) => !asleep && (targetKey === null) === pending)
  const rest = awake.filter((link) => inOrder(link, after) > 0)
  return rest.sort(inOrder).slice(0, limit)
}

export function linkReads(tables: Tables): Sync<port.LinkReads> {
  return {
    links: (select, fields = 'stored') => selected(tables, select).map(linkShapes[fields]) as never[],
    linkFacts(asked) {
      const rows = { documents: rowsOf(tables.documents), names: rowsOf(tables.documentNames) }
      const textIn = ({ digest }: NodeRow): string => textOf(tables, digest) ?? ''
      return linkAnswer(asked, { ...rows, nodes: liveNodes(tables), textOf: textIn })
    },
  }
}
