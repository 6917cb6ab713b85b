import { readEvent } from '../../../core/audit/reads.ts'
import { envelopeText } from '../../../core/envelope-text.ts'
import { diffJson } from '../../../core/render/versions-json.ts'
import type { MemoryResource } from '../../model/resource.ts'
import { pageIn, required } from '../../model/variables.ts'

export const changes: MemoryResource = {
  uri: 'remindb://changes/{from}/{to}{?cursor,limit}',
  name: 'changes',
  title: 'Changes between two moments',
  scope: 'memories:read',
  description:
    'What changed between two moments all in all, one entry for a node: add, mod, move or rem; and files that were renamed.',
  audited: () => [readEvent('history_read')],
  async read(observer, variables) {
    const from = required(variables, 'from', 'changes uri missing the first moment')
    const to = required(variables, 'to', 'changes uri missing the second moment')
    const found = await observer.changes({ from, to, ...pageIn(variables) })
    return envelopeText({
      ...{ from_snapshot_id: found.from.id, to_snapshot_id: found.to.id },
      changes: found.changes.map(({ op, ...row }) => ({ ...diffJson({ ...row, op: 'mod' }), op })),
      ...{ renamed: found.renamed, next_cursor: found.next_cursor },
    })
  },
}
