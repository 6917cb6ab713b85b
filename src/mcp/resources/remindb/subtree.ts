import { listEnvelopeText } from '../envelope-text.ts'
import type { Resource } from '../resource.ts'
import { expandUri } from '../uri.ts'
import { depthIn, required } from '../variables.ts'
import { subtreePage } from './subtree-page.ts'

export const subtree: Resource = {
  uri: 'remindb://tree/{rootId}{?depth}',
  name: 'subtree',
  title: 'Subtree',
  description: 'One node and what is below it: depth generations, or all of them.',
  async read(observer, variables) {
    const rootId = required(variables, 'rootId', 'tree uri missing root id')
    const paged = expandUri(subtreePage.uri, { ...variables, limit: '200' })
    const input = { rootId, ...depthIn(variables) }
    return listEnvelopeText('roots', (take) => observer.eachTree(input, take), { paged })
  },
}
