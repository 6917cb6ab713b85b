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

export type SettingValue = string | number

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
  return (raw) => {
    const value = numberOf(raw)
    return value >= 0 && value <= 1 ? { value } : { refused: 'a number from 0 to 1' }
  }
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

/** Flags and the environment give text, the file gives numbers. */
function numberOf(raw: unknown): number {
  if (typeof raw === 'number') return raw
  return typeof raw === 'string' && raw.trim() !== '' ? Number(raw) : Number.NaN
}
