import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, linkSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openMemory } from '../src/index.ts'
import { cleanEnvironment, ensureProgramIsBuilt, PROGRAM, remindb, temporaryFolder } from './support/cli.ts'

beforeAll(ensureProgramIsBuilt)

const WORDS = 'deploys friday ledger retries broker invoice '.split(' ')

/** Large enough that copying it takes a while. */
function largeFolder() {
  const text = (file: number): string =>
    Array.from({ length: 2000 }, (_, at) => `${WORDS[at % 6]} ${file}.${at} ${'x'.repeat(80)}`).join('\n\n')
  const files = Array.from({ length: 25 }, (_, at) => [`n${at}.md`, text(at)] as const)
  const folder = temporaryFolder(Object.fromEntries(files))
  onTestFinished(() => folder[Symbol.dispose]())
  expect(remindb(['compile', '.'], { cwd: folder.path }).code).toBe(0)
  return folder.path
}

const isPart = (name: string): boolean => name.endsWith('.backup-part')
const isLeftover = (name: string): boolean => name.includes('.backup-part')
const isBackup = (name: string): boolean => name.startsWith('memory.db.bak.')

function isWhole(file: string): boolean {
  const db = new Sqlite(file, { readonly: true })
  try {
    return db.pragma('quick_check', { simple: true }) === 'ok'
  } finally {
    db.close()
  }
}

describe('a backup whose process is killed', () => {
  test('leaves nothing under its name but a whole copy, and the next one clears what it left', async () => {
    const cwd = largeFolder()
    const state = join(cwd, '.remindb')
    // Until one was killed half-way, too: on a busy machine a copy may be complete before this process looks.
    for (let round = 0; round < 5 || !readdirSync(state).some(isPart); round++) {
      const child = spawn(process.execPath, [PROGRAM, 'backup'], { cwd, env: cleanEnvironment({}) })
      const ended = once(child, 'exit')
      while (child.exitCode === null && !readdirSync(state).some(isPart))
        await new Promise((resolve) => setImmediate(resolve))
      child.kill('SIGKILL')
      await ended
      for (const name of readdirSync(state).filter(isBackup)) {
        expect(isWhole(join(state, name)), name).toBe(true)
        rmSync(join(state, name))
      }
    }
    expect(remindb(['backup'], { cwd }).code).toBe(0)
    expect(readdirSync(state).filter(isLeftover)).toEqual([])
    expect(readdirSync(state).filter(isBackup)).toHaveLength(1)
  })
})

describe('what other backups left', () => {
  const left = (folder: string, pid: number): string => {
    const name = `.copy.${pid}.5b7f0bd2-5b6c-4a4e-9d53-7a6f2ad1c1aa.backup-part`
    writeFileSync(join(folder, name), 'half a copy')
    return name
  }

  test('is not touched while its process runs, unless it is of yesterday', async () => {
    using folder = temporaryFolder()
    await using memory = await openMemory({ db: folder.path })
    const name = left(folder.path, process.ppid)
    await memory.backup(join(folder.path, 'one'))
    expect(existsSync(join(folder.path, name))).toBe(true)
    utimesSync(join(folder.path, name), 0, 0)
    await memory.backup(join(folder.path, 'two'))
    expect(existsSync(join(folder.path, name))).toBe(false)
  })

  test('is removed with its journal when its process has ended', async () => {
    using folder = temporaryFolder()
    await using memory = await openMemory({ db: folder.path })
    const name = left(folder.path, spawnSync(process.execPath, ['--version']).pid)
    writeFileSync(join(folder.path, `${name}-journal`), '')
    await memory.backup(join(folder.path, 'one'))
    expect(readdirSync(folder.path).filter(isLeftover)).toEqual([])
  })

  test('beside the database is named by an erasure: it may hold what was erased', async () => {
    using folder = temporaryFolder()
    await using memory = await openMemory({ db: folder.path })
    const { id } = await memory.write({ payload: 'a secret' })
    const copy = await memory.backup()
    const part = join(folder.path, '.remindb', `.memory.db.bak.x.${process.ppid}.y.backup-part`)
    linkSync(copy, part)
    expect((await memory.erase({ kind: 'note', id })).backups.sort()).toEqual([part, copy].sort())
  })
})

test('a backup is refused before it is made when its name is taken', async () => {
  using folder = temporaryFolder({ mine: 'mine' })
  await using memory = await openMemory({ db: folder.path })
  await expect(memory.backup(join(folder.path, 'mine'))).rejects.toMatchObject({ code: 'CONFLICT' })
  expect(readdirSync(folder.path).sort()).toEqual(['.remindb', 'mine'])
})
