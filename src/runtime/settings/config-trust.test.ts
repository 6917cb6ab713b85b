import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type ConfigInput, loadConfig, toConfig } from './config.ts'
import { openLiveConfig } from './live-config.ts'
import { refusalOf } from './refused-settings.ts'
import type { Setting } from './setting-values.ts'
import { SETTINGS, type SettingName } from './settings.ts'
import { trustedPath, trustFolder, untrustFolder } from './trusted-folders.ts'

function place() {
  const root = mkdtempSync(join(tmpdir(), 'remindb-trust-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const env = { XDG_CONFIG_HOME: join(root, 'config') }
  const folder = join(root, 'project')
  const stateFolder = join(folder, '.remindb')
  const userFile = join(root, 'config', 'remindb', 'config.json')
  const put = (path: string, value: unknown): void => {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value))
  }
  const load = (input: Partial<ConfigInput> = {}) =>
    loadConfig({ stateFolder, env: { ...env, ...input.env }, ...(input.flags && { flags: input.flags }) })
  const found = (name: SettingName, input?: Partial<ConfigInput>) => {
    const { value, origin } = load(input).settings.find((setting) => setting.name === name) ?? {}
    return [value, origin]
  }
  const trusted = trustedPath(join(root, 'config', 'remindb'))
  return {
    root,
    env,
    folder,
    stateFolder,
    userFile,
    trusted,
    load,
    found,
    inFolder: (value: unknown) => put(join(stateFolder, 'config.json'), value),
    byUser: (value: unknown) => put(userFile, value),
    trust: () => trustFolder(trusted, folder, load().asked),
  }
}

describe('a value comes from', () => {
  test('a flag, else the environment, else the folder, else the user file, else the default', () => {
    const at = place()
    const flags = { 'compile.max_node_tokens': '100' }
    const env = { REMINDB_COMPILE_MAX_NODE_TOKENS: '200' }
    const name = 'compile.max_node_tokens'
    expect(at.found(name)).toEqual([1000, 'default'])
    at.byUser({ compile: { max_node_tokens: 400 } })
    expect(at.found(name)).toEqual([400, 'user file'])
    at.inFolder({ compile: { max_node_tokens: 300 } })
    expect(at.found(name)).toEqual([300, 'folder'])
    expect(at.found(name, { env })).toEqual([200, 'environment'])
    expect(at.found(name, { env, flags })).toEqual([100, 'flag'])
  })

  test('never the folder for an operator setting', () => {
    const at = place()
    at.inFolder({ author: 'folder' })
    expect(at.found('author')).toEqual(['cli', 'default'])
    at.byUser({ author: 'user' })
    expect(at.found('author')).toEqual(['user', 'user file'])
    expect(at.found('author', { env: { REMINDB_AUTHOR: 'env' } })).toEqual(['env', 'environment'])
  })
})

test('a folder may not set exactly the operator settings', () => {
  const operator = SETTINGS.filter(({ scope }) => scope === 'operator').map(({ name }) => name)
  const groups =
    /^(author|quota\..+|rate\..+|store\..+|files\..+|history\..+|keys\..+|notes\.max_.+|records\.max_.+|compile\.(max_parallelism|roots)|redaction\.disable_builtin_kinds|server\.(tools|answers|transport|listen|auth|public_url|schemes|read_only|no_destructive|spaces\..+|tls\..+|oauth\..+|http\..+)|audit\..+)$/
  expect(operator).toEqual(SETTINGS.map(({ name }) => name).filter((name) => groups.test(name)))
})

