import { envelopeText } from '../envelope-text.ts'
import type { MemoryResource } from '../resource.ts'

export const graph: MemoryResource = {
  uri: 'remindb://graph',
  name: 'graph',
  title: 'Graph',
  description: 'Nodes that links join, the edges between them, and links that wait for their target.',
  read: async (observer) => envelopeText(await observer.graph(), { paged: 'remindb://graph?limit=200' }),
}
