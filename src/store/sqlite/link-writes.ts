import { decodeLinks } from '../../core/link.ts'
import { slug } from '../../core/link-parts.ts'
import { linkKey, linksByKey, type Wanted, wantedBy } from '../../core/links/wanted.ts'
import type { Link } from '../../core/model.ts'
import type { LinkRow, LinkTarget } from '../../core/port/links.ts'
import type { Context } from './context.ts'
import { documentNameQueries } from './document-names.ts'
import { linkEvents } from './link-events.ts'
import { linkResolver } from './link-facts.ts'
import { isAimedAt, linkRows, storedKey } from './link-rows.ts'
import { askedBy, linkSearches } from './link-searches.ts'
import { linkById } from './links.ts'
import { statement } from './statements.ts'
import type { Tally } from './tally.ts'

/** What of a node matters to links, and where it stands. */
export interface Linkable {
  key: number
  id: string
  documentId: number
  parentKey: number | null
  name: string | null
  links: string | null
}

/**
 * Links follow the nodes: during a transaction it is only noted what changed that decides where links lead; at its end every
 * link that this concerns is led to where it belongs now.
 */
export function linkWrites(context: Context, tally: Tally) {
  const { db } = context
  const rows = linkRows(context, tally)
  const searches = linkSearches(context)
  const names = documentNameQueries(context)
  const resolver = linkResolver(context)
  const byRow = linkById(context)
  const ofDocument = statement<[number], Pick<Linkable, 'key' | 'id' | 'name'>>(
    db,
    'SELECT key, id, name FROM nodes WHERE document_id = ?',
  )
  const allDocuments = statement<[], { id: number }>(db, 'SELECT id FROM documents')
  const events = linkEvents(searches.hasLinksById)
  /** Documents in which nodes have another parent. */
  const reordered = new Set<number>()

  /** A link that was just stored, or woke, has to be led somewhere. */
  function ask(id: number, { targetId }: Pick<Wanted, 'targetId'>): void {
    if (targetId === '') events.askedLink(id)
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
      const asked = wantedBy(link)
      ask(rows.add(key, 'parsed', link, asked, place), asked)
    }
  }
  function wakeManual(key: number): void {
    for (const row of rows.ofSource(key)) {
      if (row.asleep === 0) continue
      rows.wake(row)
      ask(row.id, { targetId: row.wanted_id })
    }
  }
  function noteNames(documentId: number): void {
    for (const { name } of ofDocument().all(documentId)) events.noteName(name)
  }
  /** Every link that what was noted may lead elsewhere. */
  function findConcerned(rootOf: (document: number) => number | null): void {
    for (const documentId of [...reordered, ...events.moved]) noteNames(documentId)
    for (const documentId of events.touched) {
      const { kept, changed } = names.refresh(documentId)
      const isMoved = events.moved.has(documentId)
      for (const name of isMoved ? [...kept, ...changed] : changed) searches.byDocumentName(name)
      if (!isMoved) for (const name of kept) searches.byKeptName(name, rootOf(documentId))
    }
    searches.ownBlocks(events.touched)
    for (const documentId of events.moved) searches.inDocument(documentId)
    for (const name of events.names) searches.byHeading(name, slug(name))
    searches.byRow(events.asked)
  }
  function lead(): void {
    const { targetOf } = resolver()
    for (const row of searches.take()) {
      const target = targetOf(askedBy(row))
      if (target !== row.target_key) rows.retarget(row, target)
    }
  }

  return {
    begin(): void {
      events.clear()
      reordered.clear()
    },
    arrived(node: Linkable): void {
      events.noteName(node.name)
      events.noteId(node.id)
      events.touchedDocument(node.documentId)
      if (node.links !== null) setParsed(node.key, node.links)
    },
    returned(node: Linkable): void {
      this.arrived(node)
      wakeManual(node.key)
    },
    changed(before: Linkable, after: Linkable): void {
      events.touchedDocument(after.documentId)
      if (before.name !== after.name) {
        events.noteName(before.name)
        events.noteName(after.name)
      }
      // What is above a heading decides which of two in its file counts: below this node too.
      if (before.parentKey !== after.parentKey) reordered.add(after.documentId)
      if (before.links !== after.links) setParsed(after.key, after.links)
    },
    /** Its text's links go with it; those that somebody made wait for it to come back. */
    left(node: Linkable): void {
      events.noteName(node.name)
      events.noteId(node.id)
      events.touchedDocument(node.documentId)
      for (const row of rows.ofSource(node.key)) {
        if (row.origin === 'parsed') rows.remove(row)
        else rows.sleep(row)
      }
    },
    /** Nothing is left of an erased document's links, for they hold its words. */
    documentErased(documentId: number): void {
      events.touchedDocument(documentId)
      for (const { key, id, name } of ofDocument().all(documentId)) {
        events.noteName(name)
        events.noteId(id)
        for (const row of rows.ofSource(key)) rows.remove(row)
      }
    },
    /** Its path decides what is near to it, and what it is found by. */
    documentMoved: events.movedDocument,
    /** Brings the links of one node's text to what it asks for. */
    reset(key: number, asked: string | null): void {
      setParsed(key, asked)
    },
    settleAll(): void {
      for (const { id } of allDocuments().all()) names.refresh(id)
      for (const { target_id } of searches.ids()) events.askedId(target_id)
      searches.all()
      this.settle()
    },
    settle(): void {
      findConcerned(resolver().rootOf)
      lead()
      for (const targetId of events.ids) rows.leadById(targetId, byId(targetId))
      this.begin()
    },
    putManualLink(sourceKey: number, link: Link): LinkRow {
      const wanted = wantedBy(link)
      const manual = rows.ofSource(sourceKey).filter((row) => row.origin === 'manual')
      const stored = manual.find((row) => storedKey(row) === linkKey(link))
      const last = (manual.at(-1)?.place ?? -1) + 1
      if (stored) rows.change(stored, link, stored.place)
      const id = stored?.id ?? rows.add(sourceKey, 'manual', link, wanted, last)
      searches.byRow([id])
      lead()
      return byRow(id)
    },
    deleteManualLinks(sourceKey: number, target: LinkTarget): number {
      const targetKey = 'targetId' in target ? byId(target.targetId) : null
      const doomed = rows
        .ofSource(sourceKey)
        .filter((row) => row.origin === 'manual' && isAimedAt(row, target, targetKey))
      for (const row of doomed) rows.remove(row)
      return doomed.length
    },
  }

  function byId(targetId: string): number | null {
    return resolver().targetOf({ label: '', source: '', targetId, documentId: 0 })
  }
}

export type LinkWriter = ReturnType<typeof linkWrites>
