import { execFile, execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { openMemory } from '../../src/runtime/memory/open-memory.ts'

/** Compiles a folder in a process of its own; how many nodes that added. */
export async function compileElsewhere(folder: string): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, [fileURLToPath(import.meta.url), folder])
  return Number(stdout)
}

/** The same while everything here waits. */
export function compileElsewhereSync(folder: string): number {
  return Number(execFileSync(process.execPath, [fileURLToPath(import.meta.url), folder]))
}

const [, script, folder] = process.argv
if (script === fileURLToPath(import.meta.url) && folder !== undefined) {
  await using memory = await openMemory({ db: folder })
  const { added, skipped } = await memory.compile(folder)
  if (skipped.length > 0) throw new Error(JSON.stringify(skipped))
  console.log(added)
}
