import type { ChangeKind } from '../../core/change-feed.ts'

/** What a client can be told about when it changes. The rest is better asked for: it is sums, or changes with every call. */
export const SUBSCRIBABLE = ['graph', 'snapshots', 'tree', 'files', 'rescan', 'temperature', 'logs'] as const
export type SubscribableName = (typeof SUBSCRIBABLE)[number]

const NAMES = new Map<string, SubscribableName>(SUBSCRIBABLE.map((name) => [uriOf(name), name]))

export function uriOf(name: SubscribableName): string {
  return `remindb://${name}`
}

/** Undefined: nobody is ever told about this one. Templated forms are not subscribable: their static parent is. */
export function findSubscribable(uri: string): SubscribableName | undefined {
  return NAMES.get(uri)
}

/** Links come from texts: whatever changes those may change the graph. */
const CONTENT = ['graph', 'snapshots', 'tree'] as const

/** What each kind of change concerns. Records of the log concern `logs`; they are no change of the memory. */
const CONCERNED: Record<ChangeKind, readonly SubscribableName[]> = {
  write: CONTENT,
  summarize: CONTENT,
  forget: CONTENT,
  rollback: CONTENT,
  erase: CONTENT,
  record: CONTENT,
  key: CONTENT,
  file: CONTENT,
  compile: [...CONTENT, 'files'],
  import: [...CONTENT, 'files'],
  relate: ['graph'],
  rescan: ['rescan', 'files', 'tree', 'snapshots'],
  tick: ['temperature'],
  // Clients get a message of its own for that.
  cold: [],
  // Reading warms, and is not to be told: who shows the heat would be told of its own reading.
  update: [],
}

/** A kind that is not known comes from a newer remindb on the same memory: whatever it was, all but the log may differ. */
const UNKNOWN = SUBSCRIBABLE.filter((name) => name !== 'logs')

export function concernedBy(kinds: Iterable<string>): Set<SubscribableName> {
  const names = new Set<SubscribableName>()
  for (const kind of kinds) for (const name of concerned(kind)) names.add(name)
  return names
}

function concerned(kind: string): readonly SubscribableName[] {
  return Object.hasOwn(CONCERNED, kind) ? CONCERNED[kind as ChangeKind] : UNKNOWN
}
