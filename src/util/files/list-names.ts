import { promises } from 'node:fs'
import { isAbsence } from './absence.ts'
import { refuseLinks } from './within-folder.ts'

/** The entries of a folder; empty if there is none. A link at or below `within` counts as none. */
export async function listNames(folder: string, within: string): Promise<string[]> {
  try {
    refuseLinks(within, folder)
    return await promises.readdir(folder)
  } catch (error) {
    if (isAbsence(error)) return []
    throw error
  }
}
