import { createHash } from 'node:crypto'
import { createReadStream, existsSync, lstatSync, readdirSync, writeFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { MemoryError } from '../../core/errors.ts'
import { readSmallFile } from '../../util/files/small-file.ts'
import { syncFile } from '../../util/files/sync.ts'
import { refuseLinks } from '../../util/files/within-folder.ts'
import { VERSION } from '../timing/version.ts'

const NAME = 'manifest.json'
const FORMAT = 'remindb-backup'
const MAX_BYTES = 256 * 1024 * 1024

export interface ManifestFile {
  /** From the folder of the backup, with `/`. */
  path: string
  bytes: number
  sha256: string
}

export interface Manifest {
  format: typeof FORMAT
  version: 1
  created_at: string
  remindb: string
  spaces: { id: string; name: string }[]
  files: ManifestFile[]
}

/** Lists every file of a complete backup, so that a damaged copy of it is found out. */
export async function writeManifest(
  folder: string,
  { spaces, now }: { spaces: Manifest['spaces']; now: number },
): Promise<Manifest> {
  const files: ManifestFile[] = []
  for (const path of filesIn(folder)) files.push(await describe(folder, path))
  const created_at = new Date(now).toISOString()
  const manifest: Manifest = { format: FORMAT, version: 1, created_at, remindb: VERSION, spaces, files }
  const target = join(folder, NAME)
  writeFileSync(target, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  syncFile(target)
  return manifest
}

/** Throws where a file of the backup is missing or differs. A folder without a list, such as one moved aside, has none to differ from. */
export async function checkManifest(folder: string): Promise<void> {
  const text = existsSync(join(folder, NAME)) ? readText(folder) : undefined
  if (text === undefined) return
  for (const listed of parse(text, folder).files) {
    const found = isFile(folder, listed.path) ? await describe(folder, listed.path) : undefined
    if (found?.sha256 !== listed.sha256)
      throw damaged(folder, `${listed.path} ${found ? 'differs from what was backed up' : 'is missing'}`)
  }
}

function readText(folder: string): string {
  return readSmallFile(join(folder, NAME), { within: folder, maxBytes: MAX_BYTES }) ?? ''
}

function parse(text: string, folder: string): Manifest {
  let manifest: Partial<Manifest>
  try {
    manifest = JSON.parse(text) as Partial<Manifest>
  } catch (error) {
    throw damaged(folder, `${NAME} is not valid JSON`, error)
  }
  if (manifest?.format !== FORMAT || !Array.isArray(manifest.files))
    throw damaged(folder, `${NAME} is not one of remindb`)
  if (manifest.version !== 1)
    throw new MemoryError(
      'NEWER_DATABASE',
      `the backup ${folder} was written by a newer remindb; nothing was changed. Upgrade remindb`,
    )
  return manifest as Manifest
}

function damaged(folder: string, what: string, cause?: unknown): MemoryError {
  return new MemoryError(
    'CORRUPTED_DATA',
    `the backup ${folder} is damaged: ${what}; nothing was changed. Use another backup`,
    { cause },
  )
}

function isFile(folder: string, path: string): boolean {
  const isInside = typeof path === 'string' && !path.split('/').includes('..')
  return isInside && lstatSync(join(folder, path), { throwIfNoEntry: false })?.isFile() === true
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .split(sep)
        .join('/'),
    )
    .sort()
}

async function describe(folder: string, path: string): Promise<ManifestFile> {
  const file = join(folder, path)
  refuseLinks(folder, file)
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    hash.update(chunk)
    bytes += chunk.length
  }
  return { path, bytes, sha256: hash.digest('hex') }
}
