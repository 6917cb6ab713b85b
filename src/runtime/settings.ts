import {
  between,
  customPatterns,
  duration,
  either,
  flag,
  fraction,
  integer,
  names,
  oneOf,
  type ParseSetting,
  type SettingValue,
  size,
  text,
} from './setting-values.ts'

/** Every setting: one table that reads, checks and documents them. */
export interface Setting {
  /** As in `.remindb/config.json`, with dots for nesting. */
  name: string
  /** Commands that have it take `--<flag>`. */
  flag: string | null
  env: string
  default: SettingValue
  help: string
  parse: ParseSetting
}

export const SETTINGS = [
  {
    name: 'author',
    flag: 'author',
    env: 'REMINDB_AUTHOR',
    default: 'cli',
    help: 'Who is recorded on snapshots',
    parse: text({ maxLength: 200 }),
  },
  {
    name: 'compile.max_node_tokens',
    flag: 'max-node-tokens',
    env: 'REMINDB_COMPILE_MAX_NODE_TOKENS',
    default: 1000,
    help: 'Longer blocks are split, so that one node stays fetchable',
    parse: integer(50, 1_000_000),
  },
  {
    name: 'compile.max_file_size',
    flag: 'max-file-size',
    env: 'REMINDB_COMPILE_MAX_FILE_SIZE',
    default: 'none',
    help: 'Larger files are reported and skipped',
    parse: either('none', size()),
  },
  {
    name: 'compile.max_parallelism',
    flag: null,
    env: 'REMINDB_COMPILE_MAX_PARALLELISM',
    default: 'auto',
    help: 'Threads that parse. auto: one less than there are cores',
    parse: either('auto', integer(1, 256)),
  },
  {
    name: 'compile.wall_clock_timeout',
    flag: 'timeout',
    env: 'REMINDB_COMPILE_WALL_CLOCK_TIMEOUT',
    default: '0',
    help: 'A compile that takes longer is given up, and nothing of it is stored. 0: it may take as long as it takes',
    parse: duration(),
  },
  {
    name: 'redaction.disable_builtin_kinds',
    flag: null,
    env: 'REMINDB_REDACTION_DISABLE_BUILTIN_KINDS',
    default: [],
    help: 'Secrets of these kinds are stored as they are',
    parse: names(),
  },
  {
    name: 'redaction.custom',
    flag: null,
    env: 'REMINDB_REDACTION_CUSTOM',
    default: [],
    help: 'Patterns for secrets of your own',
    parse: customPatterns(),
  },
  {
    name: 'store.synchronous',
    flag: null,
    env: 'REMINDB_STORE_SYNCHRONOUS',
    default: 'full',
    help: 'full: acknowledged writes survive power loss. normal: faster, they survive a crash of the process only',
    parse: oneOf('full', 'normal'),
  },
  {
    name: 'store.lock_wait_ms',
    flag: null,
    env: 'REMINDB_STORE_LOCK_WAIT_MS',
    default: 120_000,
    help: 'How long a write waits for another process that is writing',
    parse: integer(0, 3_600_000),
  },
  {
    name: 'temperature.enabled',
    flag: null,
    env: 'REMINDB_TEMPERATURE_ENABLED',
    default: true,
    help: 'false: heat stands still; nothing cools',
    parse: flag(),
  },
  {
    name: 'temperature.decay_rate',
    flag: null,
    env: 'REMINDB_TEMPERATURE_DECAY_RATE',
    default: 0.05,
    help: 'How fast heat is lost: by this share in an hour, about',
    parse: between(0, 1000),
  },
  {
    name: 'temperature.access_boost',
    flag: null,
    env: 'REMINDB_TEMPERATURE_ACCESS_BOOST',
    default: 0.15,
    help: 'How much a node is warmed by being read',
    parse: fraction(),
  },
  {
    name: 'temperature.tree_boost',
    flag: null,
    env: 'REMINDB_TEMPERATURE_TREE_BOOST',
    default: 0.015,
    help: 'How much a node is warmed by being shown in a tree',
    parse: fraction(),
  },
  {
    name: 'temperature.cold_threshold',
    flag: null,
    env: 'REMINDB_TEMPERATURE_COLD_THRESHOLD',
    default: 0.1,
    help: 'Nodes below this heat count as cold',
    parse: fraction(),
  },
  {
    name: 'temperature.hot_threshold',
    flag: null,
    env: 'REMINDB_TEMPERATURE_HOT_THRESHOLD',
    default: 0.5,
    help: 'Nodes at or above this heat count as hot',
    parse: fraction(),
  },
  {
    name: 'temperature.notify_threshold',
    flag: null,
    env: 'REMINDB_TEMPERATURE_NOTIFY_THRESHOLD',
    default: 0.1,
    help: 'Nodes that fall below this heat are reported',
    parse: fraction(),
  },
  {
    name: 'temperature.summarize_rebound',
    flag: null,
    env: 'REMINDB_TEMPERATURE_SUMMARIZE_REBOUND',
    default: 0.5,
    help: 'Heat of a node that was just summarized',
    parse: fraction(),
  },
  {
    name: 'temperature.tick_interval',
    flag: null,
    env: 'REMINDB_TEMPERATURE_TICK_INTERVAL',
    default: '5m',
    help: 'How often a running server lets nodes cool',
    parse: duration({ above: '0', upTo: '24h' }),
  },
  {
    name: 'temperature.cold_notify_ttl',
    flag: null,
    env: 'REMINDB_TEMPERATURE_COLD_NOTIFY_TTL',
    default: '1h',
    help: 'The least time between two reports of cold nodes',
    parse: duration({ upTo: '8760h' }),
  },
  {
    name: 'temperature.cold_notify_limit',
    flag: null,
    env: 'REMINDB_TEMPERATURE_COLD_NOTIFY_LIMIT',
    default: 50,
    help: 'The most nodes in one report',
    parse: integer(1, 10_000),
  },
] as const satisfies readonly Setting[]

export type SettingName = (typeof SETTINGS)[number]['name']
