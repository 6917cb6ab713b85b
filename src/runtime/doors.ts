import { randomUUID } from 'node:crypto'
import type { Hash64 } from '../core/digest.ts'
import type { DoorDeps, ParseText } from '../core/doors/put-text.ts'
import type { RetellDeps } from '../core/doors/retell.ts'
import { MAX_BLOCKS } from '../core/doors/text-limit.ts'
import { createRetellFile } from '../core/files/retell-file.ts'
import { createMemoryNode, type FilesHolder } from '../core/files/service.ts'
import { createKeyDoor, type KeyDoor } from '../core/keys/key-door.ts'
import { createRetellKey } from '../core/keys/retell-key.ts'
import type { Maintenance, Store } from '../core/port/store.ts'
import { type Archived, archiveRecords } from '../core/records/archive-records.ts'
import { createRecordDoor, type RecordDoor } from '../core/records/record-door.ts'
import { createRetellRecord } from '../core/records/retell-record.ts'
import type { WriteDeps } from '../core/write.ts'
import type { Redactor } from '../ingest/redact/redactor.ts'
import type { Config } from './config.ts'
import { keyLimitsOf } from './key-limits.ts'
import { recordSettingsOf } from './record-settings.ts'
import type { Temperature } from './temperature.ts'
import { fileLimitOf, noteLimitOf } from './text-limits.ts'
import { createTouches, NO_TOUCHES, type Touches } from './touches.ts'
import { boostOf } from './warmed.ts'

export interface DoorParts {
  store: Store
  maintenance: Pick<Maintenance, 'scrub'>
  hash: Hash64
  now: () => number
  redaction: Redactor
  /** As the settings are now. */
  settings: () => Config
  temperature: () => Temperature
  maxNodeTokens: number
  /** What is asked for is not counted. */
  readOnly: boolean
  onProblem: (error: unknown) => void
  /** A key was stored that has an end. */
  onExpiring: () => void
}

/** What the doors share, in the name of one author. */
export interface SharedDoorDeps extends DoorDeps {
  maintenance: Pick<Maintenance, 'scrub'>
  touch: Touches['touch']
  settled: Touches['settled']
}

/** The doors beside the tree: records, keys and files. Each is made for an author, who signs what is written. */
export function createDoors(parts: DoorParts) {
  const { store, maintenance, hash, now, redaction, temperature, maxNodeTokens, onProblem } = parts
  const { redact, findKeys } = redaction
  const boost = (): number => boostOf(temperature(), 'read')
  const touches = parts.readOnly ? NO_TOUCHES : createTouches({ store, now, boost, onError: onProblem })

  const recordLimits = () => recordSettingsOf(parts.settings()).limits
  const keyLimits = () => keyLimitsOf(parts.settings())
  const fileLimit = () => fileLimitOf(parts.settings())
  const retelling: RetellDeps['doors'] = {
    record: createRetellRecord(recordLimits),
    key: createRetellKey(keyLimits),
    file: createRetellFile(fileLimit),
  }

  /** Loaded by the first write, and asked for once: even what is loaded takes its time to be found. */
  let parser: Promise<typeof import('../ingest/parse/note.ts')> | undefined
  async function depsOf(author: string): Promise<SharedDoorDeps> {
    parser ??= import('../ingest/parse/note.ts')
    const { parseNote, parseAnyNote } = await parser
    const options = { maxNodeTokens, redact, findKeys, maxBlocks: MAX_BLOCKS }
    const parse: ParseText = (text, levels) => parseNote(text, { ...options, ...(levels ? { levels } : {}) })
    const parseWhole: ParseText = (text, levels) =>
      parseAnyNote(text, { ...options, ...(levels ? { levels } : {}) })
    const { touch, settled } = touches
    return { store, maintenance, hash, now, redact, author, parse, parseWhole, touch, settled }
  }

  /** For the tree, whose nodes may be of any door. */
  async function treeDepsOf(author: string): Promise<SharedDoorDeps & WriteDeps> {
    return { ...(await depsOf(author)), doors: retelling, noteLimit: noteLimitOf(parts.settings()) }
  }

  function filesOf(author: string): FilesHolder {
    const deps = {
      store,
      redact,
      touch: touches.touch,
      writing: async () => ({ ...(await depsOf(author)), limit: fileLimit() }),
    }
    return { memoryNode: (config) => createMemoryNode(deps, config) }
  }

  return {
    settled: touches.settled,
    treeDepsOf,
    filesOf,
    keys: (author: string): KeyDoor =>
      createKeyDoor({
        reads: { store, now, redact, settled: touches.settled },
        writes: async () => ({ ...(await depsOf(author)), limits: keyLimits }),
        touch: touches.touch,
        onExpiring: parts.onExpiring,
      }),
    records: (author: string): RecordDoor =>
      createRecordDoor({
        ...{ store, redact, ...touches },
        writing: async () => ({
          ...(await depsOf(author)),
          randomId: randomUUID,
          limits: recordLimits,
          boost,
        }),
      }),
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

export type Doors = ReturnType<typeof createDoors>
