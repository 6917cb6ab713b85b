import { shownName } from '../../address.ts'
import type { BriefRow } from '../../port/nodes.ts'
import type { ReadTx, Store } from '../../port/store.ts'
import { utf8Length } from '../../tokens.ts'
import { roomOf } from '../budget.ts'
import { type ChangedDocument, lastChanges } from './map-changes.ts'
import { commonFolder, mapGroups, namedSizes } from './map-groups.ts'
import type { MapEntry, MemoryMap } from './map-model.ts'
import { entryLines, groupLine, mapText, sectionLine } from './map-text.ts'

/** In tokens: the maximum cost of a first look. */
export const MAP_BUDGET = 500

/** In tokens: less has no room for an entry. */
export const LEAST_MAP = 150

const ENTRIES = 24
const INSIDE = 6
const WARM = 3
const CHANGED = 3
/**
 * How many of the warmest nodes and of the newest changes to read: most were never read and have their initial heat.
 */
const LOOKED_AT = 500
/** Room for the line about omitted entries. */
const REST_BYTES = 64
/** Room for the last line: for a person it contains a command with paths. */
const OPEN_BYTES = 200

/** Folders and documents with their sizes, warm nodes and the last changes. Reads what it shows, and totals. */
export async function memoryMap(
  store: Pick<Store, 'read'>,
  { budget = MAP_BUDGET }: { budget?: number } = {},
): Promise<MemoryMap> {
  const room = roomOf(Math.min(budget || MAP_BUDGET, MAP_BUDGET))
  return store.read(async (tx) => {
    const [documents, frame] = await Promise.all([namedSizes(tx), frameOf(tx)])
    const map = { ...frame, folder: commonFolder(documents) }
    const { groups, total } = await mapGroups(tx, documents, { folder: map.folder, limit: ENTRIES })
    map.documents = total.documents
    map.nodes = total.nodes
    map.tokens = total.tokens
    shrinkTail(map, room)
    let left = room - bytesOf(map) - REST_BYTES
    for (const group of groups) {
      const bytes = utf8Length(groupLine(group, { level: 1, folder: map.folder })) + 1
      if (bytes > left) break
      left -= bytes
      map.entries.push({ ...group, inside: [], more: 0 })
    }
    const shown = map.entries.reduce((sum, { documents }) => sum + documents, 0)
    const shownTokens = map.entries.reduce((sum, { tokens }) => sum + tokens, 0)
    map.rest = {
      entries: total.groups - map.entries.length,
      documents: total.documents - shown,
      tokens: total.tokens - shownTokens,
    }
    if (total.documents === 1) await openDocument(tx, map, left)
    else if (map.rest.entries === 0) await openFolders(tx, documents, { map, room: left + REST_BYTES })
    return map
  })
}

async function frameOf(tx: ReadTx): Promise<MemoryMap> {
  const [warm, newest] = await Promise.all([warmNodes(tx), changedDocuments(tx)])
  return {
    ...{ documents: 0, nodes: 0, tokens: 0 },
    folder: '',
    entries: [],
    rest: { entries: 0, documents: 0, tokens: 0 },
    sections: [],
    warm: warm.map(({ key: _, ...node }) => node),
    ...lastChanges(newest, CHANGED),
  }
}

/** Nodes that were read or pinned, warmest first. */
async function warmNodes(tx: ReadTx): Promise<BriefRow[]> {
  const ends = [false, true].map((pinned) => tx.nodes({ order: 'warmest', pinned, limit: LOOKED_AT }, 'heat'))
  const known = (await Promise.all(ends)).flat().filter(({ accesses, pinned }) => accesses > 0 || pinned)
  known.sort((a, b) => b.value - a.value || a.key - b.key)
  return tx.nodes({ keys: known.slice(0, WARM).map(({ key }) => key) }, 'brief')
}

/** The documents of the newest changes, with the newest snapshot of each. */
async function changedDocuments(tx: ReadTx): Promise<ChangedDocument[]> {
  const nodes = await tx.nodes({ order: 'changed', limit: LOOKED_AT }, 'change')
  const newest = Map.groupBy(nodes, ({ documentId }) => documentId)
  const rows = await tx.documents({ ids: [...newest.keys()] }, 'row')
  return rows
    .filter(({ state }) => state === 'live')
    .map(({ id, address }) => ({
      name: shownName(address),
      snapshotId: newest.get(id)?.[0]?.changedIn ?? 0,
    }))
}

function bytesOf(map: MemoryMap): number {
  return utf8Length(mapText(map, { open: '' })) + OPEN_BYTES
}

/** A small budget is spent on entries. */
function shrinkTail(map: MemoryMap, room: number): void {
  while (map.warm.length + map.changed.length > 0 && bytesOf(map) > room / 2) {
    if (map.warm.length >= map.changed.length) map.warm.pop()
    else map.changed.pop()
  }
}

/** If all entries have a line, the largest folders show their content, as far as it fits. */
async function openFolders(
  tx: ReadTx,
  documents: Parameters<typeof mapGroups>[1],
  { map, room }: { map: MemoryMap; room: number },
): Promise<void> {
  let left = room
  for (const entry of map.entries) {
    if (!entry.name.endsWith('/') || entry.nodeId !== null) continue
    const { groups, total } = await mapGroups(tx, documents, { folder: entry.name, limit: INSIDE })
    const opened: MapEntry = { ...entry, inside: groups, more: total.groups - groups.length }
    const before = linesBytes(entry, map.folder)
    while (opened.inside.length > 0 && linesBytes(opened, map.folder) - before > left) {
      opened.inside = opened.inside.slice(0, -1)
      opened.more++
    }
    if (opened.inside.length === 0) return
    left -= linesBytes(opened, map.folder) - before
    entry.inside = opened.inside
    entry.more = opened.more
  }
}

/** For a memory of one document: shows its sections, or the nodes directly below its title. */
async function openDocument(tx: ReadTx, map: MemoryMap, room: number): Promise<void> {
  let left = room
  const page = { fields: 'outline', limit: ENTRIES } as const
  let rows = await tx.outline([{ parentKey: null }], page)
  const [title] = rows
  if (title && rows.length === 1) rows = await tx.outline([{ parentKey: title.key }], page)
  for (const { id, type, label, tokens, temperature, source } of rows) {
    const section = { id, type, label, tokens, temperature, source }
    left -= utf8Length(sectionLine(section)) + 1
    if (left < 0) return
    map.sections.push(section)
  }
}

function linesBytes(entry: MapEntry, folder: string): number {
  return entryLines(entry, folder).reduce((sum, line) => sum + utf8Length(line) + 1, 0)
}
