import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { isMemoryError } from '../../src/core/errors.ts'
import { openMemory } from '../../src/runtime/memory/open-memory.ts'

/** Remembers in a process of its own; tells what became of it, or the code of why not. */
export async function rememberElsewhere(
  folder: string,
  input: { key: string; value: string; version?: string },
): Promise<string> {
  const args = [fileURLToPath(import.meta.url), folder, JSON.stringify(input)]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return stdout.trim()
}

const [, script, folder, input] = process.argv
if (script === fileURLToPath(import.meta.url) && folder !== undefined && input !== undefined) {
  await using memory = await openMemory({ db: folder })
  const status = await memory.keys.remember(JSON.parse(input)).catch((error: unknown) => {
    if (isMemoryError(error)) return error.code
    throw error
  })
  console.log(status)
}
