import { readEvent } from '../../../core/audit/reads.ts'
import type { MemoryResource } from '../../model/resource.ts'

export const graph: MemoryResource = {
  uri: 'remindb://graph',
  name: 'graph',
  title: 'Graph',
  scope: 'memories:read',
  description: 'Linked nodes, the edges between them, and links that wait for their target.',
  audited: () => [readEvent('memory_listed')],
  read: (observer) => observer.graphText('remindb://graph?limit=200'),
}
