import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { openAccounts } from '../src/runtime/spaces/accounts.ts'
import { ensureProgramIsBuilt, remindb, temporaryFolder } from './support/cli.ts'
import { databaseBytes } from './support/store-files.ts'

beforeAll(ensureProgramIsBuilt)

const DAY = 86_400_000

/** A folder of spaces with Ada, Bob, and the spaces red and blue. */
async function openFolder() {
  const folder = temporaryFolder()
  const dir = join(folder.path, 'spaces')
  const accounts = await openAccounts(dir, { create: true })
  for (const name of ['red', 'blue']) await accounts.spaces.create(name)
  const run = (line: string) => remindb([...line.split(' '), '--spaces', 'spaces'], { cwd: folder.path })
  const json = (line: string) => {
    const { code, stdout, stderr } = run(`${line} --json`)
    if (code !== 0) throw new Error(stderr)
    return JSON.parse(stdout)
  }
  for (const name of ['ada', 'bob']) json(`users create ${name}`)
  return {
    dir,
    accounts,
    run,
    json,
    cwd: folder.path,
    async [Symbol.asyncDispose]() {
      await accounts.close()
      folder[Symbol.dispose]()
    },
  }
}

const failure = (message: string, code = 1) => ({
  code,
  stdout: '',
  stderr: expect.stringContaining(message),
})

describe('the folder of spaces', () => {
  test('is made with the first user, for its owner only', () => {
    using folder = temporaryFolder()
    const env = { REMINDB_SPACES: join(folder.path, 'deep', 'spaces') }
    const made = remindb(['users', 'create', 'ada', '--admin'], { cwd: folder.path, env })
    expect(made).toEqual({ code: 0, stdout: 'created: administrator ada\n', stderr: '' })
    const dir = join(folder.path, 'deep', 'spaces')
    expect(statSync(dir).mode & 0o777).toBe(0o700)
    expect(readdirSync(dir)).toEqual(['audit-head.json', 'auth.db'])
    expect(statSync(join(dir, 'auth.db')).mode & 0o777).toBe(0o600)
    const listed = remindb(['users', 'list'], { cwd: folder.path, env })
    expect(listed.stdout).toMatch(/^name +kind +state +created\nada +administrator +enabled +\d{4}-/)
  })

  test('is never made by another command, nor guessed', () => {
    using folder = temporaryFolder()
    const lines = [
      'users list',
      'users disable ada',
      'users delete ada --yes',
      'keys list',
      'keys create --user ada --space red --scope memories:read',
      'members list --space red',
    ]
    for (const line of lines) {
      const run = (...more: string[]) => remindb([...line.split(' '), ...more], { cwd: folder.path })
      expect(run()).toEqual(failure('remindb: which spaces? Name their folder with --spaces DIR', 2))
      expect(run('--spaces', 'x')).toEqual(failure('x is not a folder of spaces; create one with'))
    }
    expect(existsSync(join(folder.path, 'x'))).toBe(false)
  })
})

describe('users', () => {
  test('are created, listed, disabled, enabled and deleted', async () => {
    await using folder = await openFolder()
    const { run, json } = folder
    expect(json('users create root --admin')).toEqual({
      id: expect.stringMatching(/^\w{16}$/),
      name: 'root',
      admin: true,
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      disabled_at: null,
    })
    expect(
      json('users list').map(({ name, admin }: { name: string; admin: boolean }) => [name, admin]),
    ).toEqual([
      ['ada', false],
      ['bob', false],
      ['root', true],
    ])
    expect(json('users disable ada').disabled_at).toMatch(/Z$/)
    expect(json('users enable ada').disabled_at).toBeNull()
    const { id, ...unlimited } = json('users limits ada')
    expect({ id, ...unlimited }).toEqual({
      ...{ id: expect.any(String), name: 'ada', memories: 'default', bytes: 'default' },
    })
    expect(json('users limits ada --memories 5000 --bytes 1GiB')).toEqual({
      ...{ id, name: 'ada', memories: 5000, bytes: 1_073_741_824 },
    })
    expect(json('users limits ada --memories none')).toMatchObject({ memories: 'none', bytes: 1_073_741_824 })
    expect(run('users limits ada --bytes default').stdout).toBe('ada: memories none, bytes default\n')
    expect(run('users limits ada --memories many')).toEqual(failure('--memories must be a number, `none`', 2))
    expect(run('users limits ada --bytes much')).toEqual(failure('--bytes must be a number, `none`', 2))
    expect(run('users limits eve')).toEqual(failure('there is no user "eve"'))
    expect(run('users delete ada')).toEqual(
      failure('nothing was changed; deleting "ada" also deletes its keys'),
    )
    expect(json('users list')).toHaveLength(3)
    expect(json('users delete ada --yes').name).toBe('ada')
    expect(json('users list')).toHaveLength(2)
    expect(run('users disable ada')).toEqual(failure('there is no user "ada"'))
    expect(run('users create bob')).toEqual(failure('there is a user "bob" already; choose another name'))
    expect(run('users create Bob')).toEqual(failure('the name of a user has lower-case letters'))
  })
})

