import { randomUUID } from 'node:crypto'
import { join, resolve } from 'node:path'
import type { CompileProgress } from '../../core/compile/compile-progress.ts'
import { type DoctorReport, doctor, heal } from '../../core/doctor/doctor.ts'
import { needs } from '../../core/errors.ts'
import { type ColdestInput, coldest, worthShortening } from '../../core/heat/cold-nodes.ts'
import { pin, unpin } from '../../core/heat/pin.ts'
import { type ColdReport, findColdReport, type TickResult } from '../../core/heat/tick.ts'
import { type FilesEnvelope, files } from '../../core/observe/files.ts'
import { type ForestEnvelope, type ForestInput, forest } from '../../core/observe/forest.ts'
import { type GraphEnvelope, graph } from '../../core/observe/graph.ts'
import { type OverviewEnvelope, overview } from '../../core/observe/overview.ts'
import type { Engine } from '../../core/port/store.ts'
import type { ColdRow } from '../../core/rows/heat.ts'
import { type ExportDeps, type ExportResult, exportMemory } from '../../core/transfer/export.ts'
import { type ImportDeps, type ImportResult, importMemory } from '../../core/transfer/import.ts'
import { listRoots } from '../../core/write/documents.ts'
import type { Redactor } from '../../ingest/redact/redactor.ts'
import type { RescanMeta } from '../../mcp/model/observer.ts'
import { realOrSame } from '../../util/files/paths.ts'
import { singleFlight } from '../../util/single-flight.ts'
import { createSteadyClock } from '../../util/steady-clock.ts'
import { loadXxh64 } from '../../util/text/xxh64.ts'
import { findFirstCompile } from '../compile/first-compile.ts'
import { type Rescan, type RescanParts, startRescan } from '../compile/rescan.ts'
import { createRescanLease } from '../compile/rescan-lease.ts'
import { createFolderWatcher } from '../compile/watch-folder.ts'
import { backUp, filesOf } from '../places/backups.ts'
import { locate } from '../places/locate.ts'
import {
  findNamedDocuments,
  findNamedPlaces,
  type NamedDocument,
  type NameOptions,
} from '../places/named-documents.ts'
import { createNamedRoots, type NamedRoots } from '../places/named-roots.ts'
import { type Places, placesOf, refuseLinkedState, showRoot } from '../places/places.ts'
import { insideRoots } from '../places/source-jail.ts'
import { type Config, ownFolders } from '../settings/config.ts'
import { type LiveConfig, openLiveConfig } from '../settings/live-config.ts'
import { recordSettingsOf } from '../settings/record-settings.ts'
import { createRedactor, redactionSettings } from '../settings/redaction.ts'
import { rescanSettingsOf } from '../settings/rescan-settings.ts'
import { type Temperature, temperatureOf } from '../settings/temperature.ts'
import { guard } from '../timing/handler.ts'
import { createExpiry } from '../upkeep/expiry.ts'
import { openAudit } from '../upkeep/open-audit.ts'
import { finishScrubs, startScrubs } from '../upkeep/scrubs.ts'
import {
  startTicker,
  type Ticker,
  type TickerHandlers,
  type TickerParts,
  tickOnce,
} from '../upkeep/ticker.ts'
import { boostOf, createWarmed, type ReadKind } from '../upkeep/warmed.ts'
import { createWarmer, NO_WARMER } from '../upkeep/warmer.ts'
import { type Author, createDoors } from './doors.ts'
import { createHistoryCalls } from './history-calls.ts'
import { createObserver } from './observer.ts'
import { type EngineOptions, openEngine } from './open-engine.ts'
import type { OpenOptions } from './open-options.ts'
import type { PrepareThreads } from './prepare-threads.ts'
import { createPreparer } from './preparer.ts'
import { createPruning } from './pruning.ts'
import { createReads } from './reads.ts'
import type { SharedThreads } from './shared-threads.ts'

export type { OpenOptions } from './open-options.ts'

/** After which changes by others a key may expire that was not known. */
const MAY_EXPIRE = ['key', 'rollback', 'restore', 'revert', 'import']

/** The events of a rescan, and their handlers. */
export type RescanOptions = Pick<RescanParts, 'log' | 'rescanLog'>

/** Settings that the caller has already read. */
export interface ReadSettings {
  live: LiveConfig
  /** As they were at the start. */
  config: Config
}

