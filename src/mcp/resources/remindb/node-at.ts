import { readEvent } from '../../../core/audit/reads.ts'
import { envelopeText } from '../../../core/envelope-text.ts'
import { asOfJson } from '../../../core/past/as-of-text.ts'
import { fetchJson } from '../../../core/render/find-json.ts'
import type { MemoryResource } from '../../model/resource.ts'
import { required } from '../../model/variables.ts'

export const nodeAt: MemoryResource = {
  uri: 'remindb://at/{moment}/node/{id}',
  name: 'node-at',
  title: 'Node of the past',
  scope: 'memories:read',
  description:
    'One node as of a moment, with its text, all above it and its children, as `remindb fetch --json`.',
  audited: ({ id }) => [readEvent('memory_recalled', { node: id })],
  async read(observer, variables) {
    const asOf = required(variables, 'moment', 'uri of the past missing moment')
    const anchor = required(variables, 'id', 'uri of the past missing node id')
    const answer = await observer.fetch({ anchor, depth: 1, asOf })
    return envelopeText({ ...asOfJson(answer), ...fetchJson(answer) })
  },
}
