import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { MemoryError } from '../../core/errors.ts'
import { keyAddress } from '../../core/keys/document.ts'
import type { Address } from '../../core/model.ts'
import { ID_PATTERN } from '../../core/records/check.ts'
import type { Redact } from '../../core/redact.ts'
import { findMemoryName, isMemoryUri } from '../../mcp/model/names.ts'
import { isInside, realOrSame } from '../../util/files/paths.ts'
import { type Places, showRoot, storeRoot, toSlashes } from './places.ts'

/** The context for resolving a name. */
export interface Naming {
  places: Places
  redact: Redact
  /** Compile roots, as stored. */
  roots: readonly string[]
  /** Where a path begins that is not absolute. Undefined: a path is not one on disk. */
  cwd: string | undefined
}

/**
 * The printed name of a document, as `addressesNamed` understands it: a file on disk by its whole path, all others by the
 * source that the tree shows. Notes have no source there, and are named by their id.
 */
export function documentName(places: Places, address: Address): string {
  switch (address.kind) {
    case 'source':
      return join(showRoot(places, address.root), address.path)
    case 'note':
    case 'record':
      return `${address.kind}:${address.id}`
    case 'key':
      return `key:${address.key}`
    case 'file': {
      const thread = address.scope === 'perThread' ? `@${address.thread}` : ''
      return `file:${address.node}${thread}${address.path}`
    }
  }
}

/** The same for what is below: folders too, all of a compile root, and all files of a memory. */
export function placesNamed(naming: Naming, name: string): Address[] {
  const path = name.replace(/(?<=.)\/+$/, '')
  const [, memory] = /^file:([^/]+)$/.exec(path) ?? []
  if (memory !== undefined) return [{ kind: 'file', node: memory, scope: 'global', thread: '', path: '' }]
  return [...addressesNamed(naming, path), ...rootsWithin(naming, path)]
}

function rootsWithin({ places, roots, cwd }: Naming, name: string): Address[] {
  if (cwd === undefined) return []
  const folder = realOrSame(resolve(cwd, name))
  const within = roots.filter((root) => isInside(folder, showRoot(places, root)))
  return within.map((root) => ({ kind: 'source', root, path: '' }))
}

/** Every address that a name could mean; a document need not exist there. */
export function addressesNamed(naming: Naming, name: string): Address[] {
  if (isMemoryUri(name)) return [keyOfUri(naming, name)]
  const [, door, rest = ''] = /^(key|record|note|file):(.+)$/s.exec(name) ?? []
  const behindDoors: Address[] =
    door === 'key'
      ? [keyAddress(naming.redact, rest)]
      : door === 'note'
        ? [{ kind: 'note', id: rest }]
        : door === 'file'
          ? filesNamed(rest)
          : recordsNamed(door === 'record' ? rest : name)
  return [...behindDoors, ...sourcesNamed(naming, name)]
}

function keyOfUri({ redact }: Naming, uri: string): Address {
  const found = findMemoryName(uri)
  if (found?.kind === 'key') return keyAddress(redact, found.variables.key ?? '')
  throw new MemoryError(
    'INVALID_INPUT',
    found
      ? `${uri} shows more than one document; name a record as record:… and its id, a key as key:…`
      : `${uri} can be no name of a key; name it as key:…`,
  )
}

function recordsNamed(id: string): Address[] {
  return ID_PATTERN.test(id) ? [{ kind: 'record', id: id.toLowerCase() }] : []
}

const FILE_PATH = /^(?:\/[A-Za-z0-9_. -]+)+$/

/** `memory/path` or `memory@thread/path`. Names of memory nodes and threads may have both signs in them: each is tried. */
function filesNamed(rest: string): Address[] {
  return [...rest.matchAll(/\//g)].flatMap(({ index }) => {
    const [memory, path] = [rest.slice(0, index), rest.slice(index)]
    if (memory === '' || !FILE_PATH.test(path)) return []
    const threads = [...memory.matchAll(/@/g)].map(({ index: at }) => ({
      ...{ kind: 'file' as const, scope: 'perThread' as const, path },
      ...{ node: memory.slice(0, at), thread: memory.slice(at + 1) },
    }))
    return [{ kind: 'file', node: memory, scope: 'global', thread: '', path }, ...threads]
  })
}

/** A path below any root, as the tree shows it; or a path on disk, below any root. */
function sourcesNamed({ places, roots, cwd }: Naming, name: string): Address[] {
  const shown = isAbsolute(name)
    ? []
    : ['.', ...roots].map((root) => ({ kind: 'source' as const, root, path: toSlashes(name) }))
  if (cwd === undefined) return shown
  const path = resolve(cwd, name)
  // A link that was compiled has its own name, in a folder that has its real one.
  const literal = join(realOrSame(dirname(path)), relative(dirname(path), path))
  return [...shown, ...onDisk(places, literal), ...onDisk(places, realOrSame(path))]
}

function onDisk(places: Places, path: string): Address[] {
  const addresses: Address[] = []
  for (let folder = dirname(path), last = path; folder !== last; last = folder, folder = dirname(folder))
    addresses.push({
      kind: 'source',
      root: storeRoot(places, folder),
      path: toSlashes(relative(folder, path)),
    })
  return addresses
}