/** Opens a memory. Close it when done; `await using` does. */
export async function openMemory(options: OpenOptions): Promise<Memory> {
  const isNamed = typeof options?.db === 'string' && options.db !== ''
  needs(isNamed, 'openMemory needs { db }: the path of a database file or of a folder')
  const onProblem = guard(options.onProblem ?? (() => undefined))
  const { onInvalidSettings, onIgnoredSettings } = options
  const places = placesOf(options.db, options.source)
  refuseLinkedState(places)
  const live = openLiveConfig({
    flags: options.settings ?? {},
    stateFolder: places.stateFolder,
    defaults: { author: 'library' },
    onInvalid: onInvalidSettings ? guard(onInvalidSettings, onProblem) : onProblem,
    onIgnored: onIgnoredSettings ? guard(onIgnoredSettings, onProblem) : onProblem,
  })
  return openWithSettings(options, { live, config: live() })
}

/** As `openMemory`, with settings that were already read. */
export async function openWithSettings(
  options: Omit<OpenOptions, 'settings' | 'onInvalidSettings' | 'onIgnoredSettings'> &
    Pick<EngineOptions, 'readerThreads'> & { threads?: SharedThreads },
  { live, config }: ReadSettings,
): Promise<Memory> {
  const { readOnly = false } = options
  const create = !readOnly && (options.create ?? true)
  const now = createSteadyClock(options.now ?? Date.now)
  const onProblem = guard(options.onProblem ?? (() => undefined))
  const named = placesOf(options.db, options.source)
  refuseLinkedState(named)
  const redaction = await createRedactor(redactionSettings(config))
  const hash = await loadXxh64()
  const leaving = new AbortController()
  const engine = await openEngine(named, {
    ...{ config, hash, create, readOnly, now, leaving: leaving.signal, audit: options.audit },
    ...(options.onMigration ? { onMigration: options.onMigration } : {}),
    ...(options.readerThreads ? { readerThreads: options.readerThreads } : {}),
    ...(options.threads ? { threads: options.threads.store } : {}),
  })
  const temperature = () => temperatureOf(live())
  const onHeatLost = options.onHeatLost ?? onProblem
  const places = await locate(named, engine)
  const onNotRemembered = guard(options.onNotRemembered ?? onProblem, onProblem)
  const source = options.source === undefined ? undefined : realOrSame(resolve(options.source))
  const roots = createNamedRoots({
    // Not `places`: the home recorded in the database grants no permission.
    places: named,
    file: options.rememberRoots === false ? null : join(ownFolders().config, 'roots.json'),
    given: [...(source === undefined ? [] : [source]), ...config['compile.roots']],
    onProblem,
  })
  if (source !== undefined && !readOnly) await roots.remember(source).catch(onNotRemembered)
  return createMemory({
    ...{ places, live, config, temperature, engine, leaving, hash, now, readOnly },
    ...{ onProblem, onHeatLost, onNotRemembered, redaction, named: roots, audit: options.audit },
    prepareThreads: options.threads?.prepare,
  })
}

interface Parts {
  places: Places
  /** As the settings are now. */
  live: LiveConfig
  /** As they were when the memory was opened. */
  config: Config
  temperature: () => Temperature
  readOnly: boolean
  engine: Engine
  /** Ends all waiting for other processes. */
  leaving: AbortController
  hash: (text: string) => bigint
  now: () => number
  onProblem: (error: unknown) => void
  onHeatLost: (error: unknown, nodes: number) => void
  onNotRemembered: (error: unknown) => void
  redaction: Redactor
  named: NamedRoots
  prepareThreads: PrepareThreads | undefined
  audit: OpenOptions['audit']
}

export interface WriteOptions {
  /** Aborts a write: everything not stored by then never is. */
  signal?: AbortSignal | undefined
}

export interface PinOptions extends WriteOptions, Pick<Author, 'caller'> {}

/** The client on whose behalf the memory is used. */
export interface ByOptions extends WriteOptions, Pick<Author, 'owner' | 'caller'> {}

export interface CloseOptions {
  /** How long to wait for another process that writes. Default: `store.lock_wait_ms`. */
  lockWaitMs?: number
}

export interface TransferOptions {
  /** In nodes. */
  onProgress?: NonNullable<ExportDeps['onProgress']>
}

