import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { openAccounts } from '../src/runtime/spaces/accounts.ts'
import { ensureProgramIsBuilt, remindb, remindbOnTerminal, temporaryFolder } from './support/cli.ts'
import { databaseBytes } from './support/store-files.ts'

beforeAll(ensureProgramIsBuilt)

const PASSWORD = 'correct horse battery'

/** A folder of spaces with the space red. */
async function openFolder() {
  const folder = temporaryFolder()
  const dir = join(folder.path, 'spaces')
  const accounts = await openAccounts(dir, { create: true })
  await accounts.spaces.create('red')
  const run = (line: string, input?: string | Uint8Array) =>
    remindb([...line.split(' '), '--spaces', 'spaces'], {
      cwd: folder.path,
      ...(input === undefined ? {} : { input }),
    })
  const json = (line: string, input?: string) => {
    const { code, stdout, stderr } = run(`${line} --json`, input)
    if (code !== 0) throw new Error(stderr)
    return JSON.parse(stdout)
  }
  return {
    ...{ dir, accounts, run, json, cwd: folder.path },
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

describe('passwords', () => {
  test('of a new user are read from stdin, and neither printed nor stored', async () => {
    await using folder = await openFolder()
    const { json, run, accounts, dir } = folder
    const made = json('users create ada --password-stdin', `${PASSWORD}\n`)
    expect(Object.keys(made)).toEqual(['id', 'name', 'admin', 'created_at', 'disabled_at'])
    expect(run('users create bob --password-stdin', `${PASSWORD}\r\n`).stdout).toBe('created: user bob\n')
    for (const name of ['ada', 'bob'])
      expect(await accounts.passwords.check(name, PASSWORD)).toMatchObject({ name })
    expect(databaseBytes(join(dir, 'auth.db')).includes(PASSWORD)).toBe(false)
  })

  test.each<[what: string, input: string | Uint8Array, message: string]>([
    ['too short', 'short', 'a password has at least 10 characters'],
    ['empty', '', 'a password has at least 10 characters'],
    ['too long', 'x'.repeat(1025), 'a password has at most 1024 bytes'],
    ['two lines', 'correct horse\nbattery staple', 'has more than one line'],
    ['not UTF-8', new Uint8Array([0xff, 0xfe]), 'is not UTF-8'],
  ])('that are %s are refused, and no user is made', async (_what, input, message) => {
    await using folder = await openFolder()
    expect(folder.run('users create ada --password-stdin', input)).toEqual(failure(message))
    expect(folder.json('users list')).toEqual([])
  })

  test('are not typed on a terminal, where everybody can read them', async () => {
    await using folder = await openFolder()
    const args = ['users', 'create', 'ada', '--password-stdin', '--spaces', 'spaces']
    const shown = remindbOnTerminal(args, { cwd: folder.cwd, input: '' })
    expect(shown).toContain('--password-stdin reads the password from a file or another program')
  })

  test('are never arguments', () => {
    for (const line of [
      'users create ada --password x',
      'users reset ada secret-word',
      'auth init --password x',
    ])
      expect(remindb(line.split(' '), { cwd: '/' }).code).toBe(2)
  })

  test('are reset: a generated one is shown once, and logins end', async () => {
    await using folder = await openFolder()
    const { json, run, accounts } = folder
    const { id } = json('users create ada --password-stdin', PASSWORD)
    const { cookie } = await accounts.logins.create(id)
    const { password, ...user } = json('users reset ada')
    expect(user).toMatchObject({ id, name: 'ada', disabled_at: null })
    expect(await accounts.logins.find(cookie)).toBeUndefined()
    expect(await accounts.passwords.check('ada', PASSWORD)).toBeUndefined()
    expect(await accounts.passwords.check('ada', password)).toBeDefined()
    const { stdout } = run('users reset ada')
    expect(stdout).toMatch(/^new password: user ada\n\n\w{20}\n\nIt is shown only now: /)
    expect(await accounts.passwords.check('ada', stdout.split('\n')[2] ?? '')).toBeDefined()
    expect(json('users reset ada --password-stdin', PASSWORD)).not.toHaveProperty('password')
    expect(await accounts.passwords.check('ada', PASSWORD)).toBeDefined()
    expect(run('users reset eve')).toEqual(failure('there is no user "eve"'))
  })

  test('of a disabled user are reset, and the user stays disabled', async () => {
    await using folder = await openFolder()
    const { json, run, accounts } = folder
    json('users create root --admin')
    json('users disable root')
    expect(run('users reset root --password-stdin', PASSWORD).stdout).toBe(
      'new password: administrator root\nroot is still disabled and cannot sign in; enable the user with `remindb users enable root`\n',
    )
    expect(json('users reset root --password-stdin', PASSWORD).disabled_at).toMatch(/Z$/)
    expect(await accounts.passwords.check('root', PASSWORD)).toBeUndefined()
    json('users enable root')
    expect(await accounts.passwords.check('root', PASSWORD)).toMatchObject({ isAdmin: true })
  })
})

test('disabling a user ends the logins', async () => {
  await using folder = await openFolder()
  const { json, accounts } = folder
  const { id } = json('users create ada --password-stdin', PASSWORD)
  const { cookie } = await accounts.logins.create(id)
  json('users disable ada')
  json('users enable ada')
  expect(await accounts.logins.find(cookie)).toBeUndefined()
})

describe('auth init', () => {
  test('makes the first administrator and the folder, and ends the setup by link', async () => {
    using folder = temporaryFolder()
    const dir = join(folder.path, 'spaces')
    const run = (args: string[], input?: string) =>
      remindb([...args, '--spaces', 'spaces'], {
        cwd: folder.path,
        ...(input === undefined ? {} : { input }),
      })
    const made = JSON.parse(run(['auth', 'init', '--json']).stdout)
    expect(made).toMatchObject({ name: 'admin', admin: true, password: expect.stringMatching(/^\w{20}$/) })
    const accounts = await openAccounts(dir)
    expect(await accounts.passwords.check('admin', made.password)).toMatchObject({ isAdmin: true })
    await accounts.close()
    expect(run(['auth', 'init', 'root'])).toEqual(
      failure('there is an administrator already; list the users'),
    )
  })

  test('takes a name and a password, which it does not print', async () => {
    await using folder = await openFolder()
    const { run, accounts, dir } = folder
    const token = (await accounts.setup.begin()) ?? ''
    writeFileSync(join(dir, 'setup-link'), token)
    expect(run('auth init root --password-stdin', PASSWORD).stdout).toBe('created: administrator root\n')
    expect(await accounts.passwords.check('root', PASSWORD)).toBeDefined()
    expect(await accounts.setup.isOpen(token)).toBe(false)
    expect(existsSync(join(dir, 'setup-link'))).toBe(false)
  })

  test('an administrator made by hand ends the setup too, and other users do not', async () => {
    await using folder = await openFolder()
    const { json, accounts, dir } = folder
    const token = (await accounts.setup.begin()) ?? ''
    writeFileSync(join(dir, 'setup-link'), token)
    json('users create ada')
    expect(await accounts.setup.isOpen(token)).toBe(true)
    expect(existsSync(join(dir, 'setup-link'))).toBe(true)
    json('users create root --admin')
    expect(await accounts.setup.isOpen(token)).toBe(false)
    expect(existsSync(join(dir, 'setup-link'))).toBe(false)
  })
})

test('auth rotate-keys replaces the keys, and keeps the older ones for a while', async () => {
  await using folder = await openFolder()
  const { json, run, accounts } = folder
  const unexpected = () => {
    throw new Error('there is one')
  }
  expect(json('auth rotate-keys')).toEqual({ rotated: ['signing', 'cookies'] })
  const [first] = await accounts.secrets.signing(unexpected)
  expect(JSON.parse(first?.value ?? '')).toMatchObject({ kty: 'RSA', use: 'sig', alg: 'RS256' })
  expect(run('auth rotate-keys').stdout).toContain('rotated: the keys for signing and for cookies')
  const signing = await accounts.secrets.signing(unexpected)
  expect(signing).toHaveLength(2)
  expect(signing[1]).toMatchObject({ id: first?.id, expiresAt: expect.any(Number) })
  expect(await accounts.secrets.cookies(unexpected)).toHaveLength(2)
})

describe('clients', () => {
  const BY_URL = 'https://agent.example/client.json'

  async function withClients() {
    const folder = await openFolder()
    const { accounts, json } = folder
    const spaceId = (await accounts.spaces.find('red'))?.id ?? ''
    const redirect_uris = ['https://app.example/cb', 'http://localhost/cb', 'http://localhost/x', 'agent://x']
    const metadata = JSON.stringify({ redirect_uris })
    await accounts.clients.register({ id: 'registered', name: 'App', metadata })
    const give = async (name: string, clientId: string, clientName: string) => {
      const { id: userId } = json(`users create ${name}`)
      await accounts.members.add({ user: name, space: 'red', role: 'writer' })
      const grant = {
        userId,
        spaceId,
        clientId,
        clientName,
        scopes: ['memories:read'],
        expiresAt: null,
      } as const
      return (await accounts.grants.give(grant)).id
    }
    const ada = await give('ada', BY_URL, 'Agent')
    const bob = await give('bob', 'registered', 'App')
    return { folder, ada, bob }
  }

  test('are listed with where they come from', async () => {
    const { folder: opened, ada } = await withClients()
    await using folder = opened
    const { json, run } = folder
    expect(json('clients list --user ada')).toEqual([
      {
        ...{ id: ada, user: 'ada', space: 'red', client: BY_URL, name: 'Agent', host: 'agent.example' },
        ...{ scopes: ['memories:read'], created_at: expect.stringMatching(/Z$/) },
        ...{ expires_at: null, last_used_at: null },
      },
    ])
    const { stdout } = run('clients list --space red')
    expect(stdout).toMatch(/^id +user +client +host +space +scopes +last used\n/)
    expect(stdout).toMatch(/ ada +Agent +agent\.example +red +memories:read +never\n/)
    expect(stdout).toMatch(/ bob +App +app\.example,localhost,agent:\/\/x +red +memories:read +never\n/)
    expect(run('clients list --user eve')).toEqual(failure('there is no user "eve"'))
  })

  test('are revoked one by one, or all at once', async () => {
    const { folder: opened, ada, bob } = await withClients()
    await using folder = opened
    const { json, run, accounts } = folder
    expect(run(`clients revoke ${ada}`).stdout).toBe('revoked: Agent of ada in red\n')
    expect(run(`clients revoke ${ada}`)).toEqual(failure(`there is no client "${ada}"`))
    expect(json('clients revoke registered')).toEqual({ id: 'registered', revoked: [bob] })
    expect(await accounts.clients.find('registered')).toBeUndefined()
    expect(run('clients list').stdout).toBe('no client has access through a user\n')
    expect(run('clients revoke registered')).toEqual(failure('list them with `remindb clients list`'))
  })
})
