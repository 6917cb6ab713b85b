import type { HeatClock, HeatRecord } from '../../../core/port/heat.ts'
import type { HeatPut } from '../../../core/port/write-set.ts'
import type { Context } from '../database/context.ts'
import { columnsOf, TABLES } from '../database/rows.ts'
import { insertion, update } from '../database/statements.ts'

/** The clock of the memory's own space: SQLite reads it once in a statement. */
export const HEAT_CLOCK = '(SELECT heat_clock FROM spaces WHERE id = @space)'

/** Decay is lazy: what a node had, cooled by how far the heat clock went since. Pinned nodes keep theirs. */
export const EFFECTIVE_HEAT = `CASE WHEN h.pinned = 1 THEN h.value ELSE h.value * exp(h.clock - ${HEAT_CLOCK}) END`

export interface SqlHeat extends Omit<HeatRecord, 'pinned' | 'told'> {
  pinned: number
  told: number
}

export function toHeat<R extends SqlHeat>(
  row: R,
): Omit<R, 'pinned' | 'told'> & Pick<HeatRecord, 'pinned' | 'told'> {
  return { ...row, pinned: row.pinned === 1, told: row.told === 1 }
}

export function heatRowWrites({ db, spaceId }: Context) {
  const key = columnsOf('key=node_key')
  const add = insertion(db, 'INSERT INTO heat', { ...key, ...TABLES.heat })
  const change = update(db, 'heat', TABLES.heat, key)
  const setClock = update(db, 'spaces', TABLES.heatClock, columnsOf('id'))
  return {
    putHeat(puts: readonly HeatPut[]): void {
      for (const put of puts) put.isNew ? add(put) : change(put)
    },
    setClock: (clock: HeatClock): void => setClock({ ...clock, id: spaceId }),
  }
}