function createMemory(parts: Parts) {
  const { places, live, config, temperature, engine, hash, now, onProblem, onHeatLost, redaction } = parts
  const { named, onNotRemembered, readOnly, leaving } = parts
  const { maintenance } = engine
  const preparer = createPreparer({
    redaction,
    maxNodeTokens: config['compile.max_node_tokens'],
    threads: parts.prepareThreads,
  })
  const doors = createDoors({
    ...{ store: engine.store, sweptStore: () => store, maintenance, hash, now, places, redaction, config },
    ...{ prepare: preparer.prepare, settings: live, temperature, readOnly },
    ...{ onProblem, named, onNotRemembered },
    onExpiring: () => expiry.look(),
  })
  const expiry = createExpiry({ store: engine.store, now, expire: doors.expire, onError: onProblem })
  const store = { ...engine.store, write: expiry.write }
  const deps = { store, hash, now, redact: redaction.redact, author: config.author }
  const naming = { store, places, redact: redaction.redact }
  const toShown = (stored: string): string => showRoot(places, stored)
  const warmer = readOnly ? NO_WARMER : createWarmer({ store: engine.store, now, onError: onHeatLost })
  const audit = openAudit({
    ...{ store: engine.store, redact: redaction.redact, onError: onProblem, readOnly },
    ...{ kept: parts.audit, db: places.db, now, watch: engine.watch },
  })
  const holder = randomUUID()
  const ticking: TickerParts = {
    ...{ store: engine.store, now, temperature, holder },
    ...{ archive: doors.archiveRecords, sweep: expiry.sweep },
  }
  /** Background work until the memory is closed. */
  const jobs = new Set<{ stop(): Promise<void> }>()
  const doctorDeps = { store: engine.store, maintenance, showRoot: toShown, rootsExist: named.exist }
  const pruning = createPruning({ ...engine, now, holder, settings: live, onProblem, jobs })
  const checkUp = singleFlight(() => doctor(doctorDeps))
  const warmed = createWarmed({ warmer, temperature })
  /** `options.signal` aborts the read or write. */
  const by = (author: string, { signal, owner, caller }: ByOptions = {}) => ({
    ...doors.of({ author, signal, owner, caller }),
    ...createReads({ store, now, warmed, signal }),
  })
  const backup = (file?: string): Promise<string> =>
    backUp({ places, now }, filesOf(maintenance).backup, file)
  return {
    path: places.db,
    ...by(deps.author),
    /** The same on behalf of another author: a server acts for its clients. */
    by,
    pin: (input: { id: string; temperature?: number }, options?: PinOptions): Promise<void> =>
      pin(store, input, options),
    unpin: (id: string, options?: PinOptions): Promise<void> => unpin(store, id, options),

    /** How the nodes are linked. */
    graph: (): Promise<GraphEnvelope> => graph(store),
    /**
     * Warms these nodes, which were read, or only shown in a tree. It is stored within half a second, and when the
     * memory is closed; callers need not wait. Unknown ids are ignored.
     */
    async warm(ids: readonly string[], { by = 'read' }: { by?: ReadKind } = {}): Promise<void> {
      const isList = Array.isArray(ids) && ids.every((id) => typeof id === 'string')
      needs(isList, 'warm needs a list of the ids of nodes')
      await warmer.warm(
        ids.map((id) => ({ id })),
        boostOf(temperature(), by),
      )
    },
    /** Removes expired keys, and lets the time since the last tick cool every node, unless another process does that. */
    async tick(): Promise<TickResult> {
      await warmer.flush()
      await expiry.sweep()
      const result = await tickOnce(ticking, { report: true, keep: false })
      if (result.hours !== null) await doors.archiveRecords()
      return result
    },
    /** Ticks now and at every interval until it is stopped or the memory is closed. */
    startTicker(handlers: TickerHandlers = {}): Ticker {
      const ticker = startTicker(ticking, { onError: onProblem, ...handlers })
      jobs.add(ticker)
      return ticker
    },
    /** Removes keys the moment they expire, until the memory is closed. Without it that waits for the next write or tick. */
    startExpiry(): void {
      const stopWatching = engine.watch((kinds) => {
        if (MAY_EXPIRE.some((kind) => kinds.has(kind))) expiry.look()
      })
      const started = expiry.start()
      jobs.add({
        async stop() {
          stopWatching()
          await started.stop()
        },
      })
    },
    /** Finishes erasures that a reader or a crash interrupted, now and until the memory is closed. */
    startScrubs(): void {
      jobs.add(startScrubs({ store: engine.store, maintenance }, { onError: onProblem }))
    },
    /** Overwrites erased text on disk, if any is pending. `false`: another process is reading; retry later. */
    scrub: (options?: { wait?: boolean }): Promise<boolean> =>
      finishScrubs({ store: engine.store, maintenance }, options),
    /** The last report of cold nodes, by whichever process ticks; undefined when there was none. */
    findColdReport: (): Promise<ColdReport | undefined> => findColdReport(store, now()),
    /** The real path of a file that a client names; throws if the client must not read it. */
    namedPath: (path: string): string => insideRoots(path, named.list()),
    /** Keeps the memory in step with a folder until it is stopped or the memory is closed. */
    startRescan(folder: string, options: RescanOptions): Rescan {
      const sourceRoot = resolve(folder)
      const { compile } = by('rescan')
      // Once: a folder that is replaced by a link later was not named.
      named.add(realOrSame(sourceRoot))
      const rescan = startRescan({
        ...options,
        store: engine.store,
        sourceRoot,
        now,
        holder,
        settings: () => rescanSettingsOf(live()),
        compile: (path, given) => compile(path, { ...given, onlyNamed: true }),
        watch: createFolderWatcher(places.db),
      })
      jobs.add(rescan)
      return rescan
    },
    /** The last result of the process that keeps the memory in step with its source, if there is one. */
    findRescan: (): Promise<RescanMeta | undefined> => createRescanLease({ store, holder, now }).findMeta(),
    /** How far the first compile of this memory is, in whichever process; undefined when there is none. */
    findFirstCompile: (): Promise<CompileProgress | undefined> => findFirstCompile({ store, now }),
    /** Who did what, where clients say who they are. */
    audit,
    /** Reports every change, by this process or another, until the returned function is called. */
    watch: engine.watch,
    /** The current settings. */
    settings: live,
    /** Looks without being felt: nothing gets warmer, nothing is recorded. */
    observer: createObserver({
      store: { read: engine.store.read, query: engine.store.query },
      maintenance: { sizeBytes: maintenance.sizeBytes },
      hash,
      now,
      dbPath: places.db,
      thresholds: temperature,
      showRoot: toShown,
      doctor: checkUp,
      redact: redaction.redact,
      // Clients list them once: they would never learn of a view that is added later.
      views: () => recordSettingsOf(config).views,
      settled: doors.settled,
      placesNamed: (path) => findNamedPlaces(naming, path),
      keyResources: () => live()['keys.resources'],
    }),
    /** Nodes that are not pinned, coldest first. */
    coldest: (page?: ColdestInput): Promise<ColdRow[]> => coldest(store, page),
    /** Long unpinned nodes that were neither read nor changed for a month, coldest first. */
    worthShortening: (page: { limit: number }): Promise<ColdRow[]> => worthShortening({ store, now }, page),
    overview: (): Promise<OverviewEnvelope> =>
      overview({ store, maintenance, now, dbPath: places.db, thresholds: temperature() }),
    /** Every node below its parent, or one subtree, in one piece: for a memory of any size see `tree`. */
    forest: (input?: ForestInput): Promise<ForestEnvelope> => forest(store, input),
    files: (): Promise<FilesEnvelope> => files(store, toShown),
    /** The documents that a person may mean: by a path or as the tree shows them, by the id of a record or of a node. */
    findDocuments: (name: string, options?: NameOptions): Promise<NamedDocument[]> =>
      findNamedDocuments({ ...naming, now }, name, options),
    /** The folders that files were compiled from, absolute. */
    roots: async (): Promise<string[]> => (await store.read(listRoots)).map(toShown),
    ...createHistoryCalls(naming),
    ...pruning,
    /** Runs every check in a separate thread. Concurrent calls share one run. */
    doctor: checkUp,
    /** Repairs as much as possible; `onBackup` gets the name of the copy made before the first change. */
    heal: (onBackup?: (file: string) => void): Promise<DoctorReport> =>
      heal(doctorDeps, async (copy) => {
        const file = await backUp({ places, now }, copy)
        onBackup?.(file)
      }),
    /** A consistent copy, by default beside the database under a name with the time. Returns its name. */
    backup,
    /** Exports everything, with its history, to `write`: lines of JSON, piece by piece. */
    export: (write: ExportDeps['write'], options: TransferOptions = {}): Promise<ExportResult> =>
      exportMemory({ store, now, write, ...options }),
    /** Fills this memory, which must be empty, with an export. */
    async import(source: ImportDeps['source'], options: TransferOptions = {}): Promise<ImportResult> {
      const result = await importMemory({ ...deps, prepare: preparer.prepare, source, ...options })
      expiry.look()
      return result
    },
    /** Stores the heat and counts of reads so far immediately. Never fails. */
    flush,
    close,
    [Symbol.asyncDispose]: () => close(),
  }

  async function flush(): Promise<void> {
    await Promise.all([warmer.flush(), doors.settled(), audit.flush()])
  }

  async function close({ lockWaitMs }: CloseOptions = {}): Promise<void> {
    const timer = lockWaitMs === undefined ? undefined : setTimeout(() => leaving.abort(), lockWaitMs)
    try {
      await Promise.all([...jobs].map((job) => job.stop().catch(onProblem)))
      jobs.clear()
      await preparer.close()
      await flush()
      await audit.close()
      await engine.close()
    } finally {
      clearTimeout(timer)
    }
  }
}

export type Memory = ReturnType<typeof createMemory>
