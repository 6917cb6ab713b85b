import type { Plan } from './plan.ts'
import type { DocumentRow, Store, WriteTx } from './port/store.ts'

/** The heat that a file's nodes begin with, by its path below the compile root; undefined: the usual one. */
export type SeedOf = (path: string) => number | undefined

export interface Seeding {
  /** Notes which nodes are new or changed. */
  note(plan: Plan): void
  /** Gives them the heat of their file, once they are stored. */
  apply(tx: WriteTx, documents: ReadonlyMap<string, DocumentRow>): Promise<void>
}

export function createSeeding(seedOf: SeedOf): Seeding {
  const keysByDocument = new Map<number, number[]>()
  return {
    note({ changes }) {
      for (const change of changes) {
        if (change.op === 'rem') continue
        const keys = keysByDocument.get(change.documentId)
        if (keys) keys.push(change.key)
        else keysByDocument.set(change.documentId, [change.key])
      }
    },
    async apply(tx, documents) {
      for (const [value, ids] of bySeed(seedOf, documents)) {
        const keys = ids.flatMap((id) => keysByDocument.get(id) ?? [])
        if (keys.length > 0) await tx.setHeat(keys, { value })
      }
    },
  }
}

/** Gives every node of every file that has a seed its heat again. No snapshot. Returns how many had another. */
export function reseed(store: Store, { root, seedOf }: { root: string; seedOf: SeedOf }): Promise<number> {
  return store.write(async (tx) => {
    let count = 0
    const documents = new Map(
      (await tx.listRootDocuments(root)).flatMap((row) =>
        row.address.kind === 'source' ? [[row.address.path, row]] : [],
      ),
    )
    for (const [value, ids] of bySeed(seedOf, documents)) count += await tx.seedHeat(ids, value)
    return count
  })
}

function bySeed(seedOf: SeedOf, documents: ReadonlyMap<string, DocumentRow>): Map<number, number[]> {
  const found = new Map<number, number[]>()
  for (const [path, { id }] of documents) {
    const value = seedOf(path)
    if (value === undefined) continue
    const ids = found.get(value)
    if (ids) ids.push(id)
    else found.set(value, [id])
  }
  return found
}
