import { delimiter, join } from 'node:path'
import { MemoryError } from '../core/errors.ts'
import { parseJsonValue } from '../ingest/parse/json-value.ts'
import { nearest } from '../util/closest.ts'
import { quoted } from '../util/quoted.ts'
import { readSmallFile } from '../util/small-file.ts'
import type { Setting, SettingValue } from './setting-values.ts'
import { SETTINGS, type SettingName } from './settings.ts'
import { type UserFolders, userFolders } from './user-folders.ts'

/** Where a value came from, strongest first. */
export type Origin = 'flag' | 'config' | 'environment' | 'default'

export interface Effective {
  name: SettingName
  value: SettingValue
  origin: Origin
}

export type Config = Record<SettingName, SettingValue>

export interface ConfigInput {
  /** Values given on the command line or by a caller, by setting name. */
  flags?: Partial<Record<SettingName, unknown>>
  /** The `.remindb` folder, or null where there is none. */
  stateFolder: string | null
  /** What its `config.json` says, where that was read already. */
  text?: string
  env?: NodeJS.ProcessEnv
  /** What applies when nobody says anything, where that is not the table's default. */
  defaults?: Partial<Config>
}

const CONFIG_FILE = '.remindb/config.json'

const KNOWN_NAMES: ReadonlySet<string> = new Set(SETTINGS.map(({ name }) => name))

/** Every setting with its value and where it came from. An unknown key or a bad value is refused by name. */
export function loadConfig({
  flags = {},
  stateFolder,
  text = readConfigText(stateFolder),
  env = process.env,
  defaults = {},
}: ConfigInput): Effective[] {
  const file = flatten(text)
  refuseUnknown(file.keys(), ` in ${CONFIG_FILE}`)
  refuseUnknown(Object.keys(flags), '')
  return SETTINGS.map((setting: Setting) => {
    const found = effective(setting, flags, file, env)
    const value = found.origin === 'default' ? (defaults[found.name] ?? found.value) : found.value
    return { ...found, value }
  })
}

export function toConfig(effective: Effective[]): Config {
  return Object.fromEntries(effective.map(({ name, value }) => [name, value])) as Config
}

/** The database named by the environment, if any. */
export function environmentDb(env: NodeJS.ProcessEnv = process.env): string | undefined {
  return env.REMINDB_DB || undefined
}

/** The folder that a server watches, as the environment names it, if any. */
export function environmentSource(env: NodeJS.ProcessEnv = process.env): string | undefined {
  return env.REMINDB_SOURCE || undefined
}

/** The folders of the person who runs the program. */
export function ownFolders(env: NodeJS.ProcessEnv = process.env): UserFolders {
  return userFolders({ env })
}

/** Whether to colour: as a person asked for, else as the output is. `FORCE_COLOR` wins, as it does in Node. */
export function colorChoice(env: NodeJS.ProcessEnv = process.env): 'always' | 'never' | 'auto' {
  if (env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '')
    return ['0', 'false'].includes(env.FORCE_COLOR) ? 'never' : 'always'
  return env.NO_COLOR || env.TERM === 'dumb' ? 'never' : 'auto'
}

/** Whether to show where an unexpected error came from. */
export function isDebugging(env: NodeJS.ProcessEnv = process.env): boolean {
  return env.REMINDB_DEBUG !== undefined && !['', '0'].includes(env.REMINDB_DEBUG)
}

