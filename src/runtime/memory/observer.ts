import { auditPage } from '../../core/audit/page.ts'
import type { DoctorDeps, DoctorReport } from '../../core/doctor/doctor.ts'
import { MemoryError } from '../../core/errors.ts'
import { createKeyView, type KeyView } from '../../core/keys/door.ts'
import type { Address } from '../../core/model.ts'
import { type DiffsDeps, diffsPage } from '../../core/observe/diffs.ts'
import { files } from '../../core/observe/files.ts'
import { graphPage } from '../../core/observe/graph-page.ts'
import { logPage } from '../../core/observe/log.ts'
import { maskDoctor, maskFiles, maskLog, maskOverview, maskSnapshots } from '../../core/observe/mask.ts'
import { type OverviewDeps, overview, overviewCounts } from '../../core/observe/overview.ts'
import { snapshots, snapshotsPage } from '../../core/observe/snapshots.ts'
import { type TemperatureDeps, temperaturePage } from '../../core/observe/temperature.ts'
import {
  diffsText,
  fetchNodes,
  forestPageQuery,
  forestText,
  graphText,
  lookFirst,
  netChanges,
  searchNodes,
  temperatureText,
} from '../../core/operations/queries.ts'
import type { Store } from '../../core/port/store.ts'
import { type CustomViewDeps, customStamp, findCustomView } from '../../core/records/read-custom-view.ts'
import { recordStamp, recordView } from '../../core/records/views.ts'
import type { MemoryObserver, ObservingClient } from '../../mcp/model/observer.ts'
import { createRemembered } from '../../util/remembered.ts'

export interface ObserverParts
  extends Pick<OverviewDeps, 'maintenance' | 'now' | 'dbPath'>,
    Pick<DiffsDeps, 'hash'>,
    Pick<TemperatureDeps, 'thresholds'>,
    Pick<DoctorDeps, 'showRoot'>,
    // Names that are looked up are redacted as they were when they were stored.
    Pick<CustomViewDeps, 'redact' | 'views'> {
  store: Pick<Store, 'read' | 'query'>
  /** Resolves when all accesses so far are stored: views show their counts. */
  settled: () => Promise<void>
  doctor: () => Promise<DoctorReport>
  /** Where documents are or were that a path names, as the tree shows it. */
  placesNamed: (path: string) => Promise<Address[]>
  /** Whether a client sees its own keys or those of the whole memory, by the current settings. */
  keyResources: () => 'client' | 'space'
}

/** Observes a memory through a handle that cannot write: nothing gets warmer, nothing is recorded. */
export function createObserver(given: ObserverParts): MemoryObserver {
  // Even of a whole store only the reading half is passed on: a missing method cannot be called by mistake.
  const store: ObserverParts['store'] = {
    read: (fn, options) => given.store.read(fn, options),
    query: (query, input, options) => given.store.query(query, input, options),
  }
  const parts = { ...given, store }
  const { showRoot, thresholds } = parts
  const viewed = { ...parts, remembered: createRemembered() }
  const settled = async () => {
    await parts.settled()
    return viewed
  }
  const observerFor = ({ signal, owner, mask }: ObservingClient): MemoryObserver => {
    const keys = (): KeyView => createKeyView(parts.keyResources() === 'space' ? parts : { ...parts, owner })
    const masked = async <E>(shown: Promise<E>, hide: (envelope: E, mask: string) => E): Promise<E> =>
      mask === undefined ? shown : hide(await shown, mask)
    return {
      for: observerFor,
      async firstLook() {
        const { read: _, ...look } = await store.query(lookFirst, undefined, { signal })
        return look
      },
      forestText: (input, paged) => store.query(forestText, { ...input, paged }, { signal }),
      graphText: (paged) => store.query(graphText, { paged }, { signal }),
      diffsText: (snapshotId, paged) => store.query(diffsText, { snapshotId, paged }, { signal }),
      temperatureText: (paged) => store.query(temperatureText, { ...thresholds(), paged }, { signal }),
      async search(input) {
        // The list of read nodes is only for callers that warm.
        const { read: _, ...answer } = await store.query(searchNodes, input, { signal })
        return answer
      },
      overview: () => masked(overview({ ...parts, thresholds: thresholds() }), maskOverview),
      overviewCounts: () => masked(overviewCounts(parts), (counts, db_path) => ({ ...counts, db_path })),
      files: () => masked(files(store, showRoot), maskFiles),
      forestPage: (input) => store.query(forestPageQuery, input, { signal }),
      async fetch(input) {
        const { read: _, ...answer } = await store.query(fetchNodes, input, { signal })
        return answer
      },
      changes: (input) => store.query(netChanges, input, { signal }),
      graphPage: (page) => graphPage(store, page),
      snapshots: (newest) => masked(snapshots(parts, newest), maskSnapshots),
      snapshotsPage: (page) => masked(snapshotsPage(parts, page), maskSnapshots),
      async logPage({ path, ...page }) {
        if (mask !== undefined && page.author !== undefined && page.author !== owner) throw notYours(owner)
        const within = path === undefined ? {} : { within: await parts.placesNamed(path) }
        const found = logPage(parts, { ...page, ...within })
        return masked(found, (envelope) => maskLog(envelope, mask ?? '', owner))
      },
      diffsPage: (input) => diffsPage(parts, input),
      temperaturePage: (page) => temperaturePage(parts, page),
      doctor: () => masked(parts.doctor(), maskDoctor),
      auditPage: (page) => auditPage(parts, page),
      keyIndex: () => keys().index(),
      findKey: (key) => keys().findContent(key),
      keyVersion: (key) => keys().version(key),
      recordView: async (...asked) => recordView(await settled(), ...asked),
      findCustomView: async (...asked) => findCustomView(await settled(), ...asked),
      recordStamp: async (...asked) => recordStamp(await settled(), ...asked),
      customStamp: async (...asked) => customStamp(await settled(), ...asked),
    }
  }
  return observerFor({})
}

function notYours(owner: string | undefined): MemoryError {
  const own = owner === undefined ? '' : `, or give "${owner}"`
  return new MemoryError(
    'FORBIDDEN',
    `other authors are shown with the scope memories:admin only; omit author${own}`,
  )
}
