import { type DiffsDeps, diffs, diffsPage } from '../core/diffs.ts'
import type { DoctorDeps, DoctorReport } from '../core/doctor/doctor.ts'
import { files } from '../core/files.ts'
import { firstLook } from '../core/find/first-look.ts'
import { search } from '../core/find/search.ts'
import { eachTree } from '../core/forest.ts'
import { forestPage } from '../core/forest-page.ts'
import { graph } from '../core/graph.ts'
import { graphPage } from '../core/graph-page.ts'
import { createKeyView } from '../core/keys/key-door.ts'
import { type OverviewDeps, overview } from '../core/overview.ts'
import { type CustomViewDeps, customStamp, findCustomView } from '../core/records/custom-view.ts'
import { recordStamp, recordView } from '../core/records/views.ts'
import { snapshots, snapshotsPage } from '../core/snapshots.ts'
import { type TemperatureDeps, temperature, temperaturePage } from '../core/temperature.ts'
import type { MemoryObserver } from '../mcp/observer.ts'
import { createRemembered } from '../util/remembered.ts'

export interface ObserverParts
  extends Pick<OverviewDeps, 'store' | 'maintenance' | 'now' | 'dbPath'>,
    Pick<DiffsDeps, 'hash'>,
    Pick<TemperatureDeps, 'thresholds'>,
    Pick<DoctorDeps, 'showRoot'>,
    // Names that are looked up are redacted as they were when they were stored.
    Pick<CustomViewDeps, 'redact' | 'views'> {
  /** Resolves when it is stored what was asked for so far: views show that. */
  settled: () => Promise<void>
  doctor: () => Promise<DoctorReport>
}

/** Looks at a memory through a door that cannot write: nothing gets warmer, nothing is recorded. */
export function createObserver(given: ObserverParts): MemoryObserver {
  // Who gives a whole store gives no more than its reading half: what is not there cannot be called by mistake.
  const store: ObserverParts['store'] = { read: (fn, options) => given.store.read(fn, options) }
  const parts = { ...given, store }
  const { showRoot, thresholds } = parts
  const keys = createKeyView(parts)
  const viewed = { ...parts, remembered: createRemembered() }
  const settled = async () => {
    await parts.settled()
    return viewed
  }
  return {
    overview: () => overview({ ...parts, thresholds: thresholds() }),
    files: () => files(store, showRoot),
    async firstLook() {
      const { read: _, ...look } = await firstLook(store)
      return look
    },
    eachTree: (input, take) => eachTree(store, input, take),
    forestPage: (input) => forestPage(store, input),
    graph: () => graph(store),
    graphPage: (page) => graphPage(store, page),
    snapshots: (newest) => snapshots(parts, newest),
    snapshotsPage: (page) => snapshotsPage(parts, page),
    diffs: (snapshotId) => diffs(parts, snapshotId),
    diffsPage: (input) => diffsPage(parts, input),
    temperature: () => temperature(parts),
    temperaturePage: (page) => temperaturePage(parts, page),
    doctor: parts.doctor,
    keyIndex: keys.index,
    findKey: keys.findContent,
    keyVersion: keys.version,
    async search(input) {
      // What was read is for those who warm it.
      const { read: _, ...answer } = await search(parts, input)
      return answer
    },
    recordView: async (...asked) => recordView(await settled(), ...asked),
    findCustomView: async (...asked) => findCustomView(await settled(), ...asked),
    recordStamp: async (...asked) => recordStamp(await settled(), ...asked),
    customStamp: async (...asked) => customStamp(await settled(), ...asked),
  }
}
