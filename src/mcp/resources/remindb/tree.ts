import { envelopeText } from '../envelope-text.ts'
import type { MemoryResource } from '../resource.ts'

export const tree: MemoryResource = {
  uri: 'remindb://tree',
  name: 'tree',
  title: 'Tree',
  description:
    'Every node below its parent, without texts. A large memory is better read in pages: remindb://tree?limit=200.',
  read: async (observer) => envelopeText(await observer.forest(), { paged: 'remindb://tree?limit=200' }),
}
