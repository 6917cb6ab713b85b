import type { Hash64 } from '../digest.ts'
import { firstId, nextId } from '../ids.ts'
import type { ReadTx } from '../port/store.ts'
import type { FlatBlock } from '../rows/flatten.ts'

export interface BlocksToName {
  idPath: string
  firstRootId?: string
  flat: FlatBlock[]
  /** By root: the id of its parent, if that is a node of another document. */
  attachments?: ({ parentId: string | null } | undefined)[]
  /** Makes an alternative id that is likely free: a key that no node had. */
  salt?: number
  /** Known ids of blocks, by index. */
  known?: (string | undefined)[]
}

/** Which ids are or were in use: each is read once. */
export function createIdBook(tx: Pick<ReadTx, 'nodes'>) {
  const known = new Map<string, boolean>()
  return {
    isTaken: (id: string): boolean | undefined => known.get(id),
    take(id: string): void {
      known.set(id, true)
    },
    async ask(ids: readonly string[]): Promise<void> {
      const unknown = [...new Set(ids)].filter((id) => !known.has(id))
      if (unknown.length === 0) return
      const used = await tx.nodes({ ids: unknown, removed: true }, 'id')
      for (const id of unknown) known.set(id, false)
      for (const { id } of used) known.set(id, true)
    },
  }
}

export type IdBook = ReturnType<typeof createIdBook>

/** The ids that blocks get if none is taken. */
export function publishedIds(hash: Hash64, documents: readonly BlocksToName[]): string[] {
  return documents.flatMap((document) => candidates(hash, document, new Uint32Array(document.flat.length)))
}

/** An id for every block of each document: the published one unless it is or was in use. */
export async function assignIds(
  book: IdBook,
  hash: Hash64,
  documents: readonly BlocksToName[],
): Promise<string[][]> {
  let attempts: readonly Uint32Array[] = documents.map(({ flat }) => new Uint32Array(flat.length))
  const idsOf = (tries: readonly Uint32Array[]): string[][] =>
    documents.map((document, at) => candidates(hash, document, tries[at] as Uint32Array))
  for (;;) {
    const ids = idsOf(attempts)
    const fresh = newIds(documents, ids)
    if (fresh.length === 0) return ids
    if (fresh.some((id) => book.isTaken(id) === undefined)) {
      // Ids that are certainly taken are replaced in the same read.
      const next = afterTaken(book, documents, ids, attempts)
      await book.ask(next ? fresh.concat(newIds(documents, idsOf(next))) : fresh)
    }
    const next = afterTaken(book, documents, ids, attempts)
    if (!next) return ids
    attempts = next
  }
}

function candidates(hash: Hash64, document: BlocksToName, attempts: Uint32Array): string[] {
  const { idPath, firstRootId, flat, attachments, known, salt = 0 } = document
  const ids: string[] = []
  for (const [place, { parent, index }] of flat.entries()) {
    const have = known?.[place]
    if (have !== undefined) {
      ids.push(have)
      continue
    }
    const parentId = parent >= 0 ? (ids[parent] as string) : (attachments?.[index]?.parentId ?? null)
    const isGiven = parent < 0 && index === 0 && firstRootId !== undefined
    const first = isGiven ? firstRootId : firstId(hash, idPath, parentId, index)
    const attempt = attempts[place] as number
    ids.push(attempt === 0 ? first : nextId(hash, first, salt + attempt))
  }
  return ids
}

function newIds(documents: readonly BlocksToName[], ids: string[][]): string[] {
  return documents.flatMap(({ known }, at) => {
    const own = ids[at] as string[]
    return known ? own.filter((_, place) => known[place] === undefined) : own
  })
}

/** One more attempt for every block whose id is taken, or equals that of another block; undefined: none needed. */
function afterTaken(
  book: IdBook,
  documents: readonly BlocksToName[],
  ids: string[][],
  attempts: readonly Uint32Array[],
): Uint32Array[] | undefined {
  const seen = new Set<string>()
  let next: Uint32Array[] | undefined
  for (const [at, { known }] of documents.entries()) {
    for (const [place, id] of (ids[at] as string[]).entries()) {
      if (known?.[place] !== undefined) continue
      if (seen.has(id) || book.isTaken(id)) {
        next ??= attempts.map((tries) => tries.slice())
        const tries = next[at] as Uint32Array
        tries[place] = (tries[place] as number) + 1
      }
      seen.add(id)
    }
  }
  return next
}
