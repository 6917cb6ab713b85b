import type { Address } from '../model.ts'
import type { DocumentState } from '../port/rows.ts'
import type { WriteSet } from '../port/write-set.ts'
import type { AuditFacts } from './chain.ts'
import type { ReadEvent, WriteEvent } from './event-names.ts'

/** What happened, and to what. */
export interface AuditEvent extends Pick<AuditFacts, 'subjectKind' | 'subject'> {
  event: WriteEvent | ReadEvent
}

/** The part of an operation's changes that the audit records. */
export interface Written {
  /** Whether it wrote anything. */
  isChanged: boolean
  /** Its snapshot is reported to subscribers. */
  hasSnapshot: boolean
  /** By id, in the order in which they were first written. */
  documents: Map<number, { address: Address; before: DocumentState | null; after: DocumentState }>
  /** The id of the first new node. */
  newNode: string
}

export function nothingWritten(): Written {
  return { isChanged: false, hasSnapshot: false, documents: new Map(), newNode: '' }
}

export function noteSet(written: Written, { snapshot, documents = [], nodes = [] }: WriteSet): void {
  written.isChanged = true
  written.hasSnapshot ||= snapshot !== undefined
  for (const { before, after } of documents) {
    if (!subjectOf(after.address)) continue
    const known = written.documents.get(after.id)
    // What was removed on the way is created again.
    const first = known?.after === 'removed' ? 'removed' : known ? known.before : (before?.state ?? null)
    written.documents.set(after.id, { address: after.address, before: first, after: after.state })
  }
  written.newNode ||= nodes.find(({ before }) => !before)?.after.id ?? ''
}

/** The events of an operation: what its name says, then what became of documents behind the other doors. */
export function eventsOf(operation: string, input: unknown, written: Written): AuditEvent[] {
  if (!written.isChanged) return []
  const about = Object.hasOwn(OPERATIONS, operation) ? OPERATIONS[operation] : undefined
  return [...(about?.(input as never, written) ?? []), ...documentEvents(operation, written)]
}

const node = (event: WriteEvent, subject: string): AuditEvent[] => [{ event, subjectKind: 'node', subject }]
const whole = (event: WriteEvent): AuditEvent[] => [{ event, subjectKind: '', subject: '' }]
const snapshot = (event: WriteEvent, id: number): AuditEvent => ({
  ...{ event, subjectKind: 'snapshot', subject: String(id) },
})

const checkpoint = (event: WriteEvent, subject: string): AuditEvent[] => [
  { event, subjectKind: 'checkpoint', subject },
]

/** Operations whose names say more than the documents that they change. */
const OPERATIONS: Record<string, (input: never, written: Written) => AuditEvent[]> = {
  'write-note': (_: unknown, { newNode }) => node('node_written', newNode),
  'replace-node': ({ input }: { input: { anchor: string } }) => node('node_written', input.anchor),
  summarize: ({ input }: { input: { id: string } }) => node('node_summarized', input.id),
  forget: ({ input }: { input: { id: string } }) => node('node_forgotten', input.id),
  relate: ({ sourceId }: { sourceId: string }) => node('nodes_related', sourceId),
  unrelate: ({ input }: { input: { sourceId: string } }) => node('nodes_unrelated', input.sourceId),
  'set-heat': ({ id, heat }: { id: string; heat: { pinned?: boolean } }) =>
    node(heat.pinned ? 'node_pinned' : 'node_unpinned', id),
  rollback: ({ input: { target, dropAfter } }: { input: { target: number; dropAfter: boolean } }) => [
    snapshot('memory_rolled_back', target),
    ...(dropAfter ? [snapshot('history_erased', target)] : []),
  ],
  restore: ({ input }: { input: { id: string } | { document: Address } }) =>
    'document' in input ? document('memory_restored', input.document) : node('memory_restored', input.id),
  revert: ({ input }: { input: { snapshots: number[] } | { author: string } }) =>
    'snapshots' in input
      ? input.snapshots.map((id) => snapshot('memory_reverted', id))
      : [{ event: 'memory_reverted', subjectKind: 'author', subject: input.author }],
  erase: ({ input: address }: { input: Address }) =>
    subjectOf(address) ? [] : document('memory_redacted', address),
  checkpoint: ({ name }: { name: string }) => checkpoint('checkpoint_made', name),
  'remove-checkpoint': ({ name }: { name: string }) => checkpoint('checkpoint_removed', name),
  compile: compiled,
  'adopt-files': compiled,
  prune: ({ isFirst }: { isFirst: boolean }) => (isFirst ? whole('history_pruned') : []),
  import: () => whole('memory_imported'),
  heal: () => whole('memory_repaired'),
}

/** It also stores when it last looked at files that had not changed. */
function compiled(_: unknown, { hasSnapshot }: Written): AuditEvent[] {
  return hasSnapshot ? whole('files_compiled') : []
}

/** The path of a compiled file, without the folder of this machine; a note has no name. */
function document(event: WriteEvent, address: Address): AuditEvent[] {
  const path = { subjectKind: 'source', subject: address.kind === 'source' ? address.path : '' }
  const none = { subjectKind: '', subject: '' }
  return [{ event, ...(subjectOf(address) ?? (address.kind === 'source' ? path : none)) }]
}

/** Where the operation says more than that a document was removed or changed. */
const DOCUMENT_EVENTS: Record<string, WriteEvent> = {
  'expire-keys': 'memory_expired',
  'archive-records': 'memory_archived',
}

/** Of an import or a repair, one event for all of them. */
const WHOLE = ['import', 'heal']

function documentEvents(operation: string, { documents }: Written): AuditEvent[] {
  if (WHOLE.includes(operation)) return []
  const event = Object.hasOwn(DOCUMENT_EVENTS, operation) ? DOCUMENT_EVENTS[operation] : undefined
  return [...documents.values()]
    .map(documentEvent)
    .filter((one) => one !== undefined)
    .map((one) => (event === undefined ? one : { ...one, event }))
}

type WrittenDocument = Written['documents'] extends Map<number, infer D> ? D : never

function documentEvent({ address, before, after }: WrittenDocument): AuditEvent | undefined {
  const subject = subjectOf(address)
  if (!subject || (before === after && after !== 'live')) return undefined
  return { event: eventOf(before, after), ...subject }
}

function eventOf(before: DocumentState | null, after: DocumentState): WriteEvent {
  if (after === 'erased') return 'memory_redacted'
  if (after === 'removed') return 'memory_deleted'
  return before === null || before === 'removed' ? 'memory_created' : 'memory_updated'
}

/** Undefined for compiled files and notes: the events of operations name their nodes. */
function subjectOf(address: Address): Pick<AuditEvent, 'subjectKind' | 'subject'> | undefined {
  if (address.kind === 'key') return { subjectKind: 'key', subject: address.key }
  if (address.kind === 'record') return { subjectKind: 'record', subject: address.id }
  if (address.kind === 'file') return { subjectKind: 'file', subject: `${address.node}${address.path}` }
  return undefined
}
