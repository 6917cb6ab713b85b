import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { ensureProgramIsBuilt, killedWhen, remindb, temporaryFolder } from '../support/cli.ts'

beforeAll(ensureProgramIsBuilt)

function newTeam() {
  const folder = temporaryFolder()
  onTestFinished(() => folder[Symbol.dispose]())
  const run = (line: string) => remindb(line.split(' '), { cwd: folder.path })
  const kill = (line: string, isTime: () => boolean) =>
    killedWhen(line.split(' '), { cwd: folder.path }, isTime)
  const listed = (): { id: string; name: string }[] =>
    JSON.parse(run('spaces list --json --spaces team').stdout)
  const namesIn = (path: string): string[] => {
    const at = join(folder.path, 'team', path)
    return existsSync(at) ? readdirSync(at) : []
  }
  run('spaces create kept --spaces team')
  return { run, kill, listed, namesIn }
}

test('a space whose creation is killed is there as a whole or not at all, and nothing of it is left', async () => {
  const { run, kill, listed, namesIn } = newTeam()
  const moments = [
    () => namesIn('unlisted').length > 0,
    () => namesIn('spaces').length > 1,
    () => namesIn('spaces').some((id) => namesIn(`spaces/${id}`).length > 1),
    () => namesIn('spaces').length > 1 && namesIn('unlisted').length === 0,
  ]
  for (const [at, isTime] of moments.entries()) {
    await kill(`spaces create new-${at} --spaces team`, isTime)
    for (const { name } of listed()) expect(run(`tree --spaces team --space ${name}`).code).toBe(0)
    run('spaces create next --spaces team')
    expect(namesIn('spaces').sort()).toEqual(
      listed()
        .map(({ id }) => id)
        .sort(),
    )
    expect(namesIn('unlisted')).toEqual([])
    for (const { name } of listed())
      if (name !== 'kept') expect(run(`spaces delete ${name} --yes --spaces team`).code).toBe(0)
  }
})

test('a space whose deletion is killed can be used or is gone, and nothing of it is left', async () => {
  const { run, kill, listed, namesIn } = newTeam()
  const moments = [() => namesIn('unlisted').length > 0, () => namesIn('spaces').length < 2]
  for (const isTime of moments) {
    run('spaces create old --spaces team')
    await kill('spaces delete old --yes --spaces team', isTime)
    for (const { name } of listed()) expect(run(`tree --spaces team --space ${name}`).code).toBe(0)
    if (listed().length > 1) expect(run('spaces delete old --yes --spaces team').code).toBe(0)
    run('spaces create next --spaces team')
    run('spaces delete next --yes --spaces team')
    expect(namesIn('spaces')).toEqual(listed().map(({ id }) => id))
    expect(listed().map(({ name }) => name)).toEqual(['kept'])
  }
})
