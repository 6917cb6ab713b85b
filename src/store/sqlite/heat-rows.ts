import type { HeatClock, HeatRecord, HeatSelect } from '../../core/port/heat.ts'
import type { HeatPut } from '../../core/port/write-set.ts'
import { type Context, listParameter } from './context.ts'
import { limitOf, statement } from './statements.ts'

export interface SqlHeat extends Omit<HeatRecord, 'pinned' | 'told'> {
  pinned: number
  told: number
}

export const HEAT_COLUMNS =
  'h.value, h.clock, h.pinned, h.accesses, h.accessed_at AS accessedAt, h.told, h.coldness'

export function toHeat<R extends SqlHeat>(
  row: R,
): Omit<R, 'pinned' | 'told'> & Pick<HeatRecord, 'pinned' | 'told'> {
  return { ...row, pinned: row.pinned === 1, told: row.told === 1 }
}

/** What a write asks about heat. */
export function heatRecordReads({ db }: Context) {
  const select = `SELECT n.key, n.id, ${HEAT_COLUMNS} FROM`
  const heatOf = 'CROSS JOIN heat h ON h.node_key = n.key WHERE n.removed_in IS NULL'
  type Row = SqlHeat & { id: string }
  const byKey = statement<[string], Row>(
    db,
    `${select} json_each(?) j CROSS JOIN nodes n ON n.key = j.value ${heatOf}`,
  )
  const byId = statement<[string], Row>(
    db,
    `${select} json_each(?) j CROSS JOIN nodes n ON n.id = j.value ${heatOf}`,
  )
  const ofDocument = statement<[number, number], Row>(
    db,
    `${select} (SELECT key, id FROM nodes WHERE document_id = ? AND removed_in IS NULL ORDER BY key ${limitOf()}) n
     CROSS JOIN heat h ON h.node_key = n.key`,
  )
  function rows(asked: HeatSelect): Row[] {
    if ('keys' in asked) return byKey().all(listParameter(asked.keys))
    if ('ids' in asked) return byId().all(listParameter(asked.ids))
    return ofDocument().all(asked.document, asked.limit ?? -1)
  }
  return { heatRecords: (asked: HeatSelect) => rows(asked).map(toHeat) }
}

export function heatRowWrites({ db, spaceId }: Context) {
  const add = statement<[SqlHeat]>(
    db,
    `INSERT INTO heat (node_key, value, clock, pinned, accesses, accessed_at, told, coldness)
     VALUES (@key, @value, @clock, @pinned, @accesses, @accessedAt, @told, @coldness)`,
  )
  const change = statement<[SqlHeat]>(
    db,
    `UPDATE heat SET value = @value, clock = @clock, pinned = @pinned, accesses = @accesses, accessed_at = @accessedAt,
       told = @told, coldness = @coldness WHERE node_key = @key`,
  )
  const setClock = statement<[Omit<HeatClock, 'frozen'> & { frozen: number; space: number }]>(
    db,
    `UPDATE spaces SET heat_clock = @clock, heat_ticked_at = @tickedAt, heat_frozen = @frozen, cold_below = @coldBelow
     WHERE id = @space`,
  )
  return {
    putHeat(puts: readonly HeatPut[]): void {
      for (const { isNew, pinned, told, ...row } of puts)
        (isNew ? add : change)().run({ ...row, pinned: Number(pinned), told: Number(told) })
    },
    setClock: ({ frozen, ...clock }: HeatClock): void =>
      void setClock().run({ ...clock, frozen: Number(frozen), space: spaceId }),
  }
}
