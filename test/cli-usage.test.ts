import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { COMMANDS, listCommands } from '../src/cli/commands.ts'
import { openMemory } from '../src/index.ts'
import { SETTINGS } from '../src/runtime/settings/settings.ts'
import { ensureProgramIsBuilt, remindb, temporaryFolder } from './support/cli.ts'

const OPS = '# Ops\n\nTalk to Ada.\n'

beforeAll(ensureProgramIsBuilt)

describe('help and version', () => {
  const run = (...args: string[]) => remindb(args, { cwd: '/' })

  test('are printed, whatever else is on the line', () => {
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
    for (const line of ['--version', 'inspect --version', '--db x --version', '--version inspect --bogus'])
      expect(run(...line.split(' '))).toEqual({ code: 0, stdout: `remindb ${version}\n`, stderr: '' })
    const help = run('--help')
    for (const line of ['-h', 'help']) expect(run(line)).toEqual(help)
    for (const [name, { summary }] of Object.entries(COMMANDS))
      expect(help.stdout).toMatch(new RegExp(`\n {2}${name} +${summary}\n`))
  })

  test.each([...listCommands()])('explain %s', async (name, { load }) => {
    const { flags, parameters, examples } = (await load()).command
    const { code, stdout } = run(...name.split(' '), '--bogus', '-h')
    expect(code).toBe(0)
    expect(stdout).toContain(`\nUsage: remindb ${name}`)
    for (const flag of Object.keys(flags)) expect(stdout).toContain(` --${flag}`)
    for (const parameter of Object.keys(parameters)) expect(stdout).toContain(`\n  <${parameter}>`)
    for (const example of examples) expect(stdout).toContain(`\n  ${example}\n`)
  })
})

describe('wrong usage', () => {
  test.each([
    ['', 'no command given'],
    ['inspct', 'unknown command "inspct"; did you mean inspect?'],
    ['help compil', 'unknown command "compil"; did you mean compile?'],
    ['frobnicate', 'unknown command "frobnicate"; there are compile, serve, write, summarize,'],
    ['--verison', 'unknown flag --verison before the command; did you mean --version?'],
    ['--json inspect', 'unknown flag --json before the command; flags of a command come after it'],
    ['inspect --jsn', 'unknown flag --jsn; did you mean --json?'],
    ['inspect --zzzzzz', 'unknown flag --zzzzzz\n'],
    ['inspect -x', 'unknown flag -x\n'],
    ['inspect --constructor', 'unknown flag --constructor\n'],
    ['toString', 'unknown command "toString"'],
    ['inspect extra', 'unexpected argument "extra"; this command takes no arguments'],
    ['diff 1 2 3', 'unexpected argument "3"; this command takes <from> <to>'],
    ['inspect --json=yes', '--json takes no value'],
    ['inspect --db', '--db needs a value: --db PATH'],
    ['inspect --db=', '--db needs a value: --db PATH'],
    ['inspect --db --json', '--db needs a value; one that begins with a dash is written --db=--json'],
    ['inspect --db a --db b', '--db is given twice'],
    ['inspect --depth 3', '--depth requires --tree'],
    ['inspect --tree --depth x', '--depth must be a whole number from 0, got "x"'],
    ['inspect --tree --depth 1.5', '--depth must be a whole number from 0, got "1.5"'],
    ['inspect --tree --files', '--tree, --files and --links exclude each other; give only one'],
    ['compile', 'missing <path>'],
    ['compile . --max-node-tokens 3', '--max-node-tokens must be a whole number from 50 to 1000000, got "3"'],
    ['history x y', 'unexpected argument "y"'],
    ['history x --after 1.2', '--after must be the cursor at the end of an earlier answer, got "1.2"'],
    ['delta x', '<since> must be a whole number from 0, got "x"'],
    ['delta --after 7', '--after must be the cursor at the end of an earlier answer, got "7"'],
    ['delta --limit 0', '--limit must be a whole number from 1, got "0"'],
    ['delta --limit -1', '--limit must be a whole number from 1, got "-1"'],
    ['search x --limit -1', '--limit must be a whole number from 1 to 200, got "-1"'],
    ['diff 1', 'missing <to>'],
    ['diff 3 1', '<from> must not be later than <to>; did you mean diff 1 3?'],
    ['rollback', 'missing <snapshot>'],
    ['rollback 0', '<snapshot> must be a whole number from 1, got "0"'],
    ['rollback 99999999999999999999', '<snapshot> must be a whole number from 1'],
  ])('%s', (line, message) => {
    using folder = temporaryFolder()
    const { code, stdout, stderr } = remindb(line.split(' ').filter(Boolean), { cwd: folder.path })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr.startsWith(`remindb: ${message}`), stderr).toBe(true)
    expect(stderr).toContain('\nUsage: remindb ')
  })
})

