import { constants, copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openMemory } from '../../src/index.ts'
import { writeCorpus } from '../engine/corpus.ts'

export const fileOf = (folder: string, space: number): string => join(folder, `space-${space}.db`)

/** Files of memories that nobody has open: one is compiled, the others are copies of it. */
export async function makeSpaces(folder: string, { spaces, nodes }: { spaces: number; nodes: number }) {
  const notes = join(folder, 'notes')
  mkdirSync(notes, { recursive: true })
  writeCorpus(notes, nodes)
  const first = fileOf(folder, 0)
  await compile(first, notes)
  for (let space = 1; space < spaces; space++)
    copyFileSync(first, fileOf(folder, space), constants.COPYFILE_FICLONE)
  rmSync(notes, { recursive: true })
}

async function compile(db: string, notes: string): Promise<void> {
  await using memory = await openMemory({ db, rememberRoots: false, settings: { author: 'bench' } })
  await memory.compile(notes)
}
