import { readEvent } from '../../../core/audit/reads.ts'
import type { MemoryResource } from '../../model/resource.ts'

export const tree: MemoryResource = {
  uri: 'remindb://tree',
  name: 'tree',
  title: 'Tree',
  scope: 'memories:read',
  description:
    'Every node below its parent, without texts. A large memory is better read in pages: remindb://tree?limit=200.',
  audited: () => [readEvent('memory_listed')],
  read: (observer) => observer.forestText({}, 'remindb://tree?limit=200'),
}