describe('which database', () => {
  /** Two memories side by side; each says its name. */
  function twoMemories() {
    const folder = temporaryFolder({ 'one/deep/a.md': '# One\n', 'two/b.md': '# Two\n' })
    for (const name of ['one', 'two']) remindb(['compile', name], { cwd: folder.path })
    const rootOf = (args: string[], cwd = '.', env = {}): string => {
      const { stdout, stderr } = remindb([...args, 'inspect', '--tree', '--json'], {
        cwd: join(folder.path, cwd),
        env,
      })
      return stderr || JSON.parse(stdout).roots[0].label
    }
    return { ...folder, rootOf, [Symbol.dispose]: folder[Symbol.dispose] }
  }

  test('is the nearest at or above, else REMINDB_DB, else --db: the last one wins', () => {
    using folder = twoMemories()
    const { rootOf, path } = folder
    expect(rootOf([], 'one/deep')).toBe('One')
    expect(rootOf([], 'one/deep', { REMINDB_DB: join(path, 'two') })).toBe('Two')
    expect(rootOf(['--db', '../../one'], 'one/deep', { REMINDB_DB: join(path, 'two') })).toBe('One')
    for (const form of ['two', 'two/.remindb', 'two/.remindb/memory.db'])
      expect(rootOf([`--db=${form}`])).toBe('Two')
  })

  test('is said when it is missing, with what to do, and never made', () => {
    using folder = temporaryFolder()
    const make = 'run `remindb compile <folder>` to make one'
    const lines = [
      'inspect',
      'history x',
      'delta',
      'diff 0 1',
      'rollback 1',
      'doctor',
      'doctor --fix',
      'backup',
      'export',
    ]
    for (const line of lines) {
      const run = (more: string[], env = {}) =>
        remindb([...line.split(' '), ...more], { cwd: folder.path, env })
      expect(run([])).toEqual({
        code: 1,
        stdout: '',
        stderr: `remindb: there is no memory in ${folder.path} or above; ${make}, or name one with --db\n`,
      })
      const file = join(folder.path, 'x.db')
      expect(run(['--db', 'x.db']).stderr).toBe(
        `remindb: there is no memory at ${file}; ${make}, or check --db\n`,
      )
    }
    const named = remindb(['inspect'], { cwd: folder.path, env: { REMINDB_DB: 'x.db' } })
    expect(named.stderr).toContain('or check REMINDB_DB\n')
    expect(remindb(['inspect', '--db', 'x/'], { cwd: folder.path }).stderr).toBe(
      'remindb: there is no folder x/\n',
    )
    expect(remindb(['inspect'], { cwd: folder.path }).code).toBe(1)
  })
})

