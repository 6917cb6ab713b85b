import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { CompileProgress } from '../../core/compile/compile-progress.ts'
import type { AgentMemory } from '../../mcp/model/agent-memory.ts'
import { failureFields, reasonFields } from '../../mcp/model/errors.ts'
import type { Observer, RescanEnvelope } from '../../mcp/model/observer.ts'
import { redactSession } from '../../mcp/sessions/redact-session.ts'
import type { Attached, Registry } from '../../mcp/sessions/registry.ts'
import type { Notifier } from '../../mcp/subscriptions/notifier.ts'
import { concernedBy } from '../../mcp/subscriptions/subscribable.ts'
import type { Log } from '../../util/log.ts'
import { loadXxh64 } from '../../util/text/xxh64.ts'
import { LISTING } from '../compile/first-compile.ts'
import type { Rescan } from '../compile/rescan.ts'
import { createRescanLog } from '../compile/rescan-log.ts'
import { NEVER } from '../compile/rescan-look.ts'
import { openLedger } from '../logs/ledger.ts'
import type { Logging } from '../logs/logging.ts'
import { findSessionLog, listSessionLogs } from '../logs/session-logs.ts'
import { type Memory, type OpenOptions, openWithSettings } from '../memory/open-memory.ts'
import type { SharedThreads } from '../memory/shared-threads.ts'
import { isEmptyFolder } from '../places/check-source.ts'
import { cloudWarning, findCloudService } from '../places/cloud-folder.ts'
import { watchIdentity } from '../places/file-identity.ts'
import { placesOf } from '../places/places.ts'
import { createStateFolder } from '../places/state-folder.ts'
import type { Config } from '../settings/config.ts'
import type { LiveConfig } from '../settings/live-config.ts'
import { sessionLogFolder } from '../settings/logging-settings.ts'
import { createRedactor, redactionSettings } from '../settings/redaction.ts'
import { rescanSettingsOf } from '../settings/rescan-settings.ts'
import { durationMs, sizeBytes } from '../settings/setting-values.ts'
import { temperatureOf } from '../settings/temperature.ts'
import { createAttempt } from '../timing/best-effort.ts'
import { atMost } from '../timing/timer.ts'
import type { AuditLog } from '../upkeep/audit-log.ts'
import { type AgentClient, agentMemories } from './agent-memory.ts'
import type { Clients } from './clients.ts'
import { createCompileRuns } from './compile-runs.ts'

export interface ServedMemoryParts {
  db: string
  source: string | undefined
  /** The settings, as they are and as they were at the start. */
  live: LiveConfig
  config: Config
  logging: Pick<Logging, 'log'>
  registry: Registry
  clients: Pick<Clients, 'cold'>
  notifier: Pick<Notifier, 'touch'>
  /** Of many memories. Default: it has its own. */
  threads?: SharedThreads | undefined
  isSpace?: boolean
  /** Clients say who they are: what nobody of them does is the operator's. */
  isAudited?: boolean
}

/** A memory with everything that a running server does for it. */
export interface OpenedMemory {
  as(client: AgentClient, signal?: AbortSignal): Promise<AgentMemory>
  /** What clients have read, for the audit. */
  record: AuditLog['record']
  observer: Observer
  /** Resolves when the source was looked at for the first time; at once without a source. */
  looked: Promise<void>
  /** How far this process is with its first look; undefined when it is not compiling. */
  progress(): CompileProgress | undefined
  /**
   * How far a compile is: the first of the memory, here or in another process, or one that a client asked for and no longer waits
   * for. Undefined where there is none.
   */
  compiling(): Promise<CompileProgress | undefined>
  /** Fails when what would be written now would be lost. */
  checkIsThere(): void
  /** A client came, or is gone: the ledger has it at once. */
  sessionBegan(attached: Attached): void
  sessionEnded(attached: Attached): void
  /** Stores at once what is kept back otherwise, heat and who was here: whoever asks a server to end may kill it soon after. */
  flush(): Promise<void>
  close(): Promise<void>
}

