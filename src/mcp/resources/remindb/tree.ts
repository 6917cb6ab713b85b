import { listEnvelopeText } from '../envelope-text.ts'
import type { Resource } from '../resource.ts'

export const tree: Resource = {
  uri: 'remindb://tree',
  name: 'tree',
  title: 'Tree',
  description:
    'Every node below its parent, without texts. A large memory is better read in pages: remindb://tree?limit=200.',
  read: (observer) =>
    listEnvelopeText('roots', (take) => observer.eachTree({}, take), { paged: 'remindb://tree?limit=200' }),
}
