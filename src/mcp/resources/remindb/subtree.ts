import { readEvent } from '../../../core/audit/reads.ts'
import type { MemoryResource } from '../../model/resource.ts'
import { expandUri } from '../../model/uri.ts'
import { depthIn, required } from '../../model/variables.ts'
import { subtreePage } from './subtree-page.ts'

export const subtree: MemoryResource = {
  uri: 'remindb://tree/{rootId}{?depth}',
  name: 'subtree',
  title: 'Subtree',
  scope: 'memories:read',
  description: 'One node and its descendants: depth generations, or all of them.',
  audited: ({ rootId }) => [readEvent('memory_listed', { node: rootId })],
  async read(observer, variables) {
    const rootId = required(variables, 'rootId', 'tree uri missing root id')
    const paged = expandUri(subtreePage.uri, { ...variables, limit: '200' })
    return observer.forestText({ rootId, ...depthIn(variables) }, paged)
  },
}