describe('a folder with operator settings', () => {
  test('is refused by name with the remedy, and its other settings apply', () => {
    const at = place()
    at.inFolder({
      author: 'evil',
      server: { transport: 'http', tools: ['files'] },
      temperature: { hot_threshold: 0.75 },
    })
    const loaded = at.load()
    expect(toConfig(loaded)).toMatchObject({
      author: 'cli',
      'server.transport': 'stdio',
      'server.tools': ['tree'],
      'temperature.hot_threshold': 0.75,
    })
    expect(loaded.asked.map(({ name }) => name)).toEqual(['author', 'server.tools', 'server.transport'])
    expect(refusalOf(loaded, at.stateFolder)?.message).toBe(
      `ignored author, server.tools, server.transport in .remindb/config.json: a folder may not set these; to see and accept them, run: remindb trust ${at.folder}`,
    )
  })

  test('may not go beyond the bound of a folder, which the operator may', () => {
    const at = place()
    at.inFolder({ server: { logging: { buffer_size: 1_000_000, level: 'warn' } } })
    expect(at.found('server.logging.buffer_size')).toEqual([1000, 'default'])
    expect(at.found('server.logging.level')).toEqual(['warn', 'folder'])
    expect(at.load().asked.map(({ name }) => name)).toEqual(['server.logging.buffer_size'])
    at.byUser({ server: { logging: { buffer_size: 1_000_000 } } })
    expect(at.found('server.logging.buffer_size')).toEqual([1_000_000, 'user file'])
  })

  test('learns the bound that its value exceeds', () => {
    const at = place()
    at.inFolder({ rescan: { interval: '10ms' } })
    expect(refusalOf(at.load(), at.stateFolder)?.message).toBe(
      `ignored rescan.interval in .remindb/config.json: in a folder rescan.interval must be a duration from 1s and up to 24h such as "30s" or "1h30m"; to see and accept it, run: remindb trust ${at.folder}`,
    )
  })

  test('applies once it is trusted, below the environment and above the user file', async () => {
    const at = place()
    at.inFolder({ author: 'folder', keys: { max_value_bytes: 5 } })
    at.byUser({ author: 'user' })
    await at.trust()
    expect(at.found('author')).toEqual(['folder', 'folder'])
    expect(at.found('keys.max_value_bytes')).toEqual([5, 'folder'])
    expect(at.found('author', { env: { REMINDB_AUTHOR: 'env' } })).toEqual(['env', 'environment'])
    expect(refusalOf(at.load(), at.stateFolder)).toBeUndefined()
    expect(await untrustFolder(at.trusted, at.folder)).toBe(true)
    expect(at.found('author')).toEqual(['user', 'user file'])
    expect(await untrustFolder(at.trusted, at.folder)).toBe(false)
  })

  test('must be trusted again after any change of these settings, and of no others', async () => {
    const at = place()
    at.inFolder({ server: { tools: ['tree', 'keys'] }, files: { memories: [{ id: 'a', scope: 'global' }] } })
    await at.trust()
    // The same, written in another order.
    at.inFolder(
      '{"files.memories":[{"scope":"global","id":"a"}],"rescan":{"settle":"1s"},"server":{"tools":["tree","keys"]}}',
    )
    expect(at.load().trust).toBe('trusted')
    at.inFolder({ server: { tools: ['tree', 'keys'] }, files: { memories: [{ id: 'b', scope: 'global' }] } })
    expect(at.load().trust).toBe('changed')
    expect(at.found('server.tools')).toEqual([['tree'], 'default'])
    expect(refusalOf(at.load(), at.stateFolder)?.message).toContain(
      'they changed since the folder was trusted',
    )
  })

  test('is trusted by its real path, and no folder in it or elsewhere with it', async () => {
    const at = place()
    at.inFolder({ author: 'folder' })
    symlinkSync(at.folder, join(at.root, 'link'))
    await trustFolder(at.trusted, join(at.root, 'link'), at.load().asked)
    const authorIn = (folder: string) =>
      toConfig(loadConfig({ stateFolder: join(folder, '.remindb'), env: at.env })).author
    expect(authorIn(at.folder)).toBe('folder')
    expect(authorIn(join(at.root, 'link'))).toBe('folder')
    for (const other of [join(at.folder, 'inner'), join(at.root, 'copy')]) {
      mkdirSync(join(other, '.remindb'), { recursive: true })
      writeFileSync(join(other, '.remindb', 'config.json'), '{"author":"folder"}')
      expect(authorIn(other)).toBe('cli')
    }
  })

  test.each(['', '{', '[]', '{"folders":[]}', '{"folders":{"/x":true}}', '{"trusted":"all"}'])(
    'is not trusted by a damaged list (%j): that is an error with a remedy',
    (text) => {
      const at = place()
      at.inFolder({ author: 'folder' })
      mkdirSync(dirname(at.trusted), { recursive: true })
      writeFileSync(at.trusted, text)
      expect(() => at.load()).toThrow(/trusted\.json .*remove it and trust your folders again/)
      at.inFolder({})
      expect(() => at.load()).not.toThrow()
    },
  )
})

test('the list of trusted folders is readable for its owner alone', async () => {
  const at = place()
  at.inFolder({ author: 'folder' })
  await at.trust()
  expect(statSync(at.trusted).mode & 0o777).toBe(0o600)
  expect(statSync(dirname(at.trusted)).mode & 0o777).toBe(0o700)
  expect(readFileSync(at.trusted, 'utf8')).not.toContain('author')
})

describe('the user file', () => {
  test.each([
    [{ authr: 'x' }, (file: string) => `unknown key "authr" in ${file}; did you mean author?`],
    [{ rescan: { interval: 5 } }, (file: string) => `invalid ${file}: rescan.interval must be a duration `],
    ['{\n"author": x}', (file: string) => `failed to parse ${file}: line 2: invalid JSON`],
  ])('%j is refused with its path', (config, message) => {
    const at = place()
    at.byUser(config)
    expect(() => at.load()).toThrow(message(at.userFile))
  })
})

