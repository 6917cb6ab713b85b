import { dirname } from 'node:path'
import type { SeedOf } from '../core/compile/seeds.ts'
import { MemoryError } from '../core/errors.ts'
import { findOutOfFiles } from '../core/open-files.ts'
import { readSmallFile } from '../util/files/small-file.ts'
import { parseJsonValue } from './parse/data/json-value.ts'

/** Maps names of folders and files to a heat, or to the names below them. `*` is every other name. */
type Seeds = Map<string, number | Seeds>

const REST = '*'

/** The initial heat of files in `file`; undefined if there is no such file. */
export function readTemperatures(file: string): SeedOf | undefined {
  try {
    const text = readSmallFile(file, { within: dirname(file) })
    return text === undefined ? undefined : parseTemperatures(text)
  } catch (error) {
    const outOfFiles = findOutOfFiles((error as Error).cause)
    if (outOfFiles) throw outOfFiles
    const reason = error instanceof Error ? error.message : String(error)
    throw new MemoryError('INVALID_INPUT', `invalid .remindb/temperatures.json: ${reason}`, { cause: error })
  }
}

/** Nested objects and keys with slashes, in any mixture. Throws an error that names the key. */
export function parseTemperatures(text: string): SeedOf {
  const json = text.replace(/^\uFEFF/, '')
  const value: unknown = json.trim() === '' ? {} : parseJsonValue(json)
  if (!isObject(value)) throw new Error('must contain one JSON object')
  const seeds: Seeds = new Map()
  addAll(seeds, [], value)
  return (path) => resolve(seeds, path.split('/'))
}

function addAll(seeds: Seeds, above: readonly string[], object: object): void {
  for (const [key, value] of Object.entries(object)) {
    const path = [...above, ...segmentsOf(key)]
    if (isObject(value)) {
      folderAt(seeds, path)
      addAll(seeds, path, value)
    } else addSeed(seeds, path, value)
  }
}

function segmentsOf(key: string): string[] {
  const path = key.replace(/^\.\//, '').replace(/\/$/, '')
  if (path === '') throw new Error(`empty key ${JSON.stringify(key)}`)
  const segments = path.split('/')
  const wrong = segments.find((segment) => ['', '.', '..'].includes(segment))
  if (wrong !== undefined)
    throw new Error(`invalid path segment ${JSON.stringify(wrong)} in key ${JSON.stringify(key)}`)
  return segments
}

function addSeed(seeds: Seeds, path: readonly string[], value: unknown): void {
  const name = JSON.stringify(path.join('/'))
  if (typeof value !== 'number') throw new Error(`unexpected type for ${name}: ${typeName(value)}`)
  if (!(value >= 0 && value <= 1)) throw new Error(`temperature for ${name} out of range [0, 1]: ${value}`)
  const folder = folderAt(seeds, path.slice(0, -1))
  const last = path.at(-1) as string
  if (folder.has(last)) throw conflict(path)
  folder.set(last, value)
}

/** The folder at a path, made if need be. */
function folderAt(seeds: Seeds, path: readonly string[]): Seeds {
  let folder = seeds
  for (const [at, segment] of path.entries()) {
    const below = folder.get(segment) ?? new Map()
    if (typeof below === 'number') throw conflict(path.slice(0, at + 1))
    folder.set(segment, below)
    folder = below
  }
  return folder
}

function conflict(path: readonly string[]): Error {
  return new Error(`conflicting temperatures for ${JSON.stringify(path.join('/'))}`)
}

function resolve(seeds: Seeds, path: readonly string[]): number | undefined {
  let folder = seeds
  let fallback: number | undefined
  for (const segment of path) {
    const rest = folder.get(REST)
    if (typeof rest === 'number') fallback = rest
    // A file called `*` cannot be named here.
    const below = segment === REST ? undefined : folder.get(segment)
    if (typeof below === 'number') return below
    if (!below) break
    folder = below
  }
  return fallback
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function typeName(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
