// How the scripts speak to a person. Node 20, no dependencies.
import { readFileSync } from 'node:fs'

/** An error whose message is all a person needs: no stack is shown for it. */
export class SetupError extends Error {
  name = 'SetupError'
}

export function say(line) {
  process.stderr.write(`${line}\n`)
}

/** A file's content, or undefined where there is none. */
export function readIfThere(file, encoding = 'utf8') {
  try {
    return readFileSync(file, encoding)
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw error
  }
}
