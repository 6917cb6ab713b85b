import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { openMemory } from '../../src/runtime/memory/open-memory.ts'
import { spaceFiles } from '../../src/runtime/spaces/space-files.ts'
import { auditHeadFile, readAuditHead } from '../../src/runtime/upkeep/audit-head.ts'
import { ensureProgramIsBuilt, remindb } from '../support/cli.ts'
import { temporaryFolder } from '../support/engine.ts'
import { connectTeam, keyFor, startTeam } from '../support/team.ts'

beforeAll(ensureProgramIsBuilt)

/** A folder of spaces whose server has ended, and commands that run there. */
async function endedTeam() {
  const dir = temporaryFolder()
  const team = await startTeam(dir, { spaces: ['red', 'blue'] })
  const { id: spaceId = '' } = (await team.accounts.spaces.find('red')) ?? {}
  const ada = await keyFor(team)
  const bob = await keyFor(team, { user: 'bob' })
  const [one, other] = [await connectTeam(team, ada), await connectTeam(team, bob)]
  for (let at = 0; at < 5; at++) await one.call('remember', { key: `plan ${at}`, value: 'Ship it.' })
  await other.call('recall', { key: 'plan 1' })
  await team.team.close()
  const run = (line: string) => remindb([...line.split(' '), '--spaces', dir], { cwd: dir })
  const change = (sql: string): void => {
    const db = new Sqlite(spaceFiles(dir, spaceId).db)
    onTestFinished(() => void db.close())
    db.exec(sql)
  }
  return { dir, spaceId, ada, bob, run, change }
}

const lines = (text: string): string[] => text.trimEnd().split('\n')

test('remindb audit lists, filters, exports and verifies', async () => {
  const { ada, bob, run } = await endedTeam()
  const listed = lines(run('audit list --space red').stdout)
  expect(listed[0]).toMatch(/^number +time +event +user +key +address +subject$/)
  expect(listed[1]).toMatch(/^6 .*memory_recalled +bob .*key plan 1$/)
  expect(listed).toHaveLength(7)
  expect(JSON.parse(run('audit list --space red --user ada --limit 2 --json').stdout)).toMatchObject([
    { number: 5, event: 'memory_created', key: ada.id, subject: { kind: 'key', name: 'plan 4' } },
    { number: 4 },
  ])
  expect(JSON.parse(run(`audit list --space red --key ${bob.id} --json`).stdout)).toHaveLength(1)
  expect(JSON.parse(run('audit list --space red --event memory_recalled --json').stdout)).toHaveLength(1)
  expect(JSON.parse(run('audit list --space red --since 1h --json').stdout)).toHaveLength(6)
  expect(run('audit list --space red --until 1h').stdout).toBe('no entries\n')
  expect(run('audit list --space blue').stdout).toBe('no entries\n')
  const exported = lines(run('audit export --space red').stdout).map((line) => JSON.parse(line))
  expect(exported.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6])
  expect(exported.map(({ previous }) => previous)).toEqual([
    '',
    ...exported.slice(0, 5).map(({ hash }) => hash),
  ])
  expect(run('audit verify --space red')).toEqual({ code: 0, stdout: 'ok: 6 entries\n', stderr: '' })
  expect(run('audit verify --accounts')).toEqual({ code: 0, stdout: 'ok: 8 entries\n', stderr: '' })
  const events = JSON.parse(run('audit list --accounts --json').stdout)
  expect(events.at(-1)).toMatchObject({ event: 'space_created', user: '', key: '' })
})

test('remindb audit verify names the first entry that was changed, with exit code 1', async () => {
  const { run, change } = await endedTeam()
  change("UPDATE audit SET user_id = 'somebody' WHERE number = 3")
  const { code, stdout } = run('audit verify --space red')
  expect(code).toBe(1)
  expect(stdout).toMatch(/^broken: entry 3 \(2.*Z\) was changed/)
  expect(stdout).toContain('compare with an export or a backup')
  expect(stdout).not.toContain('To accept')
  expect(JSON.parse(run('audit verify --space red --json').stdout)).toMatchObject({
    ...{ status: 'broken', number: 3, time: expect.stringMatching(/Z$/) },
  })
})

test('remindb audit verify finds an end that was cut off, unless what is kept apart is gone too', async () => {
  const { dir, spaceId, run, change } = await endedTeam()
  change(`DELETE FROM audit WHERE number > 4;
    UPDATE spaces SET audit_number = 4, audit_hash = (SELECT hash FROM audit WHERE number = 4)`)
  expect(run('audit verify --space red')).toMatchObject({
    ...{ code: 1, stdout: expect.stringMatching(/^broken: entry 5 is missing: there were 6 entries/) },
  })
  const [, file = ''] = /delete (.*)\n$/.exec(run('audit verify --space red').stdout) ?? []
  expect(file).toBe(auditHeadFile(spaceFiles(dir, spaceId).folder))
  rmSync(file)
  expect(run('audit verify --space red').stdout).toMatch(
    /^ok: 4 entries; \S+audit-head\.json is missing, so the end was not checked\n$/,
  )
})

