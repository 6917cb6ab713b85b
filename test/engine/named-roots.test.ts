import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import type { RescanMeta } from '../../src/mcp/model/observer.ts'
import type { OpenOptions } from '../../src/runtime/memory/open-memory.ts'
import { ownFolders } from '../../src/runtime/settings/config.ts'
import { openIn, temporaryFolder } from '../support/engine.ts'
import { recordingLog } from '../support/recording-log.ts'
import { soon } from '../support/soon.ts'

const FILE = join(ownFolders().config, 'roots.json')
afterEach(() => rmSync(ownFolders().config, { recursive: true, force: true }))

function openPlace() {
  const folder = realpathSync(temporaryFolder())
  const inside = (path: string): string => join(folder, path)
  for (const name of ['notes', 'other', 'secret']) {
    mkdirSync(inside(name))
    writeFileSync(inside(`${name}/${name}.md`), `In ${name}.\n`)
  }
  const open = (options: Partial<OpenOptions> = {}) => openIn(inside('m.db'), options)
  return { inside, open, remembered: () => rootsIn(FILE)[inside('m.db')] }
}

function rootsIn(file: string): Record<string, string[]> {
  return JSON.parse(readFileSync(file, 'utf8')).databases
}

describe('what was named for a memory', () => {
  test('is what the library compiled, also for another process later', async () => {
    const at = openPlace()
    await using first = await at.open()
    await expect(first.compile(at.inside('notes'), { onlyNamed: true })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    })
    await first.compile(at.inside('notes'))
    await using second = await at.open()
    expect(await second.compile(at.inside('notes'), { onlyNamed: true })).toMatchObject({ total: 0 })
    expect(await second.compile('notes.md', { onlyNamed: true })).toMatchObject({ total: 0 })
    await expect(second.compile(at.inside('secret'), { onlyNamed: true })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    })
  })

  test('is the source', async () => {
    const at = openPlace()
    await using first = await at.open({ source: at.inside('notes') })
    expect(await first.compile('.', { onlyNamed: true })).toMatchObject({ added: 1 })
    expect(at.remembered()).toEqual([at.inside('notes')])
  })

  test('is not what a compile was refused for, nor what failed', async () => {
    const at = openPlace()
    await using memory = await at.open()
    await expect(memory.compile(at.inside('nowhere'))).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await memory
      .compile(at.inside('notes'), { signal: AbortSignal.abort(new Error('enough')) })
      .catch(() => undefined)
    expect(() => at.remembered()).toThrow('ENOENT')
  })

  test('is remembered once, whoever names it at the same time', async () => {
    const at = openPlace()
    await using one = await at.open()
    await using two = await at.open()
    const both = [one, two]
    await Promise.all(
      both.flatMap((memory) => ['notes', 'other'].map((name) => memory.compile(at.inside(name)))),
    )
    expect(at.remembered()?.toSorted()).toEqual([at.inside('notes'), at.inside('other')])
    await one.compile(at.inside('notes/notes.md'))
    expect(at.remembered()).toHaveLength(2)
  })

  test.each(['', '[]', '{"databases":{"/x":["relative"]}}', '{"databases":'])(
    'is nothing when the file is damaged, which stays as it is: %j',
    async (text) => {
      const at = openPlace()
      const problems: unknown[] = []
      await using memory = await at.open({ onProblem: (error) => problems.push(error) })
      await memory.compile(at.inside('notes'))
      writeFileSync(FILE, text)
      await using other = await at.open({ onProblem: (error) => problems.push(error) })
      await expect(other.compile(at.inside('notes'), { onlyNamed: true })).rejects.toMatchObject({
        code: 'FORBIDDEN',
      })
      expect(problems).toMatchObject([{ message: expect.stringContaining('repair or remove it') }])
      await memory.compile(at.inside('other'))
      expect(problems.at(-1)).toMatchObject({ code: 'FORBIDDEN' })
      expect(readFileSync(FILE, 'utf8')).toBe(text)
    },
  )

  test('counts in this process also where it cannot be remembered', async () => {
    const at = openPlace()
    rmSync(ownFolders().config, { recursive: true, force: true })
    writeFileSync(ownFolders().config, 'not a folder')
    const problems: unknown[] = []
    await using memory = await at.open({ onNotRemembered: (error) => problems.push(error) })
    await memory.compile(at.inside('notes'))
    expect(problems).toMatchObject([
      { code: 'FORBIDDEN', message: expect.stringContaining('--source <folder>') },
    ])
    expect(await memory.compile('.', { onlyNamed: true })).toMatchObject({ total: 0 })
  })

  test('is the folder that has the memory in its .remindb, also where the file is damaged', async () => {
    const home = realpathSync(temporaryFolder())
    writeFileSync(join(home, 'a.md'), 'At home.\n')
    mkdirSync(ownFolders().config, { recursive: true })
    writeFileSync(FILE, '{"databases":')
    const notRemembered: unknown[] = []
    await using memory = await openIn(home, { onNotRemembered: (error) => notRemembered.push(error) })
    expect(await memory.compile(home)).toMatchObject({ added: 1 })
    expect(notRemembered).toEqual([])
    expect(readFileSync(FILE, 'utf8')).toBe('{"databases":')
  })

  test('is not the folder that a link leads to which replaced the source', async () => {
    const at = openPlace()
    await using memory = await at.open()
    const seen: RescanMeta[] = []
    const rescan = memory.startRescan(at.inside('notes'), {
      log: recordingLog().log,
      rescanLog: (meta) => seen.push(meta),
    })
    await rescan.looked
    renameSync(at.inside('notes'), at.inside('was-notes'))
    symlinkSync(at.inside('secret'), at.inside('notes'))
    rescan.wake()
    await soon(() => seen.at(-1)?.error).toContain('is not inside a folder that was named')
    expect(await memory.roots()).toEqual([at.inside('notes')])
    expect((await memory.files()).roots[0]?.files).toMatchObject([{ path: 'notes.md' }])
  })
})

test('what was named is not where a link leads that took its place while it was compiled', async () => {
  const at = openPlace()
  await using memory = await at.open()
  const onProgress = ({ phase }: { phase: string }): void => {
    if (phase !== 'write' || existsSync(at.inside('was-notes'))) return
    renameSync(at.inside('notes'), at.inside('was-notes'))
    symlinkSync(at.inside('secret'), at.inside('notes'))
  }
  await memory.compile(at.inside('notes'), { onProgress })
  expect(at.remembered()).toEqual([at.inside('notes')])
  await expect(memory.compile(at.inside('secret'), { onlyNamed: true })).rejects.toMatchObject({
    code: 'FORBIDDEN',
  })
})