describe('keys', () => {
  test('are created, shown once, and work at once where the accounts are open', async () => {
    await using folder = await openFolder()
    const { json, run, accounts, dir } = folder
    const made = json('keys create --user ada --space red --scope memories:read,memories:write --expires 30d')
    expect(made).toEqual({
      id: expect.stringMatching(/^[0-9A-Za-z]{8}$/),
      key: expect.stringMatching(/^rmdb_pat_[0-9A-Za-z]{46}$/),
    })
    expect(await accounts.authenticate(made.key)).toMatchObject({
      kind: 'ok',
      principal: { id: made.id, space: 'red', scopes: ['memories:read', 'memories:write'] },
    })
    const [listed, ...others] = json('keys list')
    expect(others).toEqual([])
    expect(listed).toEqual({
      id: made.id,
      user: 'ada',
      space: 'red',
      scopes: ['memories:read', 'memories:write'],
      label: '',
      parent: null,
      created_at: expect.stringMatching(/Z$/),
      expires_at: expect.stringMatching(/Z$/),
      last_used_at: expect.toSatisfy((time) => time === null || /Z$/.test(time)),
      revoked_at: null,
    })
    expect(Date.parse(listed.expires_at) - Date.parse(listed.created_at)).toBeGreaterThan(30 * DAY - 60_000)
    const secret = made.key.slice(17, 49)
    for (const line of ['keys list', 'users list', 'members list --space red'])
      expect(run(line).stdout).not.toContain(secret)
    expect(databaseBytes(join(dir, 'auth.db')).includes(secret)).toBe(false)
    expect(json('members list --space red')).toMatchObject([{ user: 'ada', role: 'writer' }])
  })

  test('are printed once, with where they go', async () => {
    await using folder = await openFolder()
    const { stdout } = folder.run('keys create --user ada --space red --scope memories:read --label laptop')
    expect(stdout.match(/rmdb_pat_\w+/g)).toHaveLength(1)
    expect(stdout).toContain('of ada for the space red (memories:read; never expires)')
    expect(stdout).toContain('Authorization: Bearer …')
    expect(stdout).toContain('/s/red/mcp')
    expect(folder.run('keys list').stdout).toMatch(
      /\n\w{8} +ada +red +memories:read +never +never +laptop\n$/,
    )
  })

  test('have children, which end with them', async () => {
    await using folder = await openFolder()
    const { json, run, accounts } = folder
    const parent = json('keys create --user ada --space red --scope memories:write --expires 24h')
    const child = json(`keys create --parent ${parent.id} --scope memories:read --expires 1h`)
    expect(await accounts.authenticate(child.key)).toMatchObject({ kind: 'ok', principal: { space: 'red' } })
    expect(json('keys list')[1]).toMatchObject({ id: child.id, parent: parent.id, user: 'ada' })
    const narrower = (more: string) => run(`keys create --parent ${parent.id} ${more}`)
    expect(narrower('--scope memories:admin')).toEqual(failure('itself does not have memories:admin'))
    expect(narrower('--scope memories:read --expires 2d')).toEqual(failure('itself expires earlier'))
    expect(narrower('--scope memories:read --user ada')).toEqual(failure('--parent names the user', 2))
    expect(json(`keys revoke ${parent.id}`)).toEqual({ id: parent.id, revoked: [parent.id, child.id] })
    expect(await accounts.authenticate(child.key)).toEqual({ kind: 'revoked' })
    expect(run(`keys revoke ${parent.id}`).stdout).toBe(`${parent.id} was revoked before\n`)
    expect(run('keys revoke nothing')).toEqual(failure('there is no key "nothing"'))
  })

  test('are rotated, with and without a time in which the old secret works', async () => {
    await using folder = await openFolder()
    const { json, accounts, run } = folder
    const { id, key } = json('keys create --user ada --space red --scope memories:read')
    const second = json(`keys rotate ${id} --grace 24h`)
    expect(second.id).toBe(id)
    expect((await accounts.authenticate(key)).kind).toBe('ok')
    expect((await accounts.authenticate(second.key)).kind).toBe('ok')
    const third = json(`keys rotate ${id}`)
    expect((await accounts.authenticate(second.key)).kind).toBe('revoked')
    expect((await accounts.authenticate(third.key)).kind).toBe('ok')
    expect(run(`keys rotate ${id} --grace 366d`)).toEqual(failure('for at most 365 days'))
    expect(run(`keys rotate ${id} --grace 0.5ms`).code).toBe(0)
    expect(run(`keys rotate ${id} --grace soon`)).toEqual(
      failure('--grace must be a duration such as 30d', 2),
    )
  })

  test.each([
    ['keys create --user ada --space red', 'missing --scope'],
    ['keys create --user ada --space red --scope all', '--scope must be some of memories:read'],
    ['keys create --user ada --scope memories:read', 'give --user NAME and --space NAME, or --parent ID'],
    ['keys create --user ada --space red --scope memories:read --expires x', '--expires must be a duration'],
    ['members add ada --space red', '--role must be one of reader, writer, admin, owner'],
    ['members add ada --space red --role king', 'got "king"'],
    ['members list', 'missing --space NAME'],
    ['keys', 'missing command; one of keys create, keys list, keys revoke, keys rotate'],
    ['keys creat', 'unknown command "keys creat"; did you mean keys create?'],
    [
      'users frobnicate',
      'there are users create, users list, users reset, users disable, users enable, users limits, users delete',
    ],
  ])('%s is refused', (line, message) => {
    const { code, stdout, stderr } = remindb(line.split(' '), { cwd: '/' })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(message)
    expect(stderr).toContain('\nUsage: remindb ')
  })
})

