import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Memory } from '../../runtime/memory/open-memory.ts'

/** A file that was compiled, as an agent without a memory would read it. */
export interface ProjectFile {
  /** Below the folder. */
  path: string
  text: string
}

/** The files of a folder that its memory was made of, by path. */
export async function readProject(memory: Memory, folder: string): Promise<ProjectFile[]> {
  const { roots } = await memory.files()
  const paths = roots.flatMap(({ files }) => files.map(({ path }) => path)).sort()
  return paths.map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }))
}

/** Without its permissions: the copy must be writable. */
export function copyProject(files: readonly ProjectFile[], from: string, to: string): void {
  for (const { path } of files) {
    mkdirSync(dirname(join(to, path)), { recursive: true })
    writeFileSync(join(to, path), readFileSync(join(from, path)))
  }
}
