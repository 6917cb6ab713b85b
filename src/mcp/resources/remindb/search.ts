import { readEvent } from '../../../core/audit/reads.ts'
import { envelopeText } from '../../../core/envelope-text.ts'
import { searchJson } from '../../../core/render/find-json.ts'
import type { MemoryResource } from '../../model/resource.ts'
import { limitIn, required } from '../../model/variables.ts'

export const search: MemoryResource = {
  uri: 'remindb://search{?q,limit}',
  name: 'search',
  title: 'Search',
  scope: 'memories:read',
  description:
    'Finds nodes by words, as `remindb search --json`, without making them warmer: for dashboards. Agents use the tool.',
  audited: () => [readEvent('memory_searched')],
  async read(observer, variables) {
    const query = required(
      variables,
      'q',
      'search uri missing q; give the words to look for: remindb://search?q=…',
    )
    return envelopeText(searchJson(await observer.search({ query, ...limitIn(variables) })))
  },
}
