import { readEvent } from '../../../core/audit/reads.ts'
import type { MemoryResource } from '../../model/resource.ts'
import { expandUri } from '../../model/uri.ts'
import { snapshotIn } from '../../model/variables.ts'
import { diffsPage } from './diffs-page.ts'

export const diffs: MemoryResource = {
  uri: 'remindb://snapshots/{id}/diffs',
  name: 'diffs',
  title: 'Diffs',
  scope: 'memories:read',
  description: 'The changes of one snapshot to each node, with the text before and after.',
  audited: ({ id }) => [readEvent('history_read', { snapshot: id })],
  async read(observer, variables) {
    const paged = expandUri(diffsPage.uri, { ...variables, limit: '200' })
    return observer.diffsText(snapshotIn(variables), paged)
  },
}
