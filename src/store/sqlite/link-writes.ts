import { decodeLinks, linkName } from '../../core/link.ts'
import type { Link } from '../../core/model.ts'
import type { LinkRow, LinkTarget } from '../../core/store-links.ts'
import type { Context } from './context.ts'
import { linkEvents, type NameEvents } from './link-events.ts'
import { isAimedAt, linkKey, linkRows, storedKey } from './link-rows.ts'
import { targetQueries, type Wanted } from './link-targets.ts'
import { linkById } from './links.ts'
import { statement } from './statements.ts'
import type { Tally } from './tally.ts'

/** From here on the headings of a name are read once for all links that ask for it, and not once for each. */
const MANY_SOURCES = 4
/** Of a link with a heading that arrived. */
const MANY_COMPARISONS = 10_000

/** What of a node matters to links. */
export interface Linkable {
  key: number
  id: string
  name: string | null
  links: string | null
}

/** A node that changed, and where it stood. */
export interface Placed extends Linkable {
  documentId: number
  parentKey: number | null
}

/**
 * Links follow the nodes: while a transaction goes on it is only noted which names and ids came or went; at its end
 * every link that asks for one of them is led to where it belongs now.
 */
export function linkWrites(context: Context, tally: Tally) {
  const { db } = context
  const rows = linkRows(context, tally)
  const targets = targetQueries(context)
  const byRow = linkById(context)
  const anyById = statement<[], { found: number }>(
    db,
    `SELECT 1 AS found FROM links WHERE target_id <> '' LIMIT 1`,
  )
  // By hand: DISTINCT would read every link of a popular name.
  const sourcesOf = statement<[{ name: string }], { source: string }>(
    db,
    `WITH RECURSIVE sources (source) AS (
       SELECT min(source) FROM links WHERE target_id = '' AND name = @name
       UNION ALL SELECT (SELECT min(l.source) FROM links l WHERE l.target_id = '' AND l.name = @name AND l.source > s.source)
       FROM sources s WHERE s.source IS NOT NULL)
     SELECT source FROM sources WHERE source IS NOT NULL`,
  )
  const present = statement<[string, string], { target_key: number }>(
    db,
    `SELECT target_key FROM links WHERE target_id = '' AND name = ? AND source = ? AND target_key IS NOT NULL LIMIT 1`,
  )
  const allNames = statement<[], { name: string }>(db, `SELECT DISTINCT name FROM links WHERE target_id = ''`)
  const allIds = statement<[], { target_id: string }>(
    db,
    `SELECT DISTINCT target_id FROM links WHERE target_id <> ''`,
  )
  const ofDocument = statement<[number], Linkable>(
    db,
    'SELECT key, id, name, links FROM nodes WHERE document_id = ?',
  )
  const events = linkEvents(() => anyById().get() !== undefined)
  const reordered = new Set<number>()

  /** A link that was just stored, or woke, has to be led somewhere. */
  function ask({ name, targetId }: Wanted): void {
    if (targetId === '') events.askedName(name)
    else events.askedId(targetId)
  }
  function setParsed(key: number, encoded: string | null): void {
    const wanted = linksByKey(decodeLinks(encoded))
    for (const row of rows.ofSource(key)) {
      if (row.origin !== 'parsed') continue
      const asked = wanted.get(storedKey(row))
      if (asked) rows.change(row, asked.link, asked.place)
      else rows.remove(row)
      wanted.delete(storedKey(row))
    }
    for (const { link, place } of wanted.values()) {
      rows.add(key, 'parsed', link, wantedBy(link), place)
      ask(wantedBy(link))
    }
  }
  function wakeManual(key: number): void {
    for (const row of rows.ofSource(key)) {
      if (row.asleep === 0) continue
      rows.wake(row)
      ask({ ...row, targetId: row.wanted_id })
    }
  }
  function moveNames(documentId: number): void {
    for (const { name } of ofDocument().all(documentId)) events.movedName(name)
  }
  function leadName(name: string, noted: NameEvents): void {
    const sources = sourcesOf().all({ name })
    let targetFor: ((source: string) => number | null) | undefined
    const search = (wanted: Wanted): number | null => {
      if (sources.length < MANY_SOURCES) return targets.targetOf(wanted)
      targetFor ??= targets.ofName(name)
      return targetFor(wanted.source)
    }
    const isCheap = noted.arrived.size * sources.length <= MANY_COMPARISONS
    for (const { source } of sources) {
      const wanted = { name, source, targetId: '' }
      const known = isCheap ? bestKnown(wanted, noted) : undefined
      rows.lead(wanted, known === undefined ? search(wanted) : known)
    }
  }
  /** Where a link leads as far as that can be told without all headings of its name; null: nowhere. */
  function bestKnown(
    wanted: Wanted,
    { arrived, left, isAsked, isMoved }: NameEvents,
  ): number | null | undefined {
    const now = present().get(wanted.name, wanted.source)?.target_key
    const isKnown = !isMoved && (now === undefined ? !isAsked : !left.has(now))
    return isKnown ? targets.bestOf(wanted, now === undefined ? [...arrived] : [now, ...arrived]) : undefined
  }
  function lead(wanted: Wanted): void {
    rows.lead(wanted, targets.targetOf(wanted))
  }

  return {
    begin(): void {
      events.clear()
      reordered.clear()
    },
    arrived(node: Linkable): void {
      events.cameName(node.name, node.key)
      events.noteId(node.id)
      if (node.links !== null) setParsed(node.key, node.links)
    },
    returned(node: Linkable): void {
      this.arrived(node)
      wakeManual(node.key)
    },
    changed(before: Placed, after: Placed): void {
      if (before.name !== after.name) {
        events.wentName(before.name, before.key)
        events.cameName(after.name, after.key)
      }
      // What is above a heading decides which of two in its file counts: below this node too.
      if (before.parentKey !== after.parentKey) reordered.add(after.documentId)
      if (before.links !== after.links) setParsed(after.key, after.links)
    },
    /** Its text's links go with it; those that somebody made wait for it to come back. */
    left(node: Linkable): void {
      events.wentName(node.name, node.key)
      events.noteId(node.id)
      for (const row of rows.ofSource(node.key)) {
        if (row.origin === 'parsed') rows.remove(row)
        else rows.sleep(row)
      }
    },
    /** Nothing is left of an erased document's links, for they hold its words. */
    documentErased(documentId: number): void {
      for (const { key, id, name } of ofDocument().all(documentId)) {
        events.wentName(name, key)
        events.noteId(id)
        for (const row of rows.ofSource(key)) rows.remove(row)
      }
    },
    /** A file's name decides which of several headings a link means. */
    documentMoved: moveNames,
    /** Brings the links of one node's text to what it asks for. */
    reset(key: number, asked: string | null): void {
      setParsed(key, asked)
    },
    settleAll(): void {
      for (const { name } of allNames().all()) events.movedName(name)
      for (const { target_id } of allIds().all()) events.askedId(target_id)
      this.settle()
    },
    settle(): void {
      for (const documentId of reordered) moveNames(documentId)
      for (const [name, noted] of events.names) leadName(name, noted)
      for (const targetId of events.ids) lead({ name: '', source: '', targetId })
      this.begin()
    },
    putManualLink(sourceKey: number, link: Link): LinkRow {
      const wanted = wantedBy(link)
      const manual = rows.ofSource(sourceKey).filter((row) => row.origin === 'manual')
      const stored = manual.find((row) => storedKey(row) === keyOf(link))
      const last = (manual.at(-1)?.place ?? -1) + 1
      if (stored) rows.change(stored, link, stored.place)
      const id = stored?.id ?? rows.add(sourceKey, 'manual', link, wanted, last)
      lead(wanted)
      return byRow(id)
    },
    deleteManualLinks(sourceKey: number, target: LinkTarget): number {
      const targetKey = 'targetId' in target ? targets.targetOf(wantedById(target.targetId)) : null
      const doomed = rows
        .ofSource(sourceKey)
        .filter((row) => row.origin === 'manual' && isAimedAt(row, target, targetKey))
      for (const row of doomed) rows.remove(row)
      return doomed.length
    },
  }
}

export type LinkWriter = ReturnType<typeof linkWrites>

/** The links of a node by what tells them apart; of equal ones the last counts. */
export function linksByKey<L extends Link>(links: readonly L[]): Map<string, { link: L; place: number }> {
  return new Map(links.map((link, place) => [keyOf(link), { link, place }]))
}

/** What tells a link from the others of its node. */
function keyOf(link: Link): string {
  const { name, source, targetId: id } = wantedBy(link)
  return linkKey({ name, source, id })
}

/** What a link is led by. */
export function wantedBy({ label, source, id }: Link): Wanted {
  return id === '' ? { name: linkName(label), source, targetId: '' } : wantedById(id)
}

function wantedById(targetId: string): Wanted {
  return { name: '', source: '', targetId }
}
