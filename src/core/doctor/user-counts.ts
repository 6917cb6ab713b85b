import type { ScannedDocument } from '../port/scan.ts'
import type { UserCount } from '../port/write-set.ts'
import { type ChargedDocument, createUserCounts } from '../rows/user-counts.ts'
import { utf8Length } from '../tokens.ts'
import { amount } from './check.ts'
import type { NodeStateRow } from './checked-rows.ts'
import { type Counted, corrections } from './door-counts.ts'

/** A document whose stored size is wrong. */
interface WrongSize {
  id: number
  textBytes: number
}

interface Note extends ChargedDocument {
  id: number
  stored: unknown
}

/** Measures documents again, recounts them by user, and compares with what is stored. Documents come before nodes. */
export function recountingUsers() {
  const counts = createUserCounts()
  const stored: Counted<{ userId: string }>[] = []
  const wrong: WrongSize[] = []
  /** Until their nodes have been seen. */
  const notes = new Map<number, Note>()

  function measured(id: number, document: ChargedDocument, storedBytes: unknown): void {
    if (storedBytes !== document.textBytes) wrong.push({ id, textBytes: document.textBytes })
    counts.count(document, 1)
  }
  function finishNotes(): void {
    for (const { id, stored: storedBytes, ...document } of notes.values()) measured(id, document, storedBytes)
    notes.clear()
  }
  function wrongCounts() {
    finishNotes()
    const expected = counts.changes().map(({ userId, count, bytes }) => ({ name: { userId }, count, bytes }))
    return corrections(expected, stored)
  }

  return {
    seeCount({ userId, count, bytes }: UserCount): void {
      stored.push({ name: { userId }, count: amount(count), bytes: amount(bytes) })
    },
    document(row: ScannedDocument): void {
      const { id, kind, state, userId, attributes = null, ownTextBytes: textBytes } = row
      if (!row.isOwn || kind === 'source') return
      const document = { address: { kind }, state, userId, attributes, textBytes }
      // Nobody is charged for these, and an import does not measure files that were appended to.
      if (userId === null && (kind === 'note' || kind === 'file')) return
      if (kind === 'note') notes.set(id, { id, ...document, stored: row.textBytes })
      else measured(id, document, row.textBytes)
    },
    node({ documentId, text }: Pick<NodeStateRow, 'documentId' | 'text'>): void {
      const note = notes.get(documentId)
      if (note && typeof text === 'string') note.textBytes += utf8Length(text)
    },
    /** How many sizes and counts are wrong. */
    countWrong: (): number => wrongCounts().length + wrong.length,
    wrongSizes(): readonly WrongSize[] {
      finishNotes()
      return wrong
    },
    corrections: (): UserCount[] =>
      wrongCounts().map(({ name, count, bytes }) => ({ ...name, count, bytes })),
  }
}
