import { readdir } from 'node:fs/promises'
import { isAbsence } from './absence.ts'

/** What is in a folder; nothing when there is none. */
export async function listNames(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isAbsence(error)) return []
    throw error
  }
}
