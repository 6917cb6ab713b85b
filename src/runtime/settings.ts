import type { CustomPattern } from '../ingest/redact/custom.ts'
import { parseDuration } from '../util/duration.ts'
import { parseSize } from '../util/size.ts'

/** Every setting: one table that reads, checks and documents them. */
export interface Setting {
  /** As in `.remindb/config.json`, with dots for nesting. */
  name: string
  /** Commands that have it take `--<flag>`. */
  flag: string | null
  env: string
  default: SettingValue
  help: string
  /** The value, or why it is refused: the tail of "<name> must be …". */
  parse: (raw: unknown) => { value: SettingValue } | { refused: string }
}

export type SettingValue = string | number | boolean | readonly string[] | readonly CustomPattern[]

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
    default: 0,
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
    parse: period({ above: '0', upTo: '24h' }),
  },
  {
    name: 'temperature.cold_notify_ttl',
    flag: null,
    env: 'REMINDB_TEMPERATURE_COLD_NOTIFY_TTL',
    default: '1h',
    help: 'The least time between two reports of cold nodes',
    parse: period({ upTo: '8760h' }),
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

function integer(min: number, max: number): Setting['parse'] {
  return (raw) => {
    const value = numberOf(raw)
    if (Number.isSafeInteger(value) && value >= min && value <= max) return { value }
    return { refused: `a whole number from ${min} to ${max}` }
  }
}

function fraction(): Setting['parse'] {
  return between(0, 1)
}

function between(min: number, max: number): Setting['parse'] {
  return (raw) => {
    const value = numberOf(raw)
    return value >= min && value <= max ? { value } : { refused: `a number from ${min} to ${max}` }
  }
}

/** The environment gives text, the file gives booleans. */
function flag(): Setting['parse'] {
  const values = new Map<unknown, boolean>([
    [true, true],
    [false, false],
    ['true', true],
    ['false', false],
  ])
  return (raw) => {
    const value = values.get(raw)
    return value === undefined ? { refused: 'true or false' } : { value }
  }
}

/** The value stays as it was written; `durationMs` tells how long it is. */
function period({ above, upTo }: { above?: string; upTo: string }): Setting['parse'] {
  const range = above === undefined ? `up to ${upTo}` : `above ${above} and up to ${upTo}`
  return (raw) => {
    const ms = typeof raw === 'string' ? parseDuration(raw) : undefined
    const isInRange =
      ms !== undefined && ms <= durationMs(upTo) && (above === undefined || ms > durationMs(above))
    return isInRange
      ? { value: raw as string }
      : { refused: `a duration ${range} such as "500ms" or "1h30m"` }
  }
}

/** Of a value that was accepted. */
export function durationMs(value: SettingValue): number {
  return parseDuration(String(value)) ?? Number.NaN
}

/** In milliseconds, from a text such as `1h30m`. A number is refused: it would not say of what. */
function duration(): Setting['parse'] {
  return (raw) => {
    const value = typeof raw === 'string' ? parseDuration(raw) : undefined
    return value === undefined ? { refused: 'a duration such as "30s" or "1h30m"' } : { value }
  }
}

/** In bytes. */
function size(): Setting['parse'] {
  return (raw) => {
    const value = typeof raw === 'string' ? parseSize(raw) : numberOf(raw)
    return value !== undefined && Number.isSafeInteger(value) && value > 0
      ? { value }
      : { refused: 'a size such as "10MB" or a number of bytes' }
  }
}

/** A word, or what `parse` takes. */
function either(word: string, parse: Setting['parse']): Setting['parse'] {
  return (raw) => {
    if (raw === word) return { value: word }
    const parsed = parse(raw)
    return 'value' in parsed ? parsed : { refused: `${parsed.refused}, or "${word}"` }
  }
}

function oneOf(...values: string[]): Setting['parse'] {
  return (raw) =>
    values.includes(raw as string)
      ? { value: raw as string }
      : { refused: values.map((value) => `"${value}"`).join(' or ') }
}

function text({ maxLength }: { maxLength: number }): Setting['parse'] {
  return (raw) =>
    typeof raw === 'string' && raw.trim() !== '' && raw.length <= maxLength && !/\p{Cc}/u.test(raw)
      ? { value: raw }
      : { refused: `a text of 1 to ${maxLength} characters on one line` }
}

/** In the environment with commas between them. */
function names(): Setting['parse'] {
  return (raw) => {
    const list = typeof raw === 'string' ? raw.split(',').map((name) => name.trim()) : raw
    const isList = Array.isArray(list) && list.every((name) => typeof name === 'string' && name !== '')
    return isList ? { value: list } : { refused: 'a list of names' }
  }
}

/** In the environment as JSON. What is wrong with a kind or a pattern is told by whoever compiles it. */
function customPatterns(): Setting['parse'] {
  return (raw) => {
    const list = typeof raw === 'string' ? jsonOf(raw) : raw
    const isList = Array.isArray(list) && list.every(isCustomPattern)
    return isList ? { value: list } : { refused: 'a list of {"kind": …, "pattern": …}' }
  }
}

function isCustomPattern(item: unknown): item is CustomPattern {
  if (typeof item !== 'object' || item === null) return false
  const { kind, pattern, ...rest } = item as Partial<CustomPattern>
  return typeof kind === 'string' && typeof pattern === 'string' && Object.keys(rest).length === 0
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A value as a person reads it. */
export function showSetting(value: SettingValue): string {
  if (!Array.isArray(value)) return String(value)
  if (value.length === 0) return 'none'
  return value.map((item) => (typeof item === 'string' ? item : JSON.stringify(item))).join(', ')
}

/** Flags and the environment give text, the file gives numbers. */
function numberOf(raw: unknown): number {
  if (typeof raw === 'number') return raw
  return typeof raw === 'string' && raw.trim() !== '' ? Number(raw) : Number.NaN
}
