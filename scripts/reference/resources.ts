import { RESOURCES } from '../../src/mcp/resources/list.ts'
import { findSubscribable } from '../../src/mcp/subscriptions/subscribable.ts'
import { anchorOf, code, type GeneratedTable, prose } from './table.ts'

const ours = RESOURCES.filter(({ uri }) => uri.startsWith('remindb://'))
const isPage = (uri: string) => uri.includes('cursor')

export function resourceTables(): GeneratedTable[] {
  const rows = ours
    .filter(({ uri }) => !isPage(uri))
    .map(({ uri, description }) => [
      `[${code(uri)}](${anchorOf(uri)})`,
      findSubscribable(uri) ? 'yes' : 'no',
      prose(description),
    ])
  const pages = ours
    .filter(({ uri }) => isPage(uri))
    .map(({ uri, description }) => [code(uri), prose(description)])
  return [
    { heading: 'Resources', columns: ['URI', 'updates', 'what'], rows },
    { heading: 'Pages', columns: ['URI', 'what'], rows: pages },
  ]
}
