import type { Scope } from '../../core/access/scopes.ts'
import { isMemoryError } from '../../core/errors.ts'
import { isMemoryUri } from '../model/names.ts'
import type { Resource } from '../model/resource.ts'
import { createFinder, type FoundResource } from '../model/uri.ts'
import { createMemoryFinder } from './memory/finder.ts'
import { key, reservedKey } from './memory/key.ts'
import { keyIndex } from './memory/key-index.ts'
import { RECORD_RESOURCES } from './memory/record-views.ts'
import { audit } from './remindb/audit.ts'
import { auditPage } from './remindb/audit-page.ts'
import { changes } from './remindb/changes.ts'
import { clientHistory } from './remindb/client-history.ts'
import { diffs } from './remindb/diffs.ts'
import { diffsPage } from './remindb/diffs-page.ts'
import { doctor } from './remindb/doctor.ts'
import { files } from './remindb/files.ts'
import { graph } from './remindb/graph.ts'
import { graphPage } from './remindb/graph-page.ts'
import { log } from './remindb/log.ts'
import { logs } from './remindb/logs.ts'
import { newestSnapshots } from './remindb/newest-snapshots.ts'
import { nodeAt } from './remindb/node-at.ts'
import { overview } from './remindb/overview.ts'
import { rescan } from './remindb/rescan.ts'
import { search } from './remindb/search.ts'
import { sessionLog } from './remindb/session-log.ts'
import { sessions } from './remindb/sessions.ts'
import { sessionsHistory } from './remindb/sessions-history.ts'
import { sessionsLogs } from './remindb/sessions-logs.ts'
import { snapshots } from './remindb/snapshots.ts'
import { snapshotsPage } from './remindb/snapshots-page.ts'
import { subtree } from './remindb/subtree.ts'
import { subtreePage } from './remindb/subtree-page.ts'
import { temperature } from './remindb/temperature.ts'
import { temperaturePage } from './remindb/temperature-page.ts'
import { tree } from './remindb/tree.ts'
import { treeAt } from './remindb/tree-at.ts'
import { treePage } from './remindb/tree-page.ts'

/** Their URIs and answers are locked: others parse them. */
const LOCKED: Resource[] = [
  overview,
  files,
  tree,
  subtree,
  graph,
  snapshots,
  newestSnapshots,
  diffs,
  temperature,
  doctor,
  logs,
  sessions,
  sessionsHistory,
  clientHistory,
  sessionsLogs,
  sessionLog,
  rescan,
]

/** Pages of large resources, and search. A URI that matches several belongs to the first. */
const OURS: Resource[] = [
  treePage,
  subtreePage,
  graphPage,
  snapshotsPage,
  log,
  diffsPage,
  temperaturePage,
  search,
  treeAt,
  nodeAt,
  changes,
  audit,
  auditPage,
]

/** The resources of the other doors: `memory://` (`memory/names.ts` decides which name belongs to which). */
const MEMORY: Resource[] = [...RECORD_RESOURCES, keyIndex, key, reservedKey]

export const RESOURCES: readonly Resource[] = [...LOCKED, ...OURS, ...MEMORY]

const findOwn = createFinder([...LOCKED, ...OURS])
const findMemory = createMemoryFinder(MEMORY)

/** Undefined: there is no such resource. Throws INVALID_INPUT for a query it cannot have. */
export function findResource(uri: string): FoundResource | undefined {
  return isMemoryUri(uri) ? findMemory(uri) : findOwn(uri)
}

/** The scope that a client needs to read this URI. Only clients with read access learn that nothing has it. */
export function scopeOfUri(uri: string, find = findResource): Scope {
  try {
    return find(uri)?.resource.scope ?? 'memories:read'
  } catch (error) {
    if (isMemoryError(error)) return 'memories:read'
    throw error
  }
}