/**
 * A memory that is being filled for the first time would answer that it knows nothing: calls wait so long for it. What is
 * larger is searched as far as it is there.
 */
const FIRST_LOOK_MS = 5000
/** A server that was asked to end does not stay because another process writes: whoever asked would kill it. */
const LAST_LOCK_WAIT_MS = 2000

export async function openServedMemory(parts: ServedMemoryParts): Promise<OpenedMemory> {
  const { db, source, live, config, registry } = parts
  const { log } = parts.logging
  const { stateFolder } = placesOf(db, source)
  // The ledger goes there in any case; where it cannot, that is a warning. Not into the empty place of a disk that is not
  // mounted: with anything in it, it would look like a source whose files were all deleted.
  const readOnly = config['server.read_only']
  if (!(existsSync(db) && source !== undefined && isEmptyFolder(source)))
    createAttempt(log, 'state folder cannot be made')(() => createStateFolder(stateFolder))
  const options: OpenOptions = {
    db,
    readOnly,
    ...(source === undefined ? {} : { source }),
    ...(parts.isSpace && {
      audit: {
        recordsOperator: parts.isAudited === true,
        retentionMs: durationMs(config['audit.retention']),
        onProblem: (error: unknown) => log.warn('serve: audit cannot be kept', reasonFields(error)),
      },
    }),
    onProblem: (error) => log.warn('serve: background work failed', failureFields(error)),
    onHeatLost: (error, nodes) =>
      log.warn('serve: what was read does not get warmer', { nodes, ...failureFields(error) }),
    onMigration: (backup) => log.info('serve: database migrated after a backup', { backup }),
    onNotRemembered: (error) => log.warn('serve: source folder not remembered', reasonFields(error)),
  }
  // One client at a time has the server over stdio to itself.
  const readerThreads = config['server.transport'] === 'http' ? threadsForReading() : 0
  const memory = await openWithSettings(
    { ...options, readerThreads, ...(parts.threads && { threads: parts.threads }) },
    { live, config },
  )
  const service = findCloudService(memory.path)
  if (service !== undefined)
    log.warn('serve: database in a synced folder', { warning: cloudWarning(service) })
  const { isNew, stopTelling } = await readFirst(memory, parts)
  const { redact } = await createRedactor(redactionSettings(config))
  const redacted = ({ session, ...others }: Attached): Attached => ({
    ...others,
    session: redactSession(redact, session),
  })
  const ledger = openLedger({
    folder: join(stateFolder, 'sessions'),
    dbPath: memory.path,
    hash: await loadXxh64(),
    list: () => registry.attached().map(redacted),
    flushIntervalMs: () => durationMs(config['server.sessions.flush_interval']),
    log,
  })
  const rescan =
    source === undefined || readOnly ? undefined : startRescan(memory, source, { config, stateFolder, log })
  const filled = rescan && isNew ? atMost(FIRST_LOOK_MS, rescan.looked) : undefined
  const firstCompile = followFirstCompile(memory, rescan, isNew)
  const runs = createCompileRuns({
    onFailure: (error) => log.error('serve: compile in the background failed', failureFields(error)),
  })
  const agentMemory = agentMemories({
    memory,
    config,
    runs,
    temperature: () => temperatureOf(memory.settings()),
  })
  if (!readOnly) startUpkeep(memory, log)
  return {
    async as(client, signal) {
      await filled
      return agentMemory(client, signal)
    },
    record: memory.audit.record,
    observer: {
      ...memory.observer,
      sessionsHistory: ledger.sessionsHistory,
      findClientHistory: ledger.findClientHistory,
      sessionsLogs: () => listSessionLogs(sessionLogFolder(stateFolder), memory.path),
      findSessionLog: (id) => findSessionLog(sessionLogFolder(stateFolder), id),
      rescan: () => rescan?.status() ?? othersRescan(memory),
    },
    checkIsThere: watchIdentity(memory.path),
    looked: rescan?.looked ?? Promise.resolve(),
    progress: () => rescan?.progress(),
    compiling: async () => (await firstCompile()) ?? runs.progress(),
    sessionBegan: (attached) => ledger.began(redacted(attached)),
    sessionEnded: (attached) => ledger.ended(redacted(attached)),
    flush() {
      ledger.flush()
      return memory.flush()
    },
    async close() {
      stopTelling()
      ledger.close()
      await atMost(LAST_LOCK_WAIT_MS, runs.stop())
      await memory.close({ lockWaitMs: LAST_LOCK_WAIT_MS })
    },
  }
}

