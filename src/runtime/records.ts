import { randomUUID } from 'node:crypto'
import type { DoorDeps } from '../core/doors/put-text.ts'
import { type Archived, archiveRecords } from '../core/records/archive-records.ts'
import { createRecordDoor, type RecordDoor } from '../core/records/record-door.ts'
import type { RecordSettings } from './record-settings.ts'
import type { Temperature } from './temperature.ts'
import type { Touches } from './touches.ts'

export interface RecordsParts {
  /** Signed by who acts. */
  deps: Omit<DoorDeps, 'parse'>
  /** Loaded when something is first stored. */
  loadParse: () => Promise<DoorDeps['parse']>
  /** As the settings are now. */
  settings: () => RecordSettings
  temperature: () => Temperature
  touches: Touches
}

/** The door to records, for one author. */
export function createRecords(parts: RecordsParts): RecordDoor {
  const { deps, loadParse, settings, temperature, touches } = parts
  const doorWith = (parse: DoorDeps['parse']): RecordDoor =>
    createRecordDoor({
      ...deps,
      parse,
      randomId: randomUUID,
      limits: () => settings().limits,
      boost: () => temperature().accessBoost,
      touch: touches.touch,
      settled: touches.settled,
    })
  return {
    // What these do needs nothing parsed.
    ...doorWith(() => []),
    store: async (input) => doorWith(await loadParse()).store(input),
    update: async (input) => doorWith(await loadParse()).update(input),
  }
}

/** Archives what is due, unless the settings say that nothing is. */
export async function archiveDue(
  deps: Omit<DoorDeps, 'parse'>,
  { archival, limits }: RecordSettings,
): Promise<Archived> {
  return archival ? archiveRecords(deps, limits, archival) : { learnings: 0, tasks: 0 }
}
