import { either, integer, lifetime, type Setting } from './setting-values.ts'

/** How long a running server keeps every snapshot. Part of `SETTINGS`. */
export const HISTORY_SETTINGS = [
  {
    name: 'history.keep',
    flag: null,
    env: 'REMINDB_HISTORY_KEEP',
    default: 'all',
    scope: 'operator',
    help: 'A running server keeps every snapshot for this long, and of older ones the last of each day. all: it prunes nothing',
    parse: either('all', lifetime({ from: '1h' })),
  },
  {
    name: 'history.keep_last',
    flag: null,
    env: 'REMINDB_HISTORY_KEEP_LAST',
    default: 1000,
    scope: 'operator',
    help: 'The number of newest snapshots that pruning keeps, however old they are',
    parse: integer(1, 1_000_000_000),
  },
] as const satisfies readonly Setting[]