test('remindb audit says what is wrong with its flags', async () => {
  const { run } = await endedTeam()
  expect(run('audit verify --space red --accounts').stderr).toContain('give --space or --accounts, not both')
  expect(run('audit list --space red --since never').stderr).toContain('--since must be a time')
  expect(run('audit list').stderr).toContain('name one with --space')
  expect(run('audit list --space red --user adda').stderr).toContain('there is no user "adda"')
  expect(run('audit export --space red --event memory_red').stderr).toContain('memory_redacted')
})

test('remindb audit shows names for people, and escapes what somebody put there', async () => {
  const { run, change } = await endedTeam()
  const accounts = run('audit list --accounts').stdout
  expect(accounts).toMatch(/member_added +operator +member red ada writer/)
  expect(accounts).toMatch(/account_created +operator +user ada/)
  expect(run('audit list --space red --limit 2').stdout).toMatch(
    /\n… 4 older: --limit 6, or remindb audit export\n$/,
  )
  run('write Beware --space red')
  expect(lines(run('audit list --space red --user operator').stdout)).toHaveLength(2)
  change("UPDATE audit SET event = char(27) || '[2J', address = char(27) || ']0;x', user_id = char(27)")
  expect(run('audit list --space red').stdout).not.toContain('\u001b')
  expect(run('audit verify --space red').stdout).toMatch(/^broken: entry 1 /)
})

test('the audit of an archived space can be read', async () => {
  const { run } = await endedTeam()
  run('spaces archive red')
  expect(run('audit verify --space red').stdout).toBe('ok: 6 entries\n')
})

test('what the operator does on the host is in the audit of the space, without a user', async () => {
  const { dir, spaceId, run } = await endedTeam()
  writeFileSync(join(dir, 'guide.md'), '# Guide\n\nMind the gap.\n')
  expect(run('write Beware --space red').code).toBe(0)
  expect(run('compile guide.md --space red').code).toBe(0)
  expect(run('rollback 5 --space red').stderr).toBe('')
  const events = JSON.parse(run('audit list --space red --limit 4 --json').stdout)
  expect(events.map(({ event, user, key }: Record<string, string>) => [event, user, key])).toEqual([
    ['memory_rolled_back', '', ''],
    ['files_compiled', '', ''],
    ['node_written', '', ''],
    ['memory_recalled', expect.any(String), expect.any(String)],
  ])
  expect(run('audit verify --space red').stdout).toBe('ok: 9 entries\n')
  // Its end is kept apart at once.
  expect(readAuditHead(spaceFiles(dir, spaceId).folder)).toMatchObject({ number: 9 })
  expect(run('tree --space red').code).toBe(0)
  expect(run('audit verify --space red').stdout).toBe('ok: 9 entries\n')
})

test('a memory that the operator imports, erases from or repairs has an entry of that', async () => {
  const { dir, run, change } = await endedTeam()
  writeFileSync(join(dir, 'guide.md'), '# Guide\n\nMind the gap.\n')
  run('compile guide.md --space red')
  // Nothing changed since.
  run('compile guide.md --space red')
  expect(run('erase guide.md --yes --space red').code).toBe(0)
  change('UPDATE user_counts SET count = 99')
  expect(run('doctor --fix --space red').code).toBe(0)
  expect(run('export all.jsonl --space red').stderr).toBe('')
  expect(run('import all.jsonl --space blue').code).toBe(0)
  const events = (space: string): unknown[] =>
    JSON.parse(run(`audit list --space ${space} --since 1h --json`).stdout).map(
      ({ event, subject }: { event: string; subject: unknown }) => ({ event, subject }),
    )
  expect(events('blue')).toEqual([{ event: 'memory_imported', subject: null }])
  expect(events('red').slice(0, 4)).toEqual([
    { event: 'memory_repaired', subject: null },
    { event: 'memory_redacted', subject: { kind: 'source', name: 'guide.md' } },
    { event: 'files_compiled', subject: null },
    { event: 'memory_recalled', subject: { kind: 'key', name: 'plan 1' } },
  ])
})

test('an export of many entries has each of them once, linked to the one before', async () => {
  const { dir, spaceId, run } = await endedTeam()
  {
    await using memory = await openMemory({ db: spaceFiles(dir, spaceId).db, create: false })
    const by = { userId: 'u', principalId: 'k', address: '192.0.2.1' }
    const about = { event: 'memory_searched', subjectKind: '', subject: '' }
    memory.audit.record(Array.from({ length: 2500 }, (_, at) => ({ ...by, ...about, at })))
  }
  const exported = lines(run('audit export --space red').stdout).map((line) => JSON.parse(line))
  expect(exported.map(({ number }) => number)).toEqual(Array.from({ length: 2506 }, (_, at) => at + 1))
  expect(exported.slice(1).map(({ previous }) => previous)).toEqual(
    exported.slice(0, -1).map(({ hash }) => hash),
  )
})
