import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { shortestPath } from '../src/cli/base/invocation.ts'
import { estimateTokens } from '../src/core/tokens.ts'
import { openMemory } from '../src/index.ts'
import { ensureProgramIsBuilt, PROGRAM, remindb, temporaryFolder } from './support/cli.ts'
import { compiledFolder, ID, idOf, OPS } from './support/cli-folders.ts'
import { secretOf } from './support/secrets.ts'

beforeAll(ensureProgramIsBuilt)

describe('compile', () => {
  test('says what it did, and nothing the second time', () => {
    using folder = compiledFolder()
    expect(folder.run('compile', '.').stdout).toBe('compiled: 0 added, 0 modified, 0 removed (0 ops)\n')
  })

  test('shows the map that tree prints after it filled a memory with more than a short outline', () => {
    const notes = Array.from({ length: 60 }, (_, at) => [`notes/${at}.md`, `# Note ${at}\n\n${OPS}`])
    using folder = temporaryFolder(Object.fromEntries(notes))
    const run = (...args: string[]) => remindb(args, { cwd: folder.path }).stdout
    const first = run('compile', '.')
    const [head] = run('tree').split('\n')
    expect(head).toMatch(/^map: 60 documents/)
    expect(first).toContain(`\n${head}\n  0.md (id=`)
    folder.write('notes/61.md', OPS)
    expect(run('compile', '.')).not.toContain('map:')
  })

  test('keeps a folder in the folder, a file in the nearest memory above it', () => {
    using folder = temporaryFolder({ 'a/deep/x.md': OPS, 'b/y.md': OPS })
    const run = (...args: string[]) => remindb(args, { cwd: folder.path }).code
    expect(run('compile', 'a')).toBe(0)
    expect(run('compile', 'a/deep/x.md')).toBe(0)
    expect(run('compile', 'b/y.md')).toBe(0)
    const found = readdirSync(folder.path, { recursive: true, encoding: 'utf8' })
    expect(found.filter((path) => path.endsWith('memory.db')).sort()).toEqual([
      'a/.remindb/memory.db',
      'b/.remindb/memory.db',
    ])
  })

  test('records the message and the author', async () => {
    using folder = compiledFolder()
    folder.write('new.md', OPS)
    folder.run('compile', 'new.md', '--message', 'for spring', '--author', 'ada')
    await using memory = await openMemory({ db: folder.db, create: false })
    const [head] = await memory.snapshots({ limit: 1 })
    expect(head).toMatchObject({ message: 'for spring', author: 'ada', operation: 'compile' })
  })

  test('splits longer blocks at --max-node-tokens', () => {
    using folder = temporaryFolder({ 'long.md': 'One sentence of some length. '.repeat(60) })
    const { stdout } = remindb(['compile', '.', '--max-node-tokens', '50', '--json'], { cwd: folder.path })
    expect(JSON.parse(stdout).added).toBeGreaterThan(5)
  })

  test('names what it skips on stderr, counts it, and fails only when --strict', () => {
    using folder = temporaryFolder({ 'ok.md': OPS, 'sub/bad.yaml': 'a:\n  - [1\n' })
    const skipped = remindb(['compile', 'sub', '--db', '.'], { cwd: folder.path })
    expect(skipped.code).toBe(0)
    expect(skipped.stdout).toBe(
      'compiled: 0 added, 0 modified, 0 removed (0 ops)\nskipped: 1 file that could not be read\n',
    )
    expect(skipped.stderr).toMatch(/^sub\/bad\.yaml:\d: invalid YAML: [^\n]+\n$/)
    const strict = remindb(['compile', '.', '--strict'], { cwd: folder.path })
    expect(strict.code).toBe(1)
    expect(strict.stdout).toBe(
      'compiled: 2 added, 0 modified, 0 removed (2 ops)\nskipped: 1 file that could not be read\n',
    )
    expect(strict.stderr).toMatch(/\nremindb: 1 file skipped, and --strict is on\n$/)
  })

  test('says that the file won over an edit, and how to see what was there', async () => {
    using folder = compiledFolder()
    const id = idOf(folder.run('inspect', '--tree').stdout, 'Talk to Ada.')
    await using memory = await openMemory({ db: folder.db })
    await memory.write({ anchor: id, payload: 'Talk to Grace.' })
    folder.write('team/ops.md', OPS.replace('Ada', 'Lin'))
    const { stdout } = folder.run('compile', '.')
    const command = `${process.platform === 'win32' ? 'node ' : ''}${shortestPath(folder.path, PROGRAM)} history ${id}`
    expect(stdout.split('\n')[1]).toBe(
      `conflict: team/ops.md: the file changed under your write of node ${id}: the file won; \`${command}\` shows what it was`,
    )
  })

  test('shows with --overview what is there and commands that work from here', () => {
    using folder = temporaryFolder({ 'team/ops.md': OPS })
    const { stdout } = remindb(['compile', 'team', '--overview'], { cwd: folder.path })
    const [first, , summary, types, , root, child, , title, ...commands] = stdout.trimEnd().split('\n')
    expect(first).toBe('compiled: 2 added, 0 modified, 0 removed (2 ops)')
    expect(summary).toBe('1 file, 2 nodes, 4 tokens')
    expect(types).toBe('  1 heading, 1 text')
    expect(root).toMatch(new RegExp(`^\\[heading\\] Ops \\(id=${ID} file=ops.md temp=0.50 tok=1\\)$`))
    expect(child).toMatch(/^ {2}\[text\] Talk to Ada\. /)
    expect(title).toBe('Next:')
    expect(commands.length).toBeGreaterThan(2)
    for (const line of commands) {
      const [program, ...args] = line
        .replace(/ +# .*/, '')
        .trim()
        .split(' ')
      expect(program).toBe(shortestPath(folder.path, PROGRAM))
      expect(args.slice(-2)).toEqual(['--db', 'team'])
      expect(remindb(args, { cwd: folder.path }).code).toBe(0)
    }
  })

  test('says how many nodes are kept as they were edited', async () => {
    using folder = compiledFolder()
    const id = idOf(folder.run('inspect', '--tree').stdout, 'Talk to Ada.')
    await using memory = await openMemory({ db: folder.db })
    await memory.write({ anchor: id, payload: 'Talk to Grace.' })
    expect(folder.run('compile', '.').stdout).toContain(
      '\nkept: 1 node as edited, forgotten or rolled back, not as in the file\n',
    )
  })

  test('goes into the memory of a folder above', () => {
    using folder = compiledFolder()
    const { stdout } = remindb(['compile', 'team'], { cwd: folder.path })
    expect(stdout).toBe('compiled: 0 added, 0 modified, 0 removed (0 ops)\n')
    expect(existsSync(join(folder.path, 'team', '.remindb'))).toBe(false)
  })

  test('warns of a database in a folder that a service syncs, and names the remedy', () => {
    using folder = temporaryFolder({ 'Dropbox/notes/a.md': '# A\n' })
    const { code, stderr } = remindb(['compile', 'Dropbox/notes'], { cwd: folder.path })
    expect(code).toBe(0)
    expect(stderr).toMatch(/^remindb: the database is in a folder that Dropbox syncs, .* --db/)
    const elsewhere = remindb(['compile', 'Dropbox/notes', '--db', 'memory.db'], { cwd: folder.path })
    expect(elsewhere).toMatchObject({ code: 0, stderr: '' })
  })

  test('shows with --overview the same map as tree', () => {
    const note = `${'# Heading\n\ntext\n\n'.repeat(9)}`
    using folder = temporaryFolder({ 'a.md': note, 'b/c.md': note, 'b/d.md': note })
    const { stdout } = remindb(['compile', '.', '--overview'], { cwd: folder.path })
    const tree = remindb(['tree'], { cwd: folder.path }).stdout
    expect(tree).toMatch(/^map: 3 documents, 54 nodes, [\d.k]+ tokens\n {2}b\/ \(2 documents, 36 nodes, /)
    expect(tree).toMatch(
      /\nopen more: \S+ tree --depth 0 lists every document; with an id instead, tree opens one\n$/,
    )
    expect(stdout).toContain(`\n${tree}`)
    expect(estimateTokens(tree)).toBeLessThanOrEqual(500)
  })

  test('gives nodes the heat of their file again with --reseed-temperatures', () => {
    using folder = compiledFolder()
    folder.write('.remindb/temperatures.json', '{ "*": 0.25, "team": 0.25 }')
    const { stdout } = folder.run('compile', '.', '--reseed-temperatures')
    expect(stdout).toMatch(/^compiled: 0 added, 0 modified, 0 removed \(0 ops\)\nreseeded: \d+ nodes\n$/)
    expect(folder.run('inspect').stdout).toMatch(/median: +0\.25/)
    folder.write('.remindb/temperatures.json', '{ "a": 7 }')
    expect(folder.run('compile', '.').stderr).toBe(
      'remindb: invalid .remindb/temperatures.json: temperature for "a" out of range [0, 1]: 7\n',
    )
  })

  test('says which secrets it took out, also as JSON', () => {
    const secrets = [secretOf('github_pat'), secretOf('github_pat'), secretOf('jwt')]
    using folder = temporaryFolder({ 'a.md': secrets.join('\n\n') })
    expect(remindb(['compile', '.'], { cwd: folder.path }).stdout).toBe(
      'compiled: 3 added, 0 modified, 0 removed (3 ops)\nredacted: 3 secrets (2 github_pat, 1 jwt)\n',
    )
    folder.write('a.md', `Now ${secrets[0]}`)
    const { stdout } = remindb(['compile', '.', '--json'], { cwd: folder.path })
    expect(JSON.parse(stdout).redactions).toEqual({ github_pat: 1 })
  })

  test('looks for secrets as the settings say, and refuses what they cannot mean', () => {
    using folder = temporaryFolder({ 'a.md': `Ticket-1234 ${secretOf('jwt')}` })
    const run = (env: Record<string, string>) => remindb(['compile', '.'], { cwd: folder.path, env })
    const refused = run({ REMINDB_REDACTION_DISABLE_BUILTIN_KINDS: 'jwtt' })
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain('unknown built-in redaction kind "jwtt"; known are aws_access_key, ')
    const custom = JSON.stringify([{ kind: 'ticket', pattern: 'Ticket-[0-9]+' }])
    const env = { REMINDB_REDACTION_DISABLE_BUILTIN_KINDS: 'jwt', REMINDB_REDACTION_CUSTOM: custom }
    expect(run(env).stdout).toContain('\nredacted: 1 secret (1 ticket)\n')
  })

  test('prints JSON', () => {
    using folder = temporaryFolder({ 'ops.md': OPS, 'bad.yaml': 'a: [1\n', 'x.png': '' })
    const { stdout } = remindb(['compile', '.', '--json', '--overview'], { cwd: folder.path })
    expect(JSON.parse(stdout)).toEqual({
      db_path: join(folder.path, '.remindb', 'memory.db'),
      root: folder.path,
      added: 2,
      modified: 0,
      removed: 0,
      total: 2,
      files: { seen: 2, changed: 1, removed: 0 },
      skipped: [
        { path: 'bad.yaml', line: expect.any(Number), reason: expect.stringContaining('invalid YAML') },
      ],
      warnings: [],
      unread: { png: 1 },
      overlays: 0,
      reseeded: 0,
      conflicts: [],
      redactions: {},
      snapshot_id: 1,
      cursor_hash: expect.stringMatching(/^[0-9a-f]{16}$/),
      overview: expect.objectContaining({ fts_rows: 2 }),
    })
  })

  test('says when there is nothing to compile', () => {
    using folder = temporaryFolder({ 'photo.png': '' })
    const { code, stderr } = remindb(['compile', '.'], { cwd: folder.path })
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'remindb: there is no file in . that can be compiled\n',
    })
    const named = remindb(['compile', 'photo.png'], { cwd: folder.path })
    expect(named.code).toBe(1)
    expect(named.stderr).toBe('remindb: photo.png is not of a kind that can be compiled\n')
  })

  test('creates nothing when the path is wrong', () => {
    using folder = temporaryFolder()
    const { code, stderr } = remindb(['compile', 'nope', '--db', 'x.db'], { cwd: folder.path })
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'remindb: there is no file or folder nope\n' })
    expect(readdirSync(folder.path)).toEqual([])
  })
})
