import { readEvent } from '../../../core/audit/reads.ts'
import type { MemoryResource } from '../../model/resource.ts'

export const temperature: MemoryResource = {
  uri: 'remindb://temperature',
  name: 'temperature',
  title: 'Temperature',
  scope: 'memories:read',
  description: 'How warm every node is, with a summary and its thresholds.',
  audited: () => [readEvent('memory_listed')],
  read: (observer) => observer.temperatureText('remindb://temperature?limit=200'),
}
