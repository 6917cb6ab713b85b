import type { ScanReads } from '../port/scan.ts'
import { type CheckedTable, type Seeing, TABLES } from './check.ts'
import { checkedPages } from './checked-rows.ts'

/** Passes every row of the needed tables. */
export async function seeRows(tx: Pick<ScanReads, 'scan'>, see: Seeing): Promise<void> {
  for (const table of TABLES) await seeTable(tx, table, see)
}

async function seeTable<T extends CheckedTable>(
  tx: Pick<ScanReads, 'scan'>,
  table: T,
  { [table]: see }: Seeing,
): Promise<void> {
  if (see) for await (const page of checkedPages(tx, table)) page.forEach(see)
}
