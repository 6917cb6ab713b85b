import { promises } from 'node:fs'
import { isAbsence } from './absence.ts'
import { refuseLinks } from './within-folder.ts'

/** What is in a folder; nothing when there is none. A link at or below `within` is as good as none. */
export async function listNames(folder: string, within: string): Promise<string[]> {
  try {
    refuseLinks(within, folder)
    return await promises.readdir(folder)
  } catch (error) {
    if (isAbsence(error)) return []
    throw error
  }
}
