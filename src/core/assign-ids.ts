import type { Hash64 } from './digest.ts'
import type { FlatBlock } from './flatten.ts'
import { firstId, nextId } from './ids.ts'
import type { ReadTx } from './port/store.ts'

export interface BlocksToName {
  idPath: string
  firstRootId?: string
  flat: FlatBlock[]
  /** By root: the id it hangs under, where that is a node of another document. */
  attachments?: ({ parentId: string | null } | undefined)[]
  /** Makes another id, where the published one is taken, likely to be free at once: a key that no node had. */
  salt?: number
  /** Ids that blocks have already, by place. */
  known?: (string | undefined)[]
}

/** An id for every block of each document: the published one unless somebody has it, or ever had it. */
export async function assignIds(
  tx: Pick<ReadTx, 'nodes'>,
  hash: Hash64,
  documents: readonly BlocksToName[],
): Promise<string[][]> {
  const attempts = documents.map(({ flat }) => new Uint32Array(flat.length))
  for (;;) {
    const ids = documents.map((document, at) => candidates(hash, document, attempts[at] as Uint32Array))
    const taken = await takenIds(tx, documents, ids)
    if (taken.length === 0) return ids
    for (const { at, place } of taken) {
      const tries = attempts[at] as Uint32Array
      tries[place] = (tries[place] as number) + 1
    }
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

async function takenIds(
  tx: Pick<ReadTx, 'nodes'>,
  documents: readonly BlocksToName[],
  ids: string[][],
): Promise<{ at: number; place: number }[]> {
  const seen = new Map<string, { at: number; place: number }>()
  const taken: { at: number; place: number }[] = []
  for (const [at, document] of documents.entries()) {
    for (const [place, id] of (ids[at] as string[]).entries()) {
      if (document.known?.[place] !== undefined) continue
      if (seen.has(id)) taken.push({ at, place })
      else seen.set(id, { at, place })
    }
  }
  if (seen.size === 0) return taken
  for (const { id } of await tx.nodes({ ids: [...seen.keys()], removed: true }, 'id'))
    taken.push(seen.get(id) as { at: number; place: number })
  return taken
}
