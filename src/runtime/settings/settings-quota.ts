import { either, integer, names, type Setting, size } from './setting-values.ts'

/** What users of a team server may store. Part of `SETTINGS`. */
export const QUOTA_SETTINGS = [
  {
    name: 'quota.memories',
    flag: null,
    env: 'REMINDB_QUOTA_MEMORIES',
    default: 500,
    scope: 'operator',
    help: 'How many memories a user may have created in a space: keys, records, notes and files. Only where clients are authenticated',
    parse: either('none', integer(0, 1_000_000_000)),
  },
  {
    name: 'quota.bytes',
    flag: null,
    env: 'REMINDB_QUOTA_BYTES',
    default: '100MiB',
    scope: 'operator',
    help: 'How large their texts may be in total, in bytes of UTF-8',
    parse: either('none', size()),
  },
  {
    name: 'quota.exempt_users',
    flag: null,
    env: 'REMINDB_QUOTA_EXEMPT_USERS',
    default: [],
    scope: 'operator',
    help: 'Names of users who may store any amount',
    example: '["ada"]',
    parse: names(),
  },
] as const satisfies readonly Setting[]