describe('settings', () => {
  interface Shown {
    settings: { name: string; value: unknown; from: string }[]
  }

  /** A memory with a config file of its own. */
  function configured(config: unknown) {
    const folder = temporaryFolder({ 'a.md': OPS })
    mkdirSync(join(folder.path, '.remindb'))
    writeFileSync(join(folder.path, '.remindb', 'config.json'), JSON.stringify(config))
    const run = (args: string[], env = {}) => remindb(args, { cwd: folder.path, env })
    const tokens = (args: string[], env = {}): unknown => {
      const { settings } = JSON.parse(run(['config', '--json', ...args], env).stdout) as Shown
      const { value, from } = settings.find(({ name }) => name === 'compile.max_node_tokens') ?? {}
      return [value, from]
    }
    return { ...folder, run, tokens, [Symbol.dispose]: folder[Symbol.dispose] }
  }

  test('come from a flag, the environment, the folder, the user file or a default, in this order', () => {
    using withFile = configured({ compile: { max_node_tokens: 300 } })
    using withoutFile = configured({})
    using home = temporaryFolder({ 'remindb/config.json': '{"compile":{"max_node_tokens":400}}' })
    const own = { XDG_CONFIG_HOME: home.path }
    const env = { REMINDB_COMPILE_MAX_NODE_TOKENS: '200', ...own }
    expect(withFile.tokens(['--max-node-tokens', '100'], env)).toEqual([100, 'flag'])
    expect(withFile.tokens([], env)).toEqual([200, 'environment'])
    expect(withFile.tokens([], own)).toEqual([300, 'folder'])
    expect(withoutFile.tokens([], own)).toEqual([400, 'user file'])
    expect(withoutFile.tokens([])).toEqual([1000, 'default'])
  })

  test('are what a compile goes by', async () => {
    using folder = configured({})
    const authors: string[] = []
    for (const [at, [args, env]] of [
      [[], {}],
      [[], { REMINDB_AUTHOR: 'env' }],
      [['--author', 'flag'], { REMINDB_AUTHOR: 'env' }],
    ].entries()) {
      folder.write('a.md', `# ${at}\n`)
      folder.run(['compile', '.', ...(args as string[])], env as object)
    }
    await using memory = await openMemory({ db: folder.path })
    for (const { author } of await memory.snapshots()) authors.unshift(author)
    expect(authors).toEqual(['cli', 'env', 'flag'])
  })

  test('that are lists are read from the environment, and shown as a person would write them', () => {
    using folder = configured({ redaction: { custom: [{ kind: 'x', pattern: 'abcdef' }] } })
    const env = { REMINDB_REDACTION_DISABLE_BUILTIN_KINDS: 'jwt, npm_token' }
    const { stdout } = folder.run(['config'], env)
    expect(stdout).toMatch(/\nredaction\.disable_builtin_kinds +jwt, npm_token +environment /)
    expect(stdout).toMatch(/\nredaction\.custom +\[{"kind":"x","pattern":"abcdef"}\] +folder +/)
    using plain = configured({})
    expect(plain.run(['config']).stdout).toMatch(/\nredaction\.custom +none +default /)
  })

  test('that are durations and sizes are shown as they were written', () => {
    using folder = configured({ compile: { wall_clock_timeout: '1m30s' } })
    const { stdout } = folder.run(['config', '--max-file-size', '10MB'])
    expect(stdout).toMatch(/\ncompile\.wall_clock_timeout +1m30s +folder /)
    expect(stdout).toMatch(/\ncompile\.max_file_size +10MB +flag --max-file-size /)
  })

  test('are listed with their names, values, origins and help', () => {
    using folder = configured({ temperature: { hot_threshold: 0.75 } })
    const { stdout } = folder.run(['config'], { REMINDB_STORE_LOCK_WAIT_MS: '5' })
    expect(stdout).toContain(`Database:  ${join(folder.path, '.remindb', 'memory.db')} (none yet: `)
    expect(stdout).toContain(`\nFolder:    ${join(folder.path, '.remindb', 'config.json')}\n`)
    expect(stdout).toMatch(/\nstore\.lock_wait_ms +5 +environment REMINDB_STORE_LOCK_WAIT_MS +How long/)
    expect(stdout).toMatch(/\ntemperature\.hot_threshold +0\.75 +folder +Nodes at or above/)
    for (const { name, help } of SETTINGS)
      expect(stdout).toMatch(new RegExp(`\n${name} .* ${help.slice(0, 20)}`))
    folder.run(['compile', '.'])
    expect(folder.run(['inspect']).stdout).toMatch(/hot \(≥0\.75\): +0\n/)
  })

  test.each([
    [
      { redaction: { custom: { kind: 'x' } } },
      {},
      'invalid .remindb/config.json: redaction.custom must be a list of {"kind": …, "pattern": …}, got {"kind":"x"}; for example [{"kind": ',
    ],
    [
      { redaction: { custom: [{ kind: 'x' }] } },
      {},
      'invalid .remindb/config.json: redaction.custom must be a list of {"kind": …, "pattern": …}, got [{"kind":"x"}]',
    ],
    [
      { records: { views: [{ name: 'a' }, { name: 'b', filter: { typ: 'core' } }] } },
      {},
      'invalid .remindb/config.json: records.views[1] ("b"): unknown field "filter.typ"; use type, tags, ',
    ],
    [{}, { REMINDB_REDACTION_CUSTOM: '[{' }, 'REMINDB_REDACTION_CUSTOM must be a list of '],
    [
      {},
      { REMINDB_REDACTION_DISABLE_BUILTIN_KINDS: 'jwt,,' },
      'REMINDB_REDACTION_DISABLE_BUILTIN_KINDS must be a list',
    ],
    [{ authr: 'x' }, {}, 'unknown key "authr" in .remindb/config.json; did you mean author?\n'],
    [
      { recrods: { max_core: 5 } },
      {},
      'unknown key "recrods.max_core" in .remindb/config.json; did you mean records.max_core?\n',
    ],
    [{ max_core: 5 }, {}, 'unknown key "max_core" in .remindb/config.json; did you mean records.max_core?\n'],
    [
      { keys: { colour: 'red' } },
      {},
      'unknown key "keys.colour" in .remindb/config.json; keys has max_value_bytes, max_blob_bytes, resources\n',
    ],
    [
      { frobnicate: true },
      {},
      'unknown key "frobnicate" in .remindb/config.json; there are author, compile, redaction, ',
    ],
    [
      { compile: { max_node_tokens: 3 } },
      {},
      'invalid .remindb/config.json: compile.max_node_tokens must be a whole number from 50',
    ],
    [
      {},
      { REMINDB_TEMPERATURE_HOT_THRESHOLD: '7' },
      'REMINDB_TEMPERATURE_HOT_THRESHOLD must be a number from 0 to 1, got "7"',
    ],
  ])('are refused by name: %j %j', (config, env, message) => {
    using folder = configured(config)
    for (const args of [['config'], ['compile', '.']]) {
      const { code, stderr } = folder.run(args, env)
      expect(code).toBe(1)
      expect(stderr.startsWith(`remindb: ${message}`), stderr).toBe(true)
    }
  })

  test.each([
    [{ server: { tools: ['fields'] } }, 'there is no toolset "fields"; there are tree, '],
    [
      { server: { tools: ['files'] }, files: { memories: [{ id: 'team' }] } },
      'files.tools: "memory" works on the memory "memory", which files.memories does not have; ',
    ],
    [{ server: { listen: 'here' } }, 'cannot listen on "here": write an address and a port: '],
    [{ server: { listen: '127.0.0.1:99999' } }, 'cannot listen on "127.0.0.1:99999": a port is a number '],
    [{ server: { listen: '0.0.0.0:7474' } }, '0.0.0.0:7474 is reachable from other machines, and '],
  ])('that make no server are refused by config, before a server does it: %j', (config, message) => {
    using folder = configured({})
    using home = temporaryFolder({ 'remindb/config.json': JSON.stringify(config) })
    const env = { XDG_CONFIG_HOME: home.path }
    const { code, stderr } = folder.run(['config'], env)
    expect(code).toBe(1)
    expect(stderr.startsWith(`remindb: ${message}`), stderr).toBe(true)
    expect(folder.run(['compile', '.'], env).code).toBe(0)
  })
})

describe('an error', () => {
  test('is one line, and with REMINDB_DEBUG=1 also where it came from', () => {
    using folder = temporaryFolder()
    const run = (env = {}) => remindb(['inspect'], { cwd: folder.path, env }).stderr
    expect(run()).toMatch(/^remindb: [^\n]+\n$/)
    expect(run({ REMINDB_DEBUG: '1' })).toMatch(/^remindb: [^\n]+\n[^\n]*MemoryError\]?: [^\n]+\n {4}at /)
  })
})
