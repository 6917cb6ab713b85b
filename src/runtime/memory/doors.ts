import { randomUUID } from 'node:crypto'
import { checkAddress } from '../../core/address.ts'
import type { DoorDeps } from '../../core/doors/put-text.ts'
import { createMemoryNode } from '../../core/files/service.ts'
import { type EraseResult, erase } from '../../core/history/erase.ts'
import { type RollbackInput, type RollbackResult, rollback } from '../../core/history/rollback.ts'
import { createKeyDoor, type KeyDoor } from '../../core/keys/key-door.ts'
import type { Address } from '../../core/model.ts'
import type { Maintenance, Store } from '../../core/port/store.ts'
import type { Prepare } from '../../core/prepare.ts'
import { type Archived, archiveRecords } from '../../core/records/archive-records.ts'
import { createRecordDoor, type RecordDoor } from '../../core/records/record-door.ts'
import { type ForgetMode, type ForgetResult, forget } from '../../core/tree/forget.ts'
import {
  type RelateInput,
  type RelateResult,
  type RelateTarget,
  relate,
  unrelate,
} from '../../core/tree/relate.ts'
import { type SummarizeInput, type SummarizeResult, summarize } from '../../core/tree/summarize.ts'
import { type WriteDeps, type WriteInput, type WriteResult, write } from '../../core/tree/write.ts'
import type { WriteBackDeps } from '../../core/tree/write-back.ts'
import { createWriteBackFile } from '../../core/tree/write-back-file.ts'
import { createWriteBackKey } from '../../core/tree/write-back-key.ts'
import { createWriteBackRecord } from '../../core/tree/write-back-record.ts'
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
import type { Temperature } from '../settings/temperature.ts'
import { fileLimitOf, noteLimitOf } from '../settings/text-limits.ts'
import { createTouches, NO_TOUCHES, type Touches } from '../upkeep/touches.ts'
import { boostOf } from '../upkeep/warmed.ts'
import type { Preparer } from './preparer.ts'

export interface DoorParts
  extends Omit<OperationDeps, 'author' | 'redact'>,
    Pick<CompileParts, 'named' | 'onNotRemembered'> {
  /** As `store`, for what changes nodes of any door: what has expired is removed before. */
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
  /** What is asked for is not counted. */
  readOnly: boolean
  onProblem: (error: unknown) => void
  /** A key was stored that has an end, or one may be there again. */
  onExpiring: () => void
}

/** Who writes. What `signal` gives up before it is stored never is. */
export interface Author {
  author: string
  signal?: AbortSignal | undefined
  /** Threads of files exist only within it. Default: callers that name the same thread share it. */
  owner?: string | undefined
}

/** What doors share, in the name of one author. */
interface SharedDeps extends DoorDeps {
  maintenance: Pick<Maintenance, 'scrub'>
  touch: Touches['touch']
  settled: Touches['settled']
}

/** The four doors to a memory: the tree, records, keys and files. They are made for an author, who signs what is written. */
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

  function sharedDeps({ author, signal }: Author): SharedDeps {
    const prepare: Prepare = (preparation, input) => parts.prepare(preparation, input, signal)
    return { store, maintenance, hash, now, redact, author, signal, prepare, ...touches }
  }

  /** For the tree, whose nodes may be of any door. */
  function treeDeps(author: Author): SharedDeps & WriteDeps {
    const noteLimit = noteLimitOf(parts.settings())
    return { ...sharedDeps(author), store: parts.sweptStore(), doors: writeBack, noteLimit }
  }

  function treeOf(by: Author) {
    const { author, signal } = by
    const signed = { store: parts.sweptStore(), hash, now, redact, author, signal }
    return {
      /** Brings the memory to what a folder or file says. */
      compile: (path: string, options?: CompileOptions): Promise<CompileResult> =>
        compilePath({ ...parts, deps: signed }, path, withSignal(options, signal)),
      /** Stores a note, puts one under a node (`parent`), or gives a node a new text (`anchor`). */
      write: async (input: WriteInput): Promise<WriteResult> => write(treeDeps(by), input),
      /** Replaces a node's text by a shorter one. */
      async summarize(input: SummarizeInput): Promise<SummarizeResult> {
        const { rebound } = temperature()
        const deps = { ...treeDeps(by), maxNodeTokens, rebound, normalize: normalizeText }
        return summarize(deps, input)
      },
      /** Removes a node. */
      forget: async (input: { id: string; mode?: ForgetMode }): Promise<ForgetResult> =>
        forget(treeDeps(by), input),
      /** Makes the memory say again what it said at a snapshot. */
      async rollback(input: RollbackInput): Promise<RollbackResult> {
        const result = await rollback({ ...signed, maintenance }, input)
        parts.onExpiring()
        return result
      },
      /** Links two nodes by hand; a target that is not there yet is waited for. */
      relate: (input: RelateInput): Promise<RelateResult> => relate(signed, input),
      /** Takes a manual link away; returns how many there were. */
      unrelate: (input: RelateTarget): Promise<number> => unrelate(signed, input),
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
      reads: { store, now, redact, settled: touches.settled },
      writes: { ...sharedDeps(by), limits: keyLimits },
      touch: touches.touch,
      onExpiring: parts.onExpiring,
    })
  }

  function recordsOf(by: Author): RecordDoor {
    const writing = { ...sharedDeps(by), randomId: randomUUID, limits: recordLimits, boost }
    return createRecordDoor({ store, redact, ...touches, writing })
  }

  function filesOf(by: Author) {
    const writing = () => ({ ...sharedDeps(by), limit: fileLimit() })
    return createMemoryNode.bind(null, { store, redact, owner: by.owner, touch: touches.touch, writing })
  }

  return {
    of: (by: Author) => ({
      ...treeOf(by),
      /** Values under keys. */
      keys: keysOf(by),
      /** What an assistant keeps: facts, learnings, tasks. */
      records: recordsOf(by),
      /** Files that agents keep by path: what the `memory` tool and connectors are wired to. */
      memoryNode: filesOf(by),
    }),
    settled: touches.settled,
    expire: keysOf({ author: 'expiry' }).expire,
    /** Archives the records that are due, unless the settings say that none is. */
    async archiveRecords(): Promise<Archived> {
      const { archival, limits } = recordSettingsOf(parts.settings())
      if (!archival) return { learnings: 0, tasks: 0 }
      // What was asked for a moment ago is not what nobody asks for.
      await touches.settled()
      return archiveRecords({ store, hash, now, redact, author: 'archival' }, limits, archival)
    },
  }
}

function withSignal(options: CompileOptions = {}, signal: AbortSignal | undefined): CompileOptions {
  const signals = [options.signal, signal].filter((one) => one !== undefined)
  return signals.length === 0 ? options : { ...options, signal: AbortSignal.any(signals) }
}

function toStored(places: Places, address: Address): Address {
  return address.kind === 'source' ? { ...address, root: storeRoot(places, address.root) } : address
}