describe('members', () => {
  test('are added, listed and removed, which ends their keys at once', async () => {
    await using folder = await openFolder()
    const { json, run, accounts } = folder
    expect(json('members add bob --space red --role owner')).toEqual({
      space: 'red',
      user: 'bob',
      role: 'owner',
      added_at: expect.stringMatching(/Z$/),
    })
    const { key } = json('keys create --user bob --space red --scope memories:admin')
    expect(run('members list --space red').stdout).toMatch(/^name +role +added\nbob +owner +\d/)
    json('members add bob --space red --role reader')
    expect(await accounts.authenticate(key)).toMatchObject({ principal: { scopes: ['memories:read'] } })
    expect(json('members remove bob --space red')).toEqual({ user: 'bob', space: 'red', removed: true })
    expect(await accounts.authenticate(key)).toEqual({ kind: 'revoked' })
    expect(run('members remove bob --space red')).toEqual(failure('"bob" is not a member of the space "red"'))
    expect(run('members list --space green')).toEqual(failure('there is no space "green"'))
  })
})

test('a group of commands explains itself, and each of its commands', () => {
  const run = (line: string) => remindb(line.split(' '), { cwd: '/' })
  const help = run('keys --help')
  expect(help.code).toBe(0)
  expect(help.stdout).toContain('Usage: remindb keys <command>')
  expect(help.stdout).toMatch(/\n {2}rotate +Replace the secret of a key\n/)
  expect(run('help keys')).toEqual(help)
  expect(run('help keys rotate')).toEqual(run('keys rotate --help'))
  const create = run('keys create --help').stdout
  expect(create).toMatch(/--user NAME +Required without --parent: /)
  expect(create).toMatch(/--space NAME +Required without --parent: /)
  expect(run('users create --help').stdout).toMatch(/--admin +Marks an administrator of the server/)
  expect(run('keys rotate --help').stdout).toContain('Usage: remindb keys rotate <id> [--grace TIME]')
})

test('a failure is JSON for a program that asked for JSON', async () => {
  await using folder = await openFolder()
  const { code, stdout } = folder.run('keys revoke nothing --json')
  expect(code).toBe(1)
  expect(JSON.parse(stdout)).toEqual({
    error: { code: 'NOT_FOUND', message: expect.stringContaining('nothing') },
  })
})
