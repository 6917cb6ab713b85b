import { envelopeText, listEnvelopeText } from '../envelope-text.ts'
import type { Resource } from '../resource.ts'
import { depthIn, pageIn } from '../variables.ts'

/** With a depth alone it is the nested tree, only so deep. */
export const treePage: Resource = {
  uri: 'remindb://tree{?depth,cursor,limit}',
  name: 'tree-page',
  title: 'Tree, in pages',
  description:
    'A page of the outline: nodes in document order, flat, each with its parent and depth, and next_cursor.',
  async read(observer, variables) {
    const { cursor, limit } = variables
    if (cursor === undefined && limit === undefined)
      return listEnvelopeText('roots', (take) => observer.eachTree(depthIn(variables), take), {
        paged: `remindb://tree?limit=200`,
      })
    return envelopeText(await observer.forestPage({ ...depthIn(variables), ...pageIn(variables) }))
  },
}
