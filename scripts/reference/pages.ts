import { commandTables } from './commands.ts'
import { errorTables } from './errors.ts'
import { libraryTables } from './library.ts'
import { resourceTables } from './resources.ts'
import { settingTables } from './settings.ts'
import { type GeneratedTable, withTable } from './table.ts'
import { keyTables, toolTables } from './tools.ts'

/** Pages with tables that follow from the sources, by their path from the root of the repository. */
export const GENERATED_PAGES: Record<string, () => GeneratedTable[] | Promise<GeneratedTable[]>> = {
  'docs/reference/commands.md': commandTables,
  'docs/reference/configuration.md': settingTables,
  'docs/reference/errors.md': errorTables,
  'docs/reference/keys.md': keyTables,
  'docs/reference/library.md': libraryTables,
  'docs/reference/records.md': () => toolTables('records', 'Records'),
  'docs/reference/resources.md': resourceTables,
  'docs/reference/tools.md': () => toolTables('tree', 'Tools'),
}

/** The text of a page with its generated tables as they have to be. */
export async function regenerate(path: string, text: string): Promise<string> {
  const tables = (await GENERATED_PAGES[path]?.()) ?? []
  try {
    return tables.reduce(withTable, text)
  } catch (error) {
    throw new Error(`${path}: ${(error as Error).message}`)
  }
}