describe('the log of a folder', () => {
  const path = 'server.logging.output_path'

  test.each(['serve.log', 'logs/a/serve.log'])('may be %j', (value) => {
    const at = place()
    at.inFolder({ server: { logging: { output_path: value } } })
    expect(at.found(path)).toEqual([value, 'folder'])
  })

  test.each([
    '../x.log',
    'a/../../x.log',
    '/tmp/x.log',
    'memory.db',
    'config.json',
    '.log',
    'C:\\x.log',
    '..\\x.log',
    'a/./../../.bashrc.log',
  ])('may not be %j', (value) => {
    const at = place()
    at.inFolder({ server: { logging: { output_path: value } } })
    expect(at.found(path)).toEqual(['stderr', 'default'])
    expect(at.load().asked).toEqual([{ name: path, value }])
    expect(at.found(path, { flags: { [path]: value } })).toEqual([value, 'flag'])
  })

  test('may not lead out by a link, even to a file that does not exist yet', () => {
    const at = place()
    at.inFolder({ server: { logging: { output_path: 'out/x.log' } } })
    symlinkSync(at.root, join(at.stateFolder, 'out'))
    expect(at.found(path)).toEqual(['stderr', 'default'])
    at.inFolder({ server: { logging: { output_path: 'x.log' } } })
    symlinkSync(join(at.root, 'new'), join(at.stateFolder, 'x.log'))
    expect(at.found(path)).toEqual(['stderr', 'default'])
  })
})

/** For each setting that a folder has: values that would do harm. */
const HOSTILE: Partial<Record<SettingName, unknown[]>> = {
  'compile.max_node_tokens': [1_000_000],
  'redaction.custom': [
    [{ kind: 'x', pattern: 'a{1,1000}[!?]' }],
    [{ kind: 'x', pattern: 'abcdef(?:.*!)?' }],
    [{ kind: 'x', pattern: 'abcdef.*!' }],
    [{ kind: 'x', pattern: 'ab' }],
    [{ kind: 'x', pattern: '[a-z]{0,20}[a-z]{0,20}!' }],
    [{ kind: 'x', pattern: '((a{0,30}){0,30})[!?]' }],
    [{ kind: 'x', pattern: 'a'.repeat(2000) }],
    Array.from({ length: 400 }, (_, at) => ({ kind: `k${at}`, pattern: 'ab' })),
  ],
  'temperature.tick_interval': ['1ms', '1ns'],
  'temperature.cold_notify_limit': [10_000],
  'rescan.interval': ['1ms', '1ns'],
  'server.logging.buffer_size': [1_000_000],
  'server.logging.session_files.max_file_size': ['1TB', Number.MAX_SAFE_INTEGER],
  'server.rescan_files.max_file_size': ['1TB', Number.MAX_SAFE_INTEGER],
  'server.sessions.flush_interval': ['1ms'],
  'server.sessions.idle_expiry': ['1ms', '25h', '8760h'],
}

test.each(Object.entries(HOSTILE))(
  '%s of a folder has a bound that a trusted one has not',
  async (name, values) => {
    for (const value of values) {
      const at = place()
      at.inFolder({ [name]: value })
      expect(at.load().asked, JSON.stringify(value).slice(0, 80)).toEqual([{ name, value }])
      await at.trust()
      expect(at.found(name as SettingName)).toEqual([value, 'folder'])
    }
  },
)

test('the default of every project setting is within the bound of a folder', () => {
  const settings: readonly Setting[] = SETTINGS
  for (const { name, scope, default: value } of settings) {
    if (scope === 'operator') continue
    const at = place()
    at.inFolder({ [name]: value })
    expect(at.load().asked, name).toEqual([])
  }
})

describe('while a memory is open', () => {
  function opened(at: ReturnType<typeof place>) {
    const notices: string[] = []
    const live = openLiveConfig({
      stateFolder: at.stateFolder,
      env: at.env,
      onInvalid: (error) => notices.push(String(error)),
      onIgnored: (notice) => notices.push(notice.message),
    })
    return { live, notices }
  }

  test('an operator setting that is added to the folder does not apply, and is named once', () => {
    const at = place()
    const { live, notices } = opened(at)
    at.inFolder({ keys: { max_value_bytes: 1 }, temperature: { cold_threshold: 0.2 } })
    for (let look = 0; look < 3; look++)
      expect(live()).toMatchObject({ 'keys.max_value_bytes': 10_485_760, 'temperature.cold_threshold': 0.2 })
    expect(notices).toEqual([expect.stringMatching(/^ignored keys\.max_value_bytes in /)])
  })

  test('the user file is followed, and so is trust', async () => {
    const at = place()
    at.inFolder({ keys: { max_value_bytes: 7 } })
    const { live } = opened(at)
    at.byUser({ keys: { max_value_bytes: 5 } })
    expect(live()['keys.max_value_bytes']).toBe(5)
    await at.trust()
    expect(live()['keys.max_value_bytes']).toBe(7)
    await untrustFolder(at.trusted, at.folder)
    expect(live()['keys.max_value_bytes']).toBe(5)
  })

  test('an edit of a setting that is only read at the start is reported once per edit', () => {
    const at = place()
    const { live, notices } = opened(at)
    for (const name of ['one', 'two']) {
      at.inFolder({ records: { views: [{ name }] }, rescan: { settle: '1s' } })
      live()
      live()
    }
    const notice = 'records.views was edited; the change applies after a restart'
    expect(notices).toEqual([notice, notice])
  })
})
