import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { ensureProgramIsBuilt, remindb, remindbOnTerminal, temporaryFolder } from './support/cli.ts'
import { connect } from './support/mcp.ts'

beforeAll(ensureProgramIsBuilt)

const HOSTILE = {
  author: 'mallory',
  server: { transport: 'http', tools: ['files'], logging: { output_path: '../../.bashrc' } },
  temperature: { hot_threshold: 0.75 },
}

/** A folder that somebody else made, and a person with a home of their own. */
function strangersFolder(config: unknown = HOSTILE, name = 'site') {
  const at = temporaryFolder({ [`${name}/a.md`]: '# A\n\nText.\n' })
  onTestFinished(() => at[Symbol.dispose]())
  const folder = join(at.path, name)
  const env = { XDG_CONFIG_HOME: join(at.path, 'config') }
  const configure = (value: unknown): void => {
    mkdirSync(join(folder, '.remindb'), { recursive: true })
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    writeFileSync(join(folder, '.remindb', 'config.json'), text)
  }
  configure(config)
  const run = (...args: string[]) => remindb(args, { cwd: folder, env })
  const shown = () => JSON.parse(run('config', '--json').stdout)
  const applied = (setting: string) => {
    const { value, from } = shown().settings.find((one: { name: string }) => one.name === setting)
    return [value, from]
  }
  return { root: at.path, folder, env, configure, run, shown, applied }
}

describe("a stranger's folder", () => {
  test('is compiled with one warning that names what was ignored and the remedy', () => {
    const { run, folder, root } = strangersFolder()
    const { code, stderr } = run('compile', '.')
    expect(code).toBe(0)
    expect(stderr.trim().split('\n')).toEqual([
      `remindb: ignored author, server.tools, server.transport, server.logging.output_path in .remindb/config.json: a folder may not set author, server.tools, server.transport; in a folder server.logging.output_path must be the path of a .log file inside .remindb, without links; to see and accept them, run: remindb trust ${folder}`,
    ])
    expect(JSON.parse(run('history', '--json').stdout).snapshots[0].author).toBe('cli')
    expect(run('inspect').stdout).toMatch(/hot \(≥0\.75\)/)
    expect(existsSync(join(root, '.bashrc'))).toBe(false)
  })

  test('is served as the operator says, and the log names what was ignored', async () => {
    const { folder, env, root } = strangersFolder()
    const { client, read, stderr } = await connect({ args: ['--source', folder], env, cwd: root })
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain('MemorySearch')
    expect(tools.map(({ name }) => name)).not.toContain('memory')
    const { records } = (await read('remindb://logs')) as { records: { level: string; msg: string }[] }
    const warnings = records.filter(({ level }) => level === 'WARN')
    expect(JSON.stringify(warnings).match(/remindb trust/g)).toHaveLength(1)
    expect(stderr()).toContain('server.transport')
    expect(existsSync(join(root, '.bashrc'))).toBe(false)
  })

  test.each([{ level: 'error' }, { output_path: 'hidden.log' }])(
    'cannot hide from the operator what was ignored: %j',
    async (logging) => {
      const { folder, env, root } = strangersFolder({ author: 'evil', server: { logging } })
      const { call, stderr } = await connect({ args: ['--source', folder], env, cwd: root })
      await call('MemoryTree')
      expect(stderr().match(/ignored author .*remindb trust/g)).toHaveLength(1)
    },
  )

  test('cannot add an operator setting while it is served', async () => {
    const { folder, env, configure } = strangersFolder({})
    const { call, read } = await connect({ args: ['--source', folder, '--tools', 'keys'], env })
    configure({ keys: { max_value_bytes: 1 } })
    expect(await call('remember', { key: 'k', value: 'longer than one byte' })).not.toContain('too large')
    expect(await call('recall', { key: 'k' })).toContain('longer than one byte')
    expect(JSON.stringify(await read('remindb://logs'))).toContain('ignored keys.max_value_bytes')
  })

  test('is shown by config with what was refused', () => {
    const { run, shown, applied, folder } = strangersFolder()
    expect(shown()).toMatchObject({
      trusted: false,
      refused: [
        { name: 'author', value: 'mallory' },
        { name: 'server.tools', value: ['files'] },
        { name: 'server.transport', value: 'http' },
        { name: 'server.logging.output_path', value: '../../.bashrc' },
      ],
    })
    expect(applied('temperature.hot_threshold')).toEqual([0.75, 'folder'])
    const { stdout, stderr } = run('config')
    expect(stdout).toContain(`\nignored author, server.tools, `)
    expect(stdout).toContain(`run: remindb trust ${folder}\n  author `)
    expect(stdout).toMatch(/\n {2}server\.transport +"http"\n/)
    expect(stderr).toBe('')
  })
})

