import { isMemoryError } from '../../core/errors.ts'
import type { ChangeKind } from '../../core/port/change-feed.ts'
import { MAX_VIEW } from '../../core/records/limits.ts'
import { isSince } from '../../core/records/times.ts'
import { findMemoryName, type MemoryName } from '../model/names.ts'
import { limitIn } from '../model/variables.ts'

/** What a client can be told about when it changes. The rest is better asked for: it is sums, or changes with every call. */
export const SUBSCRIBABLE = [
  'graph',
  'snapshots',
  'log',
  'tree',
  'files',
  'rescan',
  'temperature',
  'logs',
  'audit',
] as const
export type SubscribableName = (typeof SUBSCRIBABLE)[number]

/** `memory://` resources that the same changes concern: views of records, keys with their index. */
const MEMORY_GROUPS = ['records', 'keys'] as const
export type MemoryGroup = (typeof MEMORY_GROUPS)[number]

export const CONCERNS = [...SUBSCRIBABLE, ...MEMORY_GROUPS] as const
export type Concern = SubscribableName | MemoryGroup

const NAMES = new Map<string, SubscribableName>(SUBSCRIBABLE.map((name) => [uriOf(name), name]))

export function uriOf(name: SubscribableName): string {
  return `remindb://${name}`
}

export function isMemoryGroup(concern: Concern): concern is MemoryGroup {
  return MEMORY_GROUPS.some((group) => group === concern)
}

/**
 * Undefined: nobody is ever told about this one. Templated forms of `remindb://` are not subscribable: their static parent is.
 * A key is, whether or not there is such a key; of the custom views those that `hasView` knows.
 */
export function findSubscribable(
  uri: string,
  hasView: (view: string) => boolean = () => false,
): Concern | undefined {
  const own = NAMES.get(uri)
  if (own) return own
  const name = findName(uri)
  if (name?.kind === 'custom' && !hasView(name.variables.view ?? '')) return undefined
  return name && canBeRead(name) ? groupOf(name) : undefined
}

/** Whoever subscribes to what no read can ever give is told now, not by an update that says nothing. */
function canBeRead({ kind, variables }: MemoryName): boolean {
  if (kind === 'key' || kind === 'index') return true
  const page = unlessRefused(() => limitIn(variables))
  const { since } = variables
  return page !== undefined && (page.limit ?? 1) <= MAX_VIEW && (since === undefined || isSince(since))
}

/** The group of a `memory://` URI. */
export function findMemoryGroup(uri: string): MemoryGroup | undefined {
  const name = findName(uri)
  return name && groupOf(name)
}

function findName(uri: string): MemoryName | undefined {
  return unlessRefused(() => findMemoryName(uri))
}

function unlessRefused<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (isMemoryError(error)) return undefined
    throw error
  }
}

function groupOf({ kind }: MemoryName): MemoryGroup {
  return kind === 'index' || kind === 'key' ? 'keys' : 'records'
}

/** Links come from texts: whatever changes those may change the graph. Who changed them is in the audit. */
const CONTENT = ['graph', 'snapshots', 'log', 'tree', 'audit'] as const
/** Nodes of any document can be written, forgotten and brought back. */
const ANY_CONTENT = [...CONTENT, ...MEMORY_GROUPS] as const

/** What each kind of change concerns. Records of the log concern `logs`; they are no change of the memory. */
const CONCERNED: Record<ChangeKind, readonly Concern[]> = {
  write: ANY_CONTENT,
  summarize: ANY_CONTENT,
  forget: ANY_CONTENT,
  rollback: ANY_CONTENT,
  restore: ANY_CONTENT,
  revert: ANY_CONTENT,
  erase: ANY_CONTENT,
  record: [...CONTENT, 'records'],
  key: [...CONTENT, 'keys'],
  file: CONTENT,
  compile: [...CONTENT, 'files'],
  import: [...ANY_CONTENT, 'files'],
  relate: ['graph'],
  checkpoint: ['log', 'audit'],
  rescan: ['rescan', 'files', 'tree', 'snapshots', 'log'],
  tick: ['temperature'],
  audit: ['audit'],
  prune: ['snapshots', 'audit'],
  // Clients get a message of its own for that.
  cold: [],
  // Reading warms, and is not to be told: who shows the heat would be told of its own reading. But views of records show how often
  // and when each was accessed by a tool, and no read of a resource is an access.
  update: ['records'],
}

/** A kind that is not known comes from a newer remindb on the same memory: whatever it was, all but the log may differ. */
const UNKNOWN = CONCERNS.filter((name) => name !== 'logs')

export function concernedBy(kinds: Iterable<string>): Set<Concern> {
  const names = new Set<Concern>()
  for (const kind of kinds) for (const name of concerned(kind)) names.add(name)
  return names
}

function concerned(kind: string): readonly Concern[] {
  return Object.hasOwn(CONCERNED, kind) ? CONCERNED[kind as ChangeKind] : UNKNOWN
}
