import { execFile } from 'node:child_process'
import { closeSync, openSync, writeFileSync } from 'node:fs'
import { devNull } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { isMemoryError } from '../../src/core/errors.ts'
import { openMemory } from '../../src/runtime/memory/open-memory.ts'

/** What happened with a number of files that may still be opened: `done`, or the code and message of an error. */
export interface Attempt {
  free: number
  compile: string
  open: string
  create: string
  write: string
}

/** Enough for Node and one memory; the rest is held by the process itself. */
const LIMIT = 160
const NOTES = 4

/** Uses a memory of `folder/notes` in a process that may open only few more files; last comes what the memory then holds. */
export async function useWithFewFiles(folder: string): Promise<{ attempts: Attempt[]; files: string[] }> {
  const script = fileURLToPath(import.meta.url)
  const line = `ulimit -n ${LIMIT} && exec "$0" "$@"`
  const { stdout } = await promisify(execFile)('sh', ['-c', line, process.execPath, script, folder])
  return JSON.parse(stdout)
}

const held: number[] = []

function leave(count: number): void {
  try {
    for (;;) held.push(openSync(devNull, 'r'))
  } catch {
    for (const handle of held.splice(held.length - count)) closeSync(handle)
  }
}

function release(): void {
  for (const handle of held.splice(0)) closeSync(handle)
}

async function outcome(work: () => Promise<unknown>): Promise<string> {
  try {
    await work()
    return 'done'
  } catch (error) {
    return isMemoryError(error) ? `${error.code} ${error.message}` : String(error)
  }
}

async function main(folder: string): Promise<void> {
  const notes = join(folder, 'notes')
  const db = join(folder, 'm.db')
  for (let at = 0; at < NOTES; at++) writeFileSync(join(notes, `${at}.md`), `Note ${at}.\n`)
  await using memory = await openMemory({ db })
  await memory.compile(notes)
  const attempts: Attempt[] = []
  for (const free of [0, 1, 2, 3, 4, 6, 8]) {
    writeFileSync(join(notes, '0.md'), `Note 0, changed ${free}.\n`)
    leave(free)
    const compile = await outcome(() => memory.compile(notes))
    const open = await outcome(async () => {
      await using other = await openMemory({ db })
      await other.overview()
    })
    const create = await outcome(async () => {
      await using other = await openMemory({ db: join(folder, `${free}.db`) })
      await other.overview()
    })
    const write = await outcome(async () => {
      await using other = await openMemory({ db })
      await other.write({ payload: `Written with ${free}.` })
    })
    release()
    attempts.push({ free, compile, open, create, write })
  }
  const files = (await memory.files()).roots.flatMap(({ files }) => files.map(({ path }) => path))
  console.log(JSON.stringify({ attempts, files }))
}

const [, script, folder] = process.argv
if (script === fileURLToPath(import.meta.url) && folder !== undefined) await main(folder)