describe('remindb trust', () => {
  test('shows what the folder asks for, and changes nothing without a yes', () => {
    const { run, env, folder, applied } = strangersFolder()
    const asked = run('trust', '.')
    expect(asked.code).toBe(1)
    expect(asked.stdout).toMatch(/ {2}server\.tools +\["files"\]\n/)
    expect(asked.stderr).toContain('add --yes')
    expect(remindbOnTerminal(['trust', '.'], { cwd: folder, env, input: 'n\n' })).toContain('not trusted')
    expect(remindbOnTerminal(['trust', '.'], { cwd: folder, env, input: '\n' })).toContain('not trusted')
    expect(applied('author')).toEqual(['cli', 'default'])
  })

  test('takes a yes at a terminal, and with --yes; untrust takes it back; both may be repeated', () => {
    const { run, env, folder, applied, shown } = strangersFolder()
    expect(remindbOnTerminal(['trust', '.'], { cwd: folder, env, input: 'y\n' })).toContain(
      'trusted: 4 settings of',
    )
    expect(applied('author')).toEqual(['mallory', 'folder'])
    expect(shown()).toMatchObject({ trusted: true, refused: [] })
    expect(run('compile', '.').stderr).toBe('')
    expect(run('trust', '.', '--yes')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('trusted already; nothing changed'),
    })
    expect(run('untrust', '.')).toMatchObject({ code: 0, stdout: `${folder}: no longer trusted\n` })
    expect(applied('author')).toEqual(['cli', 'default'])
    expect(run('untrust', '.')).toMatchObject({
      code: 0,
      stdout: `${folder}: was not trusted; nothing changed\n`,
    })
  })

  test('asks again when the settings changed, and the warning says that they did', () => {
    const { run, configure, applied } = strangersFolder({ author: 'team' })
    expect(run('trust', '.', '--yes').code).toBe(0)
    configure({ author: 'mallory' })
    expect(run('compile', '.').stderr).toContain('they changed since the folder was trusted')
    expect(applied('author')).toEqual(['cli', 'default'])
    expect(run('trust', '.').stdout).toContain('changed, and now has settings')
  })

  test('has nothing to do for a folder that asks for nothing', () => {
    const { run } = strangersFolder({ rescan: { interval: '1m' } })
    expect(run('trust', '.')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('nothing to trust'),
    })
    expect(run('trust', 'nowhere')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('there is no folder nowhere'),
    })
  })

  test('means the same folder by any path, and a folder that is gone can be untrusted', () => {
    const { root, folder, env, applied } = strangersFolder({ author: 'team' })
    symlinkSync(folder, join(root, 'link'))
    expect(remindb(['trust', '../link', '--yes'], { cwd: folder, env }).code).toBe(0)
    expect(applied('author')).toEqual(['team', 'folder'])
    rmSync(folder, { recursive: true })
    expect(remindb(['untrust', 'site'], { cwd: root, env }).stdout).toContain('no longer trusted')
  })

  test('shows hostile texts as one line that only shows', () => {
    const { run } = strangersFolder({
      author: 'x',
      files: { tools: [{ description: 'a\u001b[2J\n\u202eb' }] },
    })
    const { stdout } = run('trust', '.')
    expect(stdout).toContain('a\\u001b[2J\\n\\u{202e}b')
    for (const ruling of ['\u001b', '\u202e']) expect(stdout).not.toContain(ruling)
  })

  test('names a folder so that a shell takes it as a name', () => {
    const { run, folder } = strangersFolder({ author: 'x' }, "a'; touch b; '$(c)")
    expect(run('compile', '.').stderr).toContain(`remindb trust '${folder.replaceAll("'", `'\\''`)}'\n`)
  })

  test('refuses a damaged list with what to do', () => {
    const { run, root } = strangersFolder()
    mkdirSync(join(root, 'config', 'remindb'), { recursive: true })
    const list = join(root, 'config', 'remindb', 'trusted.json')
    writeFileSync(list, '{"folders":')
    for (const args of [
      ['compile', '.'],
      ['trust', '.', '--yes'],
      ['untrust', '.'],
    ])
      expect(run(...args)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(`${list} is not JSON; remove it and trust your folders again`),
      })
    expect(readFileSync(list, 'utf8')).toBe('{"folders":')
  })
})

describe('a hostile config.json', () => {
  test.each([
    ['{"__proto__":{"author":"x"}}', /unknown key "__proto__/],
    ['{"constructor":{"prototype":{}}}', /unknown key "constructor/],
    [`{"a":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}`, /nested deeper|unknown key/],
    [JSON.stringify({ author: 'x'.repeat(2 ** 20) }), /is too large/],
  ])('%.40s is an error by name', (text, message) => {
    const { run } = strangersFolder(text)
    const { code, stderr } = run('compile', '.')
    expect(code).toBe(1)
    expect(stderr).toMatch(message)
    expect(stderr.length).toBeLessThan(1000)
  })

  test('with the same key twice is shown and applied as one and the same', () => {
    const { run, applied, shown } = strangersFolder('{"author":"shown","author":"hidden"}')
    expect(shown().refused).toEqual([{ name: 'author', value: 'hidden' }])
    expect(run('trust', '.', '--yes').stdout).toContain('"hidden"')
    expect(applied('author')).toEqual(['hidden', 'folder'])
  })
})
