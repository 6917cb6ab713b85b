import { randomUUID } from 'node:crypto'
import type { WriteCaller } from '../../core/access/principal.ts'
import { checkAddress } from '../../core/address.ts'
import type { DoorDeps } from '../../core/doors/put-text.ts'
import type { TextLimit } from '../../core/doors/text-limit.ts'
import { createMemoryNode } from '../../core/files/door.ts'
import {
  type Checkpoint,
  type CheckpointInput,
  makeCheckpoint,
  removeCheckpoint,
} from '../../core/history/checkpoint.ts'
import { type EraseResult, erase } from '../../core/history/erase.ts'
import { previewRestore, type RestoreInput, restore } from '../../core/history/restore.ts'
import { previewRevert, type RevertInput, revert } from '../../core/history/revert.ts'
import { type RollbackInput, type RollbackResult, rollback } from '../../core/history/rollback.ts'
import type { UndoPreview, UndoResult } from '../../core/history/undo.ts'
import { createKeyDoor, type KeyDoor } from '../../core/keys/door.ts'
import type { Address } from '../../core/model.ts'
import type { Maintenance, Store } from '../../core/port/store.ts'
import type { Prepare } from '../../core/prepare.ts'
import { type Archived, archiveRecords } from '../../core/records/archive.ts'
import { createRecordDoor, type RecordDoor } from '../../core/records/door.ts'
import { createTreeDoor } from '../../core/tree/door.ts'
import type { SummarizeDeps } from '../../core/tree/summarize.ts'
import type { WriteBackDeps } from '../../core/tree/write-back.ts'
import {
  createWriteBackFile,
  createWriteBackKey,
  createWriteBackRecord,
} from '../../core/tree/write-back-doors.ts'
import type { OperationDeps } from '../../core/write/operation.ts'
import { normalizeText } from '../../ingest/parse/whitespace.ts'
import type { Redactor } from '../../ingest/redact/redactor.ts'
import {
  type CompileOptions,
  type CompileParts,
  type CompileResult,
  compilePath,
} from '../compile/compile-path.ts'
import { listBackups } from '../places/backups.ts'
import { type Places, storeRoot } from '../places/places.ts'
import type { Config } from '../settings/config.ts'
import { keyLimitsOf } from '../settings/key-limits.ts'
import { recordSettingsOf } from '../settings/record-settings.ts'
import { sizeBytes } from '../settings/setting-values.ts'
import type { Temperature } from '../settings/temperature.ts'
import { createTouches, NO_TOUCHES, type Touches } from '../upkeep/touches.ts'
import { boostOf } from '../upkeep/warmed.ts'
import type { Preparer } from './preparer.ts'

export interface DoorParts
  extends Omit<OperationDeps, 'author' | 'redact'>,
    Pick<CompileParts, 'named' | 'onNotRemembered'> {
  /** As `store`, for changes to nodes of any door: expired keys are removed first. */
  sweptStore: () => Store
  maintenance: Maintenance
  places: Places
  redaction: Redactor
  prepare: Preparer['prepare']
  /** As they were when the memory was opened. */
  config: Config
  /** As they are now. */
  settings: () => Config
  temperature: () => Temperature
  /** Accesses are not counted. */
  readOnly: boolean
  onProblem: (error: unknown) => void
  /** A key was stored that has an end, or one may be there again. */
  onExpiring: () => void
}

/** Nothing is changed. */
export interface DryRun {
  dryRun?: boolean
}

/** The author of writes. Work that `signal` aborts before it is stored never is. */
export interface Author {
  author: string
  signal?: AbortSignal | undefined
  /** Threads of files exist only within it. Default: callers that name the same thread share it. */
  owner?: string | undefined
  /** The authenticated author. */
  caller?: WriteCaller | undefined
}

/** The shared parts of the doors, for one author. */
interface SharedDeps extends DoorDeps {
  maintenance: Pick<Maintenance, 'scrub'>
  touch: Touches['touch']
  settled: Touches['settled']
}

