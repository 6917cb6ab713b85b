import { linkName } from '../../core/link.ts'
import type { NodeChange } from '../../core/port/store.ts'
import type { Context } from './context.ts'
import { coldnessOf } from './heat.ts'
import type { LinkWriter } from './link-writes.ts'
import { markBlob } from './marks.ts'
import type { IndexWriter } from './node-index.ts'
import { statement } from './statements.ts'
import type { Tally } from './tally.ts'
import type { TextQueries } from './texts.ts'

type Put = Exclude<NodeChange, { op: 'rem' }>
type Nullable = string | null

interface Writers {
  texts: TextQueries
  tally: Tally
  links: LinkWriter
  index: IndexWriter
}

/** Heat of a node nobody has read yet. */
export const INITIAL_HEAT = 0.5

/** One row a statement, for the sake of the search index: see `node-index.ts`. */
export function arrivalQueries(
  { db, spaceId }: Context,
  { texts, tally, links: linkWriter, index }: Writers,
) {
  const lastKey = statement<[], { key: number | null }>(db, 'SELECT max(key) AS key FROM nodes')
  const insert = statement<
    [
      number,
      string,
      number,
      number | null,
      string,
      string,
      string,
      number,
      number,
      Buffer,
      string,
      Nullable,
      Nullable,
    ]
  >(
    db,
    `INSERT INTO nodes (key, id, document_id, parent_key, position, type, format, tokens, text_id, mark, label, name,
       links)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const version = statement<
    [number, number, number | null, string, string, string, Nullable, number, Nullable]
  >(
    db,
    `INSERT INTO versions (node_key, snapshot_id, op, parent_key, position, type, format, label, text_id, links)
     VALUES (?, ?, 'add', ?, ?, ?, ?, ?, ?, ?)`,
  )
  const initialHeat = statement<[number], { clock: number; coldness: number }>(
    db,
    `SELECT heat_clock AS clock, ${coldnessOf(String(INITIAL_HEAT), 'heat_clock')} AS coldness FROM spaces WHERE id = ?`,
  )
  const heat = statement<[number, number, number]>(
    db,
    `INSERT INTO heat (node_key, value, clock, coldness) VALUES (?, ${INITIAL_HEAT}, ?, ?)`,
  )
  let firstNew: number | undefined
  let next = 0

  function addNode(snapshot: number, change: Put): void {
    const { key, id, documentId, state, tokens, label } = change
    const { parentKey, position, type, format, digest, links } = state
    const textId = texts.addText(digest, change.text)
    const mark = markBlob(change.mark)
    const row = [key, id, documentId, parentKey, position, type, format, tokens, textId, mark, label] as const
    const name = nameOf(type, label)
    insert().run(...row, name, links)
    version().run(key, snapshot, parentKey, position, type, format, state.label, textId, links)
    linkWriter.arrived({ key, id, documentId, parentKey, name, links })
    index.note(key, undefined, change.words ?? index.rowOf(key))
    tally.add({ type, tokens, mark })
  }

  return {
    allocateKeys(count: number): number {
      if (firstNew === undefined) {
        firstNew = (lastKey().get()?.key ?? 0) + 1
        next = firstNew
      }
      next += count
      return next - count
    },
    reset(): void {
      firstNew = undefined
    },
    isNew: (key: number): boolean => firstNew !== undefined && key >= firstNew,
    addNodes(snapshot: number, fresh: Put[]): void {
      if (fresh.length === 0) return
      for (const change of fresh) addNode(snapshot, change)
      const { clock, coldness } = initialHeat().get(spaceId) as { clock: number; coldness: number }
      for (const { key } of fresh) heat().run(key, clock, coldness)
    },
  }
}

/** What links find a node by: only headings are found by their label. */
export function nameOf(type: string, label: string): string | null {
  return type === 'heading' && label !== '' ? linkName(label) : null
}
