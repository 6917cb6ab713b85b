import type { CustomPattern } from '../ingest/redact/custom.ts'

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

export type SettingValue = string | number | readonly string[] | readonly CustomPattern[]

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
