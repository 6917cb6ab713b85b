import { isAbsolute } from 'node:path'
import type { MemoryNodeConfig } from '../../core/files/model.ts'
import type { FileToolSetting } from '../../core/files/tool-config.ts'
import type { CustomView } from '../../core/records/custom-view.ts'
import type { CustomPattern } from '../../ingest/redact/custom.ts'
import { parseDuration, parseLifetime } from '../../util/text/duration.ts'
import { parseSize } from '../../util/text/size.ts'

export type SettingValue =
  | string
  | number
  | boolean
  | readonly string[]
  | readonly CustomPattern[]
  | readonly MemoryNodeConfig[]
  | readonly FileToolSetting[]
  | readonly CustomView[]

/** The value, or why it is refused: the tail of "<name> must be …", or the text after the name if one part of it is wrong. */
export type ParsedSetting<T = SettingValue> = { value: T } | { refused: string } | { wrongPart: string }
/** `T` is the type of the setting wherever it is used: see `Config`. */
export type ParseSetting<T = SettingValue> = (raw: unknown) => ParsedSetting<T>

/** One setting in the table. */
export interface Setting {
  /** As in `.remindb/config.json`, with dots for nesting. */
  name: string
  /** Commands that have it take `--<flag>`. */
  flag: string | null
  env: string
  default: SettingValue
  /**
   * Who decides it. `operator`: the person who runs the program, by flag, environment or user file. `project`: also the folder of
   * the memory, which may come from a stranger.
   */
  scope: 'operator' | 'project'
  help: string
  /** How a list looks in the file. */
  example?: string
  parse: ParseSetting
  /** An empty environment variable is an error. Default: it is as one that is not set. */
  refusesEmpty?: true
  /** The values that an untrusted folder may set, if an operator may set more. */
  inFolder?: (raw: unknown, stateFolder: string) => ParsedSetting
}

export function integer(min: number, max: number): ParseSetting<number> {
  return (raw) => {
    const value = numberOf(raw)
    if (Number.isSafeInteger(value) && value >= min && value <= max) return { value }
    return { refused: `a whole number from ${min} to ${max}` }
  }
}

export function fraction(): ParseSetting<number> {
  return between(0, 1)
}

export function between(min: number, max: number): ParseSetting<number> {
  return (raw) => {
    const value = numberOf(raw)
    return value >= min && value <= max ? { value } : { refused: `a number from ${min} to ${max}` }
  }
}

/** The environment gives text, the file gives booleans. */
export function flag(): ParseSetting<boolean> {
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

export interface DurationLimits {
  above?: string
  from?: string
  upTo?: string
}

/** The value stays as written; `durationMs` converts it. A number is refused: it has no unit. */
export function duration({ above, from, upTo }: DurationLimits = {}): ParseSetting<string> {
  const words = [above && `above ${above}`, from && `from ${from}`, upTo && `up to ${upTo}`]
  const limits = words.filter(Boolean).join(' and ')
  return (raw) => {
    const ms = typeof raw === 'string' ? parseDuration(raw) : undefined
    const isInRange =
      ms !== undefined &&
      (upTo === undefined || ms <= durationMs(upTo)) &&
      (from === undefined || ms >= durationMs(from)) &&
      (above === undefined || ms > durationMs(above))
    if (isInRange) return { value: raw as string }
    return { refused: `a duration ${limits ? `${limits} ` : ''}such as "30s" or "1h30m"` }
  }
}

/** A duration with days, such as 90d. The value stays as written; `lifetimeMs` converts it. */
export function lifetime({ from }: { from: string }): ParseSetting<string> {
  return (raw) => {
    const ms = typeof raw === 'string' ? parseLifetime(raw) : undefined
    if (ms !== undefined && ms >= lifetimeMs(from)) return { value: raw as string }
    return { refused: `a duration from ${from} such as "90d" or "12h"` }
  }
}

/** Of a value that was accepted. */
export function lifetimeMs(value: SettingValue): number {
  return parseLifetime(String(value)) ?? Number.NaN
}

/** Of a value that was accepted. */
export function durationMs(value: SettingValue): number {
  return parseDuration(String(value)) ?? Number.NaN
}

/** The value stays as written; `sizeBytes` converts it. */
export function size({ upTo }: { upTo?: string } = {}): ParseSetting<string | number> {
  const most = upTo === undefined ? Number.MAX_SAFE_INTEGER : sizeBytes(upTo)
  return (raw) => {
    const bytes = typeof raw === 'string' ? parseSize(raw) : raw
    return Number.isSafeInteger(bytes) && (bytes as number) > 0 && (bytes as number) <= most
      ? { value: raw as string | number }
      : { refused: `a size ${upTo ? `up to ${upTo} ` : ''}such as "10MB" or a number of bytes` }
  }
}

/** Of a value that was accepted. */
export function sizeBytes(value: SettingValue): number {
  return parseSize(String(value)) ?? Number.NaN
}

/** One of the words, or a value that `parse` accepts. */
export function either<W extends string, T>(word: W, parse: ParseSetting<T>): ParseSetting<W | T> {
  return (raw) => {
    if (raw === word) return { value: word }
    const parsed = parse(raw)
    return 'refused' in parsed ? { refused: `${parsed.refused}, or "${word}"` } : parsed
  }
}

export function oneOf<T extends string>(...values: T[]): ParseSetting<T> {
  return (raw) =>
    values.includes(raw as T)
      ? { value: raw as T }
      : { refused: values.map((value) => `"${value}"`).join(' or ') }
}

export function text({ maxLength }: { maxLength: number }): ParseSetting<string> {
  return (raw) =>
    typeof raw === 'string' && raw.trim() !== '' && raw.length <= maxLength && !/\p{Cc}/u.test(raw)
      ? { value: raw }
      : { refused: `a text of 1 to ${maxLength} characters on one line` }
}

/** In the environment separated by commas. */
export function names(): ParseSetting<readonly string[]> {
  return (raw) => {
    const list = typeof raw === 'string' ? raw.split(',').map((name) => name.trim()) : raw
    const isList = Array.isArray(list) && list.every((name) => typeof name === 'string' && name !== '')
    return isList ? { value: list } : { refused: 'a list of names' }
  }
}

/** Absolute paths: their meaning must not depend on the current folder. */
export function absolutePaths(): ParseSetting<readonly string[]> {
  const list = names()
  return (raw) => {
    const parsed = list(raw)
    const isList = 'value' in parsed && parsed.value.every((path) => isAbsolute(path))
    return isList ? parsed : { refused: 'a list of absolute paths' }
  }
}

/** In the environment as JSON. Invalid kinds and patterns are reported when they are compiled. */
export function customPatterns(): ParseSetting<readonly CustomPattern[]> {
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

/** The value of a structured setting in the environment. Undefined if it is not JSON. */
export function jsonOf(text: string): unknown {
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
  // As written in the file: without brackets, one object would look like the only possible entry.
  return value.every((item) => typeof item === 'string') ? value.join(', ') : JSON.stringify(value)
}

/** Flags and the environment give text, the file gives numbers. */
function numberOf(raw: unknown): number {
  if (typeof raw === 'number') return raw
  return typeof raw === 'string' && raw.trim() !== '' ? Number(raw) : Number.NaN
}