/** The four doors to a memory: the tree, records, keys and files. They are created for an author, who signs the writes. */
export function createDoors(parts: DoorParts) {
  const { store, maintenance, hash, now, places, config, redaction, temperature, onProblem } = parts
  const { redact } = redaction
  const maxNodeTokens = config['compile.max_node_tokens']
  const boost = (): number => boostOf(temperature(), 'read')
  const touches = parts.readOnly ? NO_TOUCHES : createTouches({ store, now, boost, onError: onProblem })

  const recordLimits = () => recordSettingsOf(parts.settings()).limits
  const keyLimits = () => keyLimitsOf(parts.settings())
  const fileLimit = () => fileLimitOf(parts.settings())
  const writeBack: WriteBackDeps['doors'] = {
    record: createWriteBackRecord(recordLimits),
    key: createWriteBackKey(keyLimits),
    file: createWriteBackFile(fileLimit),
  }

  function sharedDeps({ author, signal, caller }: Author): SharedDeps {
    const prepare: Prepare = (preparation, input) => parts.prepare(preparation, input, signal)
    return { store, maintenance, hash, now, redact, author, signal, caller, prepare, ...touches }
  }

  /** For the tree, whose nodes may belong to any door. */
  function treeDeps(by: Author): SummarizeDeps {
    const noteLimit = noteLimitOf(parts.settings())
    const shared = { ...sharedDeps(by), store: parts.sweptStore(), doors: writeBack, noteLimit }
    return { ...shared, maxNodeTokens, rebound: temperature().rebound, normalize: normalizeText }
  }

  function treeOf(by: Author) {
    const { author, signal, caller } = by
    const signed = { store: parts.sweptStore(), hash, now, redact, author, signal, caller }
    return {
      ...createTreeDoor({ writing: () => treeDeps(by), linking: signed }),
      /** Updates the memory from a folder or file. */
      compile: (path: string, options?: CompileOptions): Promise<CompileResult> =>
        compilePath({ ...parts, deps: signed }, path, withSignal(options, signal)),
      /** Restores the content of the memory at a snapshot. */
      async rollback(input: RollbackInput): Promise<RollbackResult> {
        const result = await rollback({ ...signed, maintenance }, input)
        parts.onExpiring()
        return result
      },
      /** Brings one node or document back to what it was at a snapshot. `dryRun` only shows the changes. */
      async restore(given: RestoreInput & DryRun): Promise<UndoResult | UndoPreview> {
        const { dryRun = false, ...input } = Object(given) as typeof given
        const stored = withStoredAddress(places, input)
        if (dryRun) return previewRestore({ store, now }, stored)
        const result = await restore(signed, stored)
        parts.onExpiring()
        return result
      },
      /** Undoes snapshots without touching what others changed. `dryRun` only shows the changes. */
      async revert(given: RevertInput & DryRun): Promise<UndoResult | UndoPreview> {
        const { dryRun = false, ...input } = Object(given) as typeof given
        if (dryRun) return previewRevert({ store, now }, input)
        const result = await revert(signed, input)
        parts.onExpiring()
        return result
      },
      /** Names the newest snapshot, or another one. It is never pruned, and can be named wherever a moment is. */
      checkpoint: (input: CheckpointInput): Promise<Checkpoint> => makeCheckpoint(signed, input),
      removeCheckpoint: (name: string): Promise<void> => removeCheckpoint(signed, name),
      /** Removes every trace of one document's text; a tombstone stays. */
      async erase(address: Address): Promise<EraseResult & { backups: string[] }> {
        checkAddress(address)
        const result = await erase({ ...signed, maintenance }, toStored(places, address))
        return { ...result, backups: listBackups(places) }
      },
    }
  }

  function keysOf(by: Author): KeyDoor {
    return createKeyDoor({
      reads: { store, now, redact, flushAccesses: touches.settled },
      writes: { ...sharedDeps(by), limits: keyLimits },
      touch: touches.touch,
      onExpiring: parts.onExpiring,
    })
  }

  function recordsOf(by: Author): RecordDoor {
    const writing = { ...sharedDeps(by), randomId: randomUUID, limits: recordLimits, boost }
    const { touch, settled: flushAccesses } = touches
    return createRecordDoor({ store, redact, touch, flushAccesses, writing })
  }

  function filesOf(by: Author) {
    const writing = () => ({ ...sharedDeps(by), limit: fileLimit() })
    return createMemoryNode.bind(null, { store, redact, now, owner: by.owner, touch: touches.touch, writing })
  }

  return {
    of: (by: Author) => ({
      ...treeOf(by),
      /** Values under keys. */
      keys: keysOf(by),
      /** Records of an assistant: facts, learnings, tasks. */
      records: recordsOf(by),
      /** Files that agents keep by path: the backend of the `memory` tool and of connectors. */
      memoryNode: filesOf(by),
    }),
    settled: touches.settled,
    expire: keysOf({ author: 'expiry' }).expire,
    /** Archives the records that are due, unless the settings say that none is. */
    async archiveRecords(): Promise<Archived> {
      const { archival, limits } = recordSettingsOf(parts.settings())
      if (!archival) return { learnings: 0, tasks: 0 }
      // A record accessed a moment ago must not count as unused.
      await touches.settled()
      return archiveRecords({ store, hash, now, redact, author: 'archival' }, limits, archival)
    },
  }
}

function withSignal(options: CompileOptions = {}, signal: AbortSignal | undefined): CompileOptions {
  const signals = [options.signal, signal].filter((one) => one !== undefined)
  return signals.length === 0 ? options : { ...options, signal: AbortSignal.any(signals) }
}

function withStoredAddress(places: Places, input: RestoreInput): RestoreInput {
  if (!('document' in input)) return input
  checkAddress(input.document)
  return { ...input, document: toStored(places, input.document) }
}

function toStored(places: Places, address: Address): Address {
  return address.kind === 'source' ? { ...address, root: storeRoot(places, address.root) } : address
}

/** Of a file of the files door. */
function fileLimitOf(config: Config): TextLimit {
  return limitOf(config, 'files.max_file_bytes')
}

/** For the input of one write to the tree. */
function noteLimitOf(config: Config): TextLimit {
  return limitOf(config, 'notes.max_bytes')
}

function limitOf(config: Config, setting: 'files.max_file_bytes' | 'notes.max_bytes'): TextLimit {
  return { maxBytes: sizeBytes(config[setting]), setting }
}
