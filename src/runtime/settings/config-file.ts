import { join } from 'node:path'
import { MemoryError } from '../../core/errors.ts'
import { findOutOfFiles } from '../../core/open-files.ts'
import { parseJsonValue } from '../../ingest/parse/data/json-value.ts'
import { readSmallFile, type SmallFileOptions } from '../../util/files/small-file.ts'
import { nearest } from '../../util/text/closest.ts'
import { quoted } from '../../util/text/quoted.ts'
import type { Setting, SettingValue } from './setting-values.ts'
import { SETTINGS, type SettingName } from './settings.ts'

/** The file of a folder, as messages call it. */
export const FOLDER_FILE = '.remindb/config.json'

/** A setting that a file has. */
export interface FileSetting {
  /** As written there. */
  raw: unknown
  value: SettingValue
}

const KNOWN_NAMES: ReadonlySet<string> = new Set(SETTINGS.map(({ name }) => name))

/** The settings in the text of a file. An unknown key or an invalid value is refused by name; `file` is its name in messages. */
export function parseConfigFile(text: string, file: string): Map<SettingName, FileSetting> {
  const flat = flatten(text, file)
  refuseUnknown(flat.keys(), ` in ${file}`)
  const settings = new Map<SettingName, FileSetting>()
  for (const setting of SETTINGS as readonly Setting[]) {
    if (!flat.has(setting.name)) continue
    const raw = flat.get(setting.name)
    const example = setting.example === undefined ? '' : `; for example ${setting.example}`
    const value = parseSetting(setting, raw, { label: `invalid ${file}: ${setting.name}`, example })
    settings.set(setting.name as SettingName, { raw, value })
  }
  return settings
}

/** The value of a setting. Throws INVALID_INPUT for one that it cannot have. */
export function parseSetting(
  setting: Setting,
  raw: unknown,
  { label, example = '' }: { label: string; example?: string },
): SettingValue {
  const parsed = setting.parse(raw)
  if ('value' in parsed) return parsed.value
  if ('wrongPart' in parsed) throw new MemoryError('INVALID_INPUT', `${label}${parsed.wrongPart}`)
  throw new MemoryError('INVALID_INPUT', `${label} must be ${parsed.refused}, got ${quoted(raw)}${example}`)
}

/** The file of settings in a `.remindb` folder, or in the user's own. */
export function configPath(folder: string): string {
  return join(folder, 'config.json')
}

export interface ConfigTextOptions extends Pick<SmallFileOptions, 'within'> {
  /** The name of the file in messages. Default: its path. */
  name?: string
}

/** The settings of a file; empty if it does not exist. */
export function readConfigText(path: string, { name = path, ...options }: ConfigTextOptions = {}): string {
  try {
    return readSmallFile(path, options) ?? ''
  } catch (error) {
    const outOfFiles = findOutOfFiles((error as Error).cause)
    if (outOfFiles) throw outOfFiles
    const isForbidden = /\((EACCES|EPERM)\)$/.test((error as Error).message)
    const what = isForbidden ? 'give read permission to it and its folder' : 'repair or remove it'
    const message = `${name} ${(error as Error).message}; ${what}`
    if (isForbidden) throw new MemoryError('FORBIDDEN', message, { cause: error })
    throw new MemoryError('INVALID_INPUT', message, { cause: error })
  }
}

function flatten(text: string, file: string): Map<string, unknown> {
  const flat = new Map<string, unknown>()
  const json = text.replace(/^\uFEFF/, '')
  if (json.trim() !== '') flattenInto(flat, '', parseJson(json, file), file)
  return flat
}

function parseJson(text: string, file: string): unknown {
  try {
    return parseJsonValue(text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new MemoryError('INVALID_INPUT', `failed to parse ${file}: ${reason}`, { cause: error })
  }
}

function flattenInto(flat: Map<string, unknown>, prefix: string, value: unknown, file: string): void {
  const isLeaf =
    typeof value !== 'object' || value === null || Array.isArray(value) || KNOWN_NAMES.has(prefix)
  // An empty object that is not a section is a value too: otherwise a misspelt key could hide behind it.
  if (isLeaf || (Object.keys(value).length === 0 && prefix !== '' && !isSection(prefix))) {
    if (prefix === '') throw new MemoryError('INVALID_INPUT', `${file} must contain one JSON object`)
    flat.set(prefix, value)
    return
  }
  for (const [key, inner] of Object.entries(value))
    flattenInto(flat, prefix ? `${prefix}.${key}` : key, inner, file)
}

function isSection(prefix: string): boolean {
  return namesIn(prefix).length > 0
}

function namesIn(section: string): string[] {
  return [...KNOWN_NAMES].filter((name) => name.startsWith(`${section}.`))
}

export function refuseUnknown(names: Iterable<string>, where: string): void {
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

/** Only the nearest names: the whole list would be too long to read. */
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
