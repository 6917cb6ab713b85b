import { linkName } from '../../core/link.ts'
import type { NodeChange } from '../../core/store.ts'
import type { Context } from './context.ts'
import { coldnessOf } from './heat.ts'
import type { LinkWriter } from './link-writes.ts'
import { markBlob } from './marks.ts'
import { statement } from './statements.ts'
import type { Tally } from './tally.ts'
import type { TextQueries } from './texts.ts'

type Put = Exclude<NodeChange, { op: 'rem' }>
type Nullable = string | null
type Range = [{ snapshot: number; from: number; to: number }]

/** Heat of a node nobody has read yet. */
export const INITIAL_HEAT = 0.5

/** New nodes come in batches: one insert for each, and one statement a batch for all that follows from it. */
const FOLLOWING = [
  `INSERT INTO versions (node_key, snapshot_id, op, parent_key, position, type, format, text_id, links)
     SELECT key, @snapshot, 'add', parent_key, position, type, format, text_id, links FROM nodes WHERE key BETWEEN @from AND @to`,
  `INSERT INTO heat (node_key, value, clock, coldness)
     SELECT n.key, ${INITIAL_HEAT}, s.heat_clock, ${coldnessOf(String(INITIAL_HEAT), 's.heat_clock')}
     FROM nodes n CROSS JOIN documents d ON d.id = n.document_id CROSS JOIN spaces s ON s.id = d.space_id
     WHERE n.key BETWEEN @from AND @to`,
  `INSERT INTO node_index (rowid, label, body)
     SELECT key, label, body FROM node_index_rows WHERE key BETWEEN @from AND @to`,
]

export function arrivalQueries({ db }: Context, texts: TextQueries, tally: Tally, linkWriter: LinkWriter) {
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
  const following = FOLLOWING.map((sql) => statement<Range>(db, sql))
  const ownLabel = statement<[string, number, number]>(
    db,
    'UPDATE versions SET label = ? WHERE node_key = ? AND snapshot_id = ?',
  )
  let firstNew: number | undefined
  let next = 0

  function addNode(change: Put): void {
    const { key, id, documentId, state, tokens, label } = change
    const { parentKey, position, type, format, digest, links } = state
    const textId = texts.addText(digest, change.text)
    const mark = markBlob(change.mark)
    const row = [key, id, documentId, parentKey, position, type, format, tokens, textId, mark, label] as const
    const name = nameOf(type, label)
    insert().run(...row, name, links)
    linkWriter.arrived({ key, id, name, links })
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
      for (const change of fresh) addNode(change)
      for (const [from, to] of runs(fresh)) {
        for (const follow of following) follow().run({ snapshot, from, to })
      }
      for (const { key, state } of fresh) if (state.label !== null) ownLabel().run(state.label, key, snapshot)
    },
  }
}

/** What links find a node by: only headings are found by their label. */
export function nameOf(type: string, label: string): string | null {
  return type === 'heading' && label !== '' ? linkName(label) : null
}

/** Keys as runs of consecutive ones. */
function runs(changes: readonly { key: number }[]): [number, number][] {
  const keys = changes.map(({ key }) => key).sort((a, b) => a - b)
  const found: [number, number][] = []
  for (const key of keys) {
    const last = found.at(-1)
    if (last && last[1] === key - 1) last[1] = key
    else found.push([key, key])
  }
  return found
}
