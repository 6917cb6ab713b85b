import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/**
 * Writes a file atomically, readable by its owner only. `fill` gets a function that appends to it. Until it is complete
 * it has another name; `confirm` may still throw, right before the rename.
 */
export async function writeWholeFile<T>(
  target: string,
  fill: (write: (text: string) => Promise<void>) => Promise<T>,
  confirm: () => void = () => undefined,
): Promise<T> {
  const part = join(dirname(target), `.${basename(target)}.${crypto.randomUUID()}.part`)
  try {
    const result = await fillFile(await open(part, 'wx', 0o600), fill)
    confirm()
    await rename(part, target)
    return result
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

async function fillFile<T>(
  handle: FileHandle,
  fill: (write: (text: string) => Promise<void>) => Promise<T>,
): Promise<T> {
  try {
    const result = await fill((text) => handle.appendFile(text))
    await handle.sync()
    return result
  } finally {
    await handle.close()
  }
}
