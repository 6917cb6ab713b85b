import { isCheckpointName } from '../history/checkpoint.ts'
import { type Address, DOCUMENT_KINDS, FORMATS, NODE_TYPES } from '../model.ts'
import type { Attributes } from '../port/doors.ts'
import { isPosition } from '../positions.ts'
import {
  type Check,
  flag,
  isObject,
  json,
  listOf,
  oneOf,
  orMissing,
  orNull,
  real,
  record,
  text,
  textThat,
  whole,
} from './transfer-fields.ts'

/** The shape of each line of an export. `docs/how-to/export-and-import.md` explains it. */

/** Raised when an older remindb cannot read files of this one. */
export const FORMAT_VERSION = 1

/** Room for as many again: a memory that starts with the largest number could not add rows. */
const id = whole(1, 2 ** 48)
const count = whole(0, 2 ** 48)
/** The range of dates. */
const time = real(0, 8.64e15)
/** In hours times rate: far more than any clock reaches, and small enough to add to. */
const clock = real(0, 1e12)
const anyNumber = real(-Number.MAX_VALUE, Number.MAX_VALUE)
const digest = textThat((value) => /^[0-9a-f]{32}$/.test(value), '32 hex digits')
const cursorHash = textThat((value) => /^[0-9a-f]{16}$/.test(value), '16 hex digits')
/** The head has one; a snapshot that is half pruned has none. */
const cursorHashOrNone = textThat((value) => /^(?:[0-9a-f]{16})?$/.test(value), "16 hex digits, or ''")
const nodeId = textThat((value) => /^[0-9A-Za-z]{11}$/.test(value), 'eleven letters and digits')
const position = textThat(isPosition, 'a position')
/** One line: labels are shown in lists. */
const label = textThat(
  (value) => !/\p{Cc}/u.test(value) && value.length <= 1000,
  'one line of at most 1000 characters',
)
const name = textThat((value) => value !== '' && value.length <= 4096 && !value.includes('\0'), 'a name')
const checkpointName = textThat(isCheckpointName, 'the name of a checkpoint')
const nonEmpty = textThat((value) => value !== '', 'a text')
/** Around a piece of a text: stored as it is. */
const blank = textThat((value) => value.trim() === '', 'nothing but white space')
const state = oneOf(['live', 'removed', 'erased'])
const link = { label: text, weight: anyNumber, source: text, id: text }

export const header = record({
  remindb: oneOf(['export']),
  version: oneOf([FORMAT_VERSION]),
  exported_at: time,
  head: orNull(id),
  cursor_hash: orNull(cursorHash),
  heat: record({ clock, ticked_at: time, frozen: flag, cold_below: real(0, 1) }),
  counts: record({
    snapshots: count,
    documents: count,
    document_versions: count,
    nodes: count,
    versions: count,
  }),
})

export const snapshot = record({
  id,
  parent_id: orNull(id),
  cursor_hash: cursorHashOrNone,
  author: text,
  operation: text,
  message: text,
  root: text,
  created_at: time,
  checkpoints: orMissing(listOf(record({ name: checkpointName, author: text, created_at: time }))),
})

const ADDRESSES: Record<Address['kind'], Check<unknown>> = {
  source: record({ kind: text, root: name, path: name }),
  note: record({ kind: text, id: name }),
  record: record({ kind: text, id: name }),
  key: record({ kind: text, key: nonEmpty }),
  file: record({
    kind: text,
    node: text,
    scope: oneOf(['global', 'perThread']),
    thread: text,
    path: nonEmpty,
  }),
}
const address: Check<Address> = (value, field) => {
  const kind = oneOf(DOCUMENT_KINDS)(isObject(value) ? value.kind : undefined, `${field}.kind`)
  return ADDRESSES[kind](value, field) as Address
}

const tags = listOf(text)
/** The attributes of a document; those with the same meaning at every door are checked. */
const attributes: Check<Attributes> = (value, field) => {
  const checked = json(value, field)
  if (checked.tags !== undefined) tags(checked.tags, `${field}.tags`)
  if (checked.expires_at !== undefined) anyNumber(checked.expires_at, `${field}.expires_at`)
  return checked as Attributes
}

export const document = record({
  id,
  address,
  state,
  digest: orNull(digest),
  text: orNull(text),
  revision: id,
  created_at: time,
  updated_at: time,
  door: orMissing(record({ attributes, appended: flag, accesses: count, accessed_at: orNull(time) })),
  moves: orMissing(listOf(record({ snapshot_id: id, root: name, path: name }))),
})

export const documentVersion = record({
  snapshot_id: id,
  state,
  digest: orNull(digest),
  text: orNull(text),
  door: orMissing(record({ attributes: orNull(attributes), lead: orNull(blank), trail: orNull(blank) })),
})

const place = { parent_key: orNull(id), position, type: oneOf(NODE_TYPES), format: oneOf(FORMATS) }

export const node = record({
  key: id,
  id: nodeId,
  parent_key: orNull(id),
  removed: orNull(record({ in: id, type: oneOf(NODE_TYPES), format: oneOf(FORMATS) })),
  heat: record({
    value: real(0, 1),
    clock,
    pinned: flag,
    accesses: count,
    accessed_at: orNull(time),
    told: flag,
  }),
  overlay: orNull(record({ operation: name, base: orNull(record({ ...place, digest })) })),
  links: listOf(record({ ...link, created_at: time })),
})

export const version = record({
  snapshot_id: id,
  op: oneOf(['add', 'mod', 'rem']),
  state: orNull(record({ ...place, label: orNull(label), text, links: listOf(record(link)) })),
})
