import type { DocumentRow, Operation, ReadTx, Store, WriteTx } from '../port/store.ts'
import { seedHeat, setHeat } from '../rows/heat.ts'
import type { Plan } from '../rows/plan.ts'
import { rootDocuments } from '../write/documents.ts'

/** The heat that a file's nodes begin with, by its path below the compile root; undefined: the usual one. */
export type SeedOf = (path: string) => number | undefined

/** The same as data, only for files that have one. */
export type Seeds = ReadonlyMap<string, number>

export function seedsOf(paths: Iterable<string>, seedOf: SeedOf): Seeds {
  const seeds = new Map<string, number>()
  for (const path of paths) {
    const value = seedOf(path)
    if (value !== undefined) seeds.set(path, value)
  }
  return seeds
}

export interface Seeding {
  /** Notes which nodes are new or changed. */
  note(plan: Plan): void
  /** Gives them the heat of their file, once they are stored. */
  apply(tx: WriteTx, documents: ReadonlyMap<string, DocumentRow>): Promise<void>
}

export function createSeeding(seeds: Seeds): Seeding {
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
      for (const [value, ids] of bySeed(seeds, documents)) {
        const keys = ids.flatMap((id) => keysByDocument.get(id) ?? [])
        if (keys.length > 0) await setHeat(tx, keys, { value })
      }
    },
  }
}

/** Gives every node of every file that has a seed its heat again. No snapshot. Returns how many had another. */
export async function reseed(
  store: Store,
  { root, seedOf }: { root: string; seedOf: SeedOf },
): Promise<number> {
  const documents = await store.read((tx) => documentsOf(tx, root))
  return store.write(seedAgain, { root, seeds: seedsOf(documents.keys(), seedOf) })
}

export const seedAgain: Operation<{ root: string; seeds: Seeds }, number> = {
  name: 'reseed',
  async run(tx, { root, seeds }) {
    let count = 0
    for (const [value, ids] of bySeed(seeds, await documentsOf(tx, root)))
      count += await seedHeat(tx, ids, value)
    return count
  },
}

async function documentsOf(tx: Pick<ReadTx, 'documents'>, root: string): Promise<Map<string, DocumentRow>> {
  const rows = await rootDocuments(tx, root)
  return new Map(rows.flatMap((row) => (row.address.kind === 'source' ? [[row.address.path, row]] : [])))
}

function bySeed(seeds: Seeds, documents: ReadonlyMap<string, DocumentRow>): Map<number, number[]> {
  const found = new Map<number, number[]>()
  for (const [path, { id }] of documents) {
    const value = seeds.get(path)
    if (value === undefined) continue
    const ids = found.get(value)
    if (ids) ids.push(id)
    else found.set(value, [id])
  }
  return found
}
