import { DEFAULT_BUDGET } from '../../core/find/budget.ts'
import { either, integer, type Setting } from './setting-values.ts'

/** Default sizes of answers. Part of `SETTINGS`. */
export const BUDGET_SETTINGS = [
  {
    name: 'budgets.search',
    flag: null,
    env: 'REMINDB_BUDGETS_SEARCH',
    default: DEFAULT_BUDGET,
    scope: 'project',
    help: 'Default token budget of a search',
    parse: either('none', integer(50, 1_000_000)),
  },
  {
    name: 'budgets.fetch',
    flag: null,
    env: 'REMINDB_BUDGETS_FETCH',
    default: DEFAULT_BUDGET,
    scope: 'project',
    help: 'Default token budget of a fetch',
    parse: either('none', integer(50, 1_000_000)),
  },
  {
    name: 'budgets.fetch_batch',
    flag: null,
    env: 'REMINDB_BUDGETS_FETCH_BATCH',
    default: DEFAULT_BUDGET,
    scope: 'project',
    help: 'Default token budget of a batch of fetches',
    parse: either('none', integer(50, 1_000_000)),
  },
  {
    name: 'budgets.related',
    flag: null,
    env: 'REMINDB_BUDGETS_RELATED',
    default: 1000,
    scope: 'project',
    help: 'Default token budget of an answer about related nodes',
    parse: either('none', integer(50, 1_000_000)),
  },
] as const satisfies readonly Setting[]