/** The folders in which a shell looks for programs. */
export function programFolders(env: NodeJS.ProcessEnv = process.env): string[] {
  return (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
}

function effective(
  setting: Setting,
  flags: Partial<Record<string, unknown>>,
  file: Map<string, unknown>,
  env: NodeJS.ProcessEnv,
): Effective {
  const name = setting.name as SettingName
  const given = (raw: unknown, origin: Origin, label: string): Effective => {
    const parsed = setting.parse(raw)
    if ('value' in parsed) return { name, value: parsed.value, origin }
    if ('wrongPart' in parsed) throw new MemoryError('INVALID_INPUT', `${label}${parsed.wrongPart}`)
    const example = setting.example === undefined ? '' : `; for example ${setting.example}`
    throw new MemoryError(
      'INVALID_INPUT',
      `${label} must be ${parsed.refused}, got ${quoted(raw)}${origin === 'config' ? example : ''}`,
    )
  }
  if (flags[name] !== undefined) return given(flags[name], 'flag', setting.flag ? `--${setting.flag}` : name)
  if (file.has(name)) return given(file.get(name), 'config', `invalid ${CONFIG_FILE}: ${name}`)
  const fromEnv = env[setting.env]
  if (fromEnv) return given(fromEnv, 'environment', setting.env)
  return { name, value: setting.default, origin: 'default' }
}

export function configPath(stateFolder: string): string {
  return join(stateFolder, 'config.json')
}

/** What `config.json` says; empty where there is none. */
export function readConfigText(stateFolder: string | null): string {
  if (stateFolder === null) return ''
  try {
    return readSmallFile(configPath(stateFolder), { within: stateFolder }) ?? ''
  } catch (error) {
    const isForbidden = /\((EACCES|EPERM)\)$/.test((error as Error).message)
    const what = isForbidden ? 'give read permission to it and its folder' : 'repair or remove it'
    const message = `${CONFIG_FILE} ${(error as Error).message}; ${what}`
    if (isForbidden) throw new MemoryError('FORBIDDEN', message, { cause: error })
    throw new MemoryError('INVALID_INPUT', message, { cause: error })
  }
}

function flatten(text: string): Map<string, unknown> {
  const flat = new Map<string, unknown>()
  const json = text.replace(/^\uFEFF/, '')
  if (json.trim() !== '') flattenInto(flat, '', parseJson(json))
  return flat
}

function parseJson(text: string): unknown {
  try {
    return parseJsonValue(text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new MemoryError('INVALID_INPUT', `failed to parse ${CONFIG_FILE}: ${reason}`, { cause: error })
  }
}

function flattenInto(flat: Map<string, unknown>, prefix: string, value: unknown): void {
  const isLeaf =
    typeof value !== 'object' || value === null || Array.isArray(value) || KNOWN_NAMES.has(prefix)
  // An empty object that is no section is a value too: otherwise a misspelt key could hide behind it.
  if (isLeaf || (Object.keys(value).length === 0 && prefix !== '' && !isSection(prefix))) {
    if (prefix === '') throw new MemoryError('INVALID_INPUT', `${CONFIG_FILE} must hold one JSON object`)
    flat.set(prefix, value)
    return
  }
  for (const [key, inner] of Object.entries(value))
    flattenInto(flat, prefix ? `${prefix}.${key}` : key, inner)
}

function isSection(prefix: string): boolean {
  return namesIn(prefix).length > 0
}

function namesIn(section: string): string[] {
  return [...KNOWN_NAMES].filter((name) => name.startsWith(`${section}.`))
}

function refuseUnknown(names: Iterable<string>, where: string): void {
  for (const key of names) {
    if (KNOWN_NAMES.has(key)) continue
    const inside = namesIn(key).map((name) => name.slice(key.length + 1))
    throw new MemoryError(
      'INVALID_INPUT',
      inside.length > 0
        ? `${quoted(key)}${where} must be an object with ${inside.join(', ')}`
        : `unknown key ${quoted(key)}${where}; ${hintFor(key)}`,
    )
  }
}

/** All of them would be a page that nobody reads. */
function hintFor(key: string): string {
  const near = nearest(key, [...KNOWN_NAMES])
  const elsewhere = [...KNOWN_NAMES].filter((name) => name.endsWith(`.${key}`))
  const meant = near.length > 0 ? near : elsewhere
  if (meant.length > 0) return `did you mean ${meant.join(' or ')}?`
  const [section = ''] = key.split('.')
  const inside = namesIn(section)
  if (inside.length > 0)
    return `${section} has ${inside.map((name) => name.slice(section.length + 1)).join(', ')}`
  const sections = new Set([...KNOWN_NAMES].map((name) => name.split('.')[0]))
  return `there are ${[...sections].join(', ')}`
}
