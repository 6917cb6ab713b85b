import type { HeatClock, HeatRecord } from '../../core/port/heat.ts'
import type { HeatPut } from '../../core/port/write-set.ts'
import type { Context } from './context.ts'
import { statement } from './statements.ts'

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