/** Searches of several clients share the cores; one is left to who answers everybody. */
function threadsForReading(): number {
  return Math.max(1, availableParallelism() - 1)
}

/** A damaged memory can be opened. It is found out here, before anything runs for it, and let go: every call tries again. */
async function readFirst(
  memory: Memory,
  parts: ServedMemoryParts,
): Promise<{ isNew: boolean; stopTelling: () => void }> {
  try {
    return { isNew: await isEmpty(memory), stopTelling: tellChanges(memory, parts) }
  } catch (error) {
    await memory.close()
    throw error
  }
}

function startRescan(
  memory: Memory,
  source: string,
  { config, stateFolder, log }: { config: Config; stateFolder: string; log: Log },
): Rescan {
  const file = {
    enabled: config['server.rescan_files.enabled'],
    maxFileBytes: sizeBytes(config['server.rescan_files.max_file_size']),
  }
  const { append } = createRescanLog({ stateFolder, settings: () => file, log })
  return memory.startRescan(source, { log, rescanLog: append })
}

/** How far the first compile is: in this process, or in another one that fills the same memory. */
function followFirstCompile(
  memory: Memory,
  rescan: Rescan | undefined,
  isNew: boolean,
): OpenedMemory['compiling'] {
  let isLooking = rescan !== undefined
  let mayBeEmpty = isNew
  void rescan?.looked.then(() => {
    isLooking = false
  })
  return async () => {
    if (isLooking && !isNew) return rescan?.progress()
    if (isLooking) return rescan?.progress() ?? (await memory.findFirstCompile()) ?? LISTING
    mayBeEmpty &&= await isEmpty(memory)
    if (!mayBeEmpty) return undefined
    return (await memory.findFirstCompile()) ?? ((await rescan?.isOthersFirst()) ? LISTING : undefined)
  }
}

function startUpkeep(memory: Memory, log: Log): void {
  // Whoever ticks tells all of them, itself too: `tellChanges` hears of it.
  memory.startTicker({
    onCold: () => undefined,
    onArchived: (archived) => log.info('records: archived', { ...archived }),
  })
  memory.startExpiry()
  memory.startScrubs()
  memory.startPruning({ onPruned: (pruned) => log.info('history: pruned', { ...pruned }) })
}

async function isEmpty(memory: Memory): Promise<boolean> {
  return (await memory.snapshots({ limit: 1 })).length === 0
}

/** A server without a source shows what the one that has it last found. */
async function othersRescan(memory: Memory): Promise<RescanEnvelope> {
  const found = await memory.findRescan()
  if (!found) return { interval_s: 0, last_meta: NEVER }
  const { intervalMs } = rescanSettingsOf(memory.settings())
  return { interval_s: Math.ceil(intervalMs / 1000), last_meta: found }
}

/** Clients are told of what changed, whoever changed it; those of the old era also of what became cold. */
function tellChanges(memory: Memory, { notifier, clients, logging }: ServedMemoryParts): () => void {
  let toldAt = 0
  async function tellCold(): Promise<void> {
    const report = await memory.findColdReport()
    if (!report || report.at <= toldAt || report.nodes.length === 0) return
    toldAt = report.at
    clients.cold(report.nodes)
  }
  const onError = (error: unknown): void =>
    logging.log.warn('serve: changes cannot be followed', failureFields(error))
  return memory.watch(
    (kinds) => {
      for (const name of concernedBy(kinds)) notifier.touch(name)
      if (kinds.has('cold')) tellCold().catch(onError)
    },
    { onError },
  )
}
