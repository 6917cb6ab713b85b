import { isUtf8 } from 'node:buffer'
import { type Dirent, readdirSync } from 'node:fs'
import { withOpenedFolder } from '../util/files/opened.ts'

export interface FolderEntry {
  name: string
  isFolder: boolean
  /** A regular file: no link, pipe or device. */
  isFile: boolean
  /** False: the name is not valid UTF-8. `name` then shows its bytes, and opens nothing. */
  isValid: boolean
}

/** Replaces bytes of a name that are not UTF-8. A name may also contain it. */
const REPLACEMENT = '\uFFFD'

/** The entries of the folder at a real path. Throws `ReplacedError` if another folder is there now. */
export function listFolder(folder: string): FolderEntry[] {
  return withOpenedFolder(folder, (path) => {
    const entries = readdirSync(path, { withFileTypes: true })
    if (!entries.some(({ name }) => name.includes(REPLACEMENT))) return entries.map(toEntry)
    return readdirSync(path, { withFileTypes: true, encoding: 'buffer' }).map(toCheckedEntry)
  })
}

function toEntry(entry: Dirent): FolderEntry {
  return { name: entry.name, isFolder: entry.isDirectory(), isFile: entry.isFile(), isValid: true }
}

function toCheckedEntry(entry: Dirent<Buffer>): FolderEntry {
  const name = escapeInvalid(entry.name)
  return { name, isFolder: entry.isDirectory(), isFile: entry.isFile(), isValid: isUtf8(entry.name) }
}

/** The text of a name, with `\xe9` for a byte that is not part of any character. */
function escapeInvalid(bytes: Buffer): string {
  let text = ''
  for (let at = 0; at < bytes.length; ) {
    const length = [1, 2, 3, 4].find((count) => isUtf8(bytes.subarray(at, at + count)))
    text += length
      ? bytes.toString('utf8', at, at + length)
      : `\\x${(bytes[at] as number).toString(16).padStart(2, '0')}`
    at += length ?? 1
  }
  return text
}
