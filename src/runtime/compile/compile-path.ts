import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import {
  type CompileDeps,
  type CompileInput,
  type CompileResult as CoreResult,
  compile,
} from '../../core/compile/compile.ts'
import { reseed } from '../../core/compile/seeds.ts'
import { MemoryError, needs } from '../../core/errors.ts'
import { findOutOfFiles } from '../../core/open-files.ts'
import { listRoots } from '../../core/write/documents.ts'
import type { Redactor } from '../../ingest/redact/redactor.ts'
import { openSourceFolder } from '../../ingest/source-folder.ts'
import { readTemperatures } from '../../ingest/temperatures.ts'
import { isUnder, realOrSame } from '../../util/files/paths.ts'
import { createSpool } from '../../util/files/spool.ts'
import { formatDuration } from '../../util/text/duration.ts'
import type { NamedRoots } from '../places/named-roots.ts'
import { compileScope, type Places, STATE_FOLDER } from '../places/places.ts'
import { insideRoots } from '../places/source-jail.ts'
import type { Config } from '../settings/config.ts'
import { durationMs, sizeBytes } from '../settings/setting-values.ts'
import { announceFirstCompile } from './first-compile.ts'

/** A timer cannot wait longer: 24 days. */
const LONGEST_MS = 2 ** 31 - 1

export interface CompileResult extends CoreResult {
  /** The folder that paths in the result are relative to. */
  root: string
  /** Nodes in this memory that say something else than their file: edited, forgotten or rolled back. */
  overlays: number
  /** Nodes that got another heat by `reseedTemperatures`. */
  reseeded: number
}

export interface CompileOptions {
  message?: string
  /** Sets the heat of every node of the compiled files from `.remindb/temperatures.json`, even if nothing changed. */
  reseedTemperatures?: boolean
  onProgress?: NonNullable<CompileInput['onProgress']>
  /** Files changed more recently than this are left for the next time: another program may still be writing them. Default: 0. */
  settleMs?: number
  /**
   * For a path from an untrusted caller: only named roots of this memory are compiled, and a relative
   * path is resolved from the first of them. Otherwise the call itself names the path. Default: false.
   */
  onlyNamed?: boolean
  /** Aborts the compile: it fails with the signal's reason, and nothing of it is stored. */
  signal?: AbortSignal
}

export interface CompileParts {
  deps: Omit<CompileDeps, 'createSpool'>
  places: Places
  config: Config
  redaction: Redactor
  named: NamedRoots
  /** Called when the path that was compiled cannot be remembered as named. */
  onNotRemembered: (error: unknown) => void
}

/** Beside the database. */
export const SPOOL_PREFIX = '.compile-'
/** Parsed files are held in memory up to this size, then in a temporary file. */
const SPOOL_BYTES = 8 * 1024 * 1024

/** Compiles a folder or file on disk, as the settings say. */
export async function compilePath(
  { deps, places, config, redaction, named, onNotRemembered }: CompileParts,
  path: string,
  options: CompileOptions = {},
): Promise<CompileResult> {
  needs(typeof path === 'string', 'compile needs the path of a folder or file')
  const { store } = deps
  const { onlyNamed = false } = options
  const roots = { stored: await store.read(listRoots), named: named.list() }
  const real = onlyNamed ? insideRoots(path, roots.named) : realTarget(path)
  const { root, scope, stored: name, absorbs, linksWithin } = compileScope(places, real, roots)
  const spoolFile = (): string => join(dirname(places.db), `${SPOOL_PREFIX}${randomUUID()}.spool`)
  const seedOf = readTemperatures(join(root, STATE_FOLDER, 'temperatures.json'))
  using deadline = openDeadline(durationMs(config['compile.wall_clock_timeout']), options.signal)
  const { signal } = deadline
  const input: CompileInput = {
    root: name,
    scope,
    seedOf,
    absorbs,
    home: places.isAtHome ? places.home : null,
    folder: openSourceFolder({ root, scope, linksWithin, ...sourceOptions(config), redaction, signal }),
    message: options.message ?? `compile:${onlyNamed ? real : path}`,
    settleMs: options.settleMs ?? 0,
    signal,
  }
  const compiling = { ...deps, createSpool: <T>() => createSpool<T>(spoolFile(), SPOOL_BYTES) }
  const result = await announceFirstCompile(deps, options.onProgress, (onProgress) =>
    compile(compiling, { ...input, onProgress }),
  ).catch((error) => {
    throw findOutOfFiles(error) ?? error
  })
  const { snapshot } = result
  const reseeded =
    options.reseedTemperatures && seedOf
      ? await reseed(store, {
          root: name,
          seedOf: (file) => (isUnder(scope, file) ? seedOf(file) : undefined),
        })
      : 0
  if (!onlyNamed) {
    named.add(real)
    await named.remember(real).catch(onNotRemembered)
  }
  const overlays = await store.read((tx) => tx.countRows('overlays'))
  return { ...result, root, overlays, reseeded, snapshot: snapshot && { ...snapshot, root } }
}

function realTarget(path: string): string {
  const target = resolve(path)
  if (!existsSync(target)) throw new MemoryError('NOT_FOUND', `there is no file or folder ${path}`)
  return realOrSame(target)
}

/** How files are read. */
function sourceOptions(config: Config) {
  const maxFileSize = config['compile.max_file_size']
  const maxParallelism = config['compile.max_parallelism']
  return {
    maxNodeTokens: config['compile.max_node_tokens'],
    maxFileBytes: maxFileSize === 'none' ? Number.POSITIVE_INFINITY : sizeBytes(maxFileSize),
    // Leaves one core for concurrent searches.
    maxThreads:
      maxParallelism === 'auto' ? Math.max(1, availableParallelism() - 1) : (maxParallelism as number),
  }
}

interface Deadline extends Disposable {
  /** Aborted when the caller's is, or when the time is up. */
  signal: AbortSignal | undefined
}

/** Time for a compile, from now on. 0: as long as it takes. */
function openDeadline(timeoutMs: number, given?: AbortSignal): Deadline {
  if (timeoutMs === 0) return { signal: given, [Symbol.dispose]: () => undefined }
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(timeoutError(timeoutMs)), Math.min(timeoutMs, LONGEST_MS))
  return {
    signal: given ? AbortSignal.any([given, late.signal]) : late.signal,
    [Symbol.dispose]: () => clearTimeout(timer),
  }
}

function timeoutError(timeoutMs: number): MemoryError {
  return new MemoryError(
    'TIMEOUT',
    `failed to compile: wall-clock timeout exceeded after ${formatDuration(timeoutMs)}; raise compile.wall_clock_timeout or compile less`,
  )
}
