import { chmodSync, existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { beforeAll, describe, expect, test } from 'vitest'
import { shortestPath } from '../src/cli/invocation.ts'
import { openMemory } from '../src/index.ts'
import { ensureProgramIsBuilt, PROGRAM, remindb, temporaryFolder } from './support/cli.ts'

const BILLING = '# Billing\n\nRetries are capped at five.\n\n## Cards\n\nalpha\nbeta\ngamma\n'
const OPS = '# Ops\n\nTalk to Ada.\n'
const ID = '[0-9A-Za-z]{11}'

beforeAll(ensureProgramIsBuilt)

/** A folder with two notes, compiled. */
function compiledFolder() {
  const folder = temporaryFolder({ 'billing.md': BILLING, 'team/ops.md': OPS })
  const run = (...args: string[]) => remindb(args, { cwd: folder.path })
  expect(run('compile', '.')).toEqual({
    code: 0,
    stdout: 'compiled: 6 added, 0 modified, 0 removed (6 ops)\n',
    stderr: '',
  })
  return {
    ...folder,
    run,
    db: join(folder.path, '.remindb', 'memory.db'),
    [Symbol.dispose]: folder[Symbol.dispose],
  }
}

/** As `compiledFolder`, and then: one text changed, one moved under another heading, one file gone, one new. */
function editedFolder() {
  const folder = compiledFolder()
  folder.write('billing.md', BILLING.replace('beta', 'beta CHANGED'))
  rmSync(join(folder.path, 'team/ops.md'))
  folder.write('new.md', '# New\n')
  expect(folder.run('compile', '.', '-m', 'second').stdout).toBe(
    'compiled: 1 added, 1 modified, 2 removed (4 ops)\n',
  )
  return folder
}

function idOf(tree: string, label: string): string {
  return new RegExp(`${label} \\(id=(${ID})`).exec(tree)?.[1] ?? ''
}

describe('compile', () => {
  test('says what it did, and nothing the second time', () => {
    using folder = compiledFolder()
    expect(folder.run('compile', '.').stdout).toBe('compiled: 0 added, 0 modified, 0 removed (0 ops)\n')
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
    using folder = temporaryFolder({ 'ok.md': OPS, 'sub/bad.md': '---\na: [1\n---\n# Bad\n' })
    const skipped = remindb(['compile', 'sub', '--db', '.'], { cwd: folder.path })
    expect(skipped.code).toBe(0)
    expect(skipped.stdout).toBe('compiled: 0 added, 0 modified, 0 removed (0 ops)\nskipped: 1 file\n')
    expect(skipped.stderr).toMatch(/^sub\/bad\.md:2: invalid YAML: [^\n]+\n$/)
    const strict = remindb(['compile', '.', '--strict'], { cwd: folder.path })
    expect(strict.code).toBe(1)
    expect(strict.stdout).toBe('compiled: 2 added, 0 modified, 0 removed (2 ops)\nskipped: 1 file\n')
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

  test('shows at most 20 lines of the tree', () => {
    using folder = temporaryFolder({ 'a.md': `${'# Heading\n\ntext\n\n'.repeat(30)}` })
    const { stdout } = remindb(['compile', '.', '--overview'], { cwd: folder.path })
    expect(stdout.match(/\(id=/g)).toHaveLength(20)
    expect(stdout).toContain('\n… 40 more\n')
  })

  test('prints JSON', () => {
    using folder = temporaryFolder({ 'ops.md': OPS, 'bad.md': '---\na: [1\n---\n' })
    const { stdout } = remindb(['compile', '.', '--json', '--overview'], { cwd: folder.path })
    expect(JSON.parse(stdout)).toEqual({
      db_path: join(folder.path, '.remindb', 'memory.db'),
      root: folder.path,
      added: 2,
      modified: 0,
      removed: 0,
      total: 2,
      files: { seen: 2, changed: 1, removed: 0 },
      skipped: [{ path: 'bad.md', line: 2, reason: expect.stringContaining('invalid YAML') }],
      overlays: 0,
      conflicts: [],
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

describe('inspect', () => {
  test('prints the numbers', () => {
    using folder = compiledFolder()
    const { stdout } = folder.run('inspect')
    const normal = stdout
      .replace(/\([\d.]+ KB\)/, '(0.0 KB)')
      .replace(/#1, \d+s ago/, '#1, 0s ago')
      .replace(/[0-9a-f]{16}\n/, 'cursor\n')
    expect(normal).toBe(`=== Database: ${folder.db} (0.0 KB) ===
Nodes:                6 (${JSON.parse(folder.run('inspect', '--json').stdout).nodes.tokens} tokens)
    ├─ heading:       3
    └─ text:          3
Snapshots:            1
    ├─ latest:        #1, 0s ago, "compile:."
    └─ cursor:        cursor
Temperature:
    ├─ avg:           0.50
    ├─ median:        0.50
    ├─ hot (≥0.5):    6
    ├─ cold (<0.1):   0
    └─ pinned:        0
Relations:            0
FTS rows:             6
`)
  })

  test('prints the tree, one line a node, the file where it changes', () => {
    using folder = compiledFolder()
    const { stdout } = folder.run('inspect', '--tree')
    expect(stdout.replaceAll(/id=\w{11}/g, 'id=ID').replaceAll(/tok=\d+/g, 'tok=N')).toBe(
      `[heading] Billing (id=ID file=billing.md temp=0.50 tok=N)
  [text] Retries are capped at five. (id=ID temp=0.50 tok=N)
  [heading] Cards (id=ID temp=0.50 tok=N)
    [text] alpha beta gamma (id=ID temp=0.50 tok=N)
[heading] Ops (id=ID file=team/ops.md temp=0.50 tok=N)
  [text] Talk to Ada. (id=ID temp=0.50 tok=N)
`,
    )
  })

  test('cuts the tree at --depth and says so', () => {
    using folder = compiledFolder()
    const { stdout } = folder.run('inspect', '--tree', '--depth', '1')
    expect(stdout.match(/\(id=/g)).toHaveLength(5)
    expect(stdout).toMatch(/\n… 1 node below depth 1; --depth 0 shows all\n$/)
    expect(folder.run('inspect', '--tree', '--depth', '0').stdout).toBe(
      folder.run('inspect', '--tree').stdout,
    )
  })

  test('prints the files by folder', async () => {
    using folder = compiledFolder()
    await using memory = await openMemory({ db: folder.db })
    await memory.write({ payload: 'Remember the milk.' })
    expect(folder.run('inspect', '--files').stdout).toMatch(
      new RegExp(`^${folder.path}
├─ team/
│  └─ ops.md \\(2 nodes, 4 tok\\)
└─ billing.md \\(4 nodes, \\d+ tok\\)

\\(ungrouped\\)
└─ \\S+ \\(1 node, 5 tok\\)
$`),
    )
  })

  test('says that an empty memory is empty', () => {
    using folder = temporaryFolder()
    const run = (...args: string[]) => remindb(args, { cwd: folder.path }).stdout
    run('compile', '.')
    expect(run('inspect', '--tree')).toBe('No nodes in database.\n')
    expect(run('inspect', '--files')).toBe('No files in database.\n')
    expect(run('inspect', '--tree', '--json')).toBe('{\n  "roots": []\n}\n')
    expect(run('inspect')).toMatch(/\nNodes: {16}0 \(0 tokens\)\nSnapshots: {12}0\nTemperature:\n/)
  })

  test('prints as JSON what the library gives', async () => {
    using folder = compiledFolder()
    await using memory = await openMemory({ db: folder.db, create: false })
    const pretty = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`
    expect(folder.run('inspect', '--tree', '--json').stdout).toBe(pretty(await memory.tree()))
    expect(folder.run('inspect', '--tree', '--json', '--depth', '1').stdout).toBe(
      pretty(await memory.tree({ depth: 1 })),
    )
    expect(folder.run('inspect', '--files', '--json').stdout).toBe(pretty(await memory.files()))
    const overview = await memory.overview()
    const printed = folder.run('inspect', '--json').stdout
    overview.snapshots.latest_age_s = JSON.parse(printed).snapshots.latest_age_s
    expect(printed).toBe(pretty(overview))
    expect(folder.run('doctor', '--json').stdout).toBe(pretty(await memory.doctor()))
  })

  test('does not warm or change what it shows', () => {
    using folder = compiledFolder()
    const before = folder.run('inspect', '--tree', '--json').stdout
    folder.run('inspect')
    folder.run('delta')
    expect(folder.run('inspect', '--tree', '--json').stdout).toBe(before)
    expect(folder.run('delta', '1').stdout).toBe('no changes\n')
  })
})

describe('delta, diff and history', () => {
  test('delta lists what happened after a snapshot', () => {
    using folder = editedFolder()
    const { stdout } = folder.run('delta', '1')
    expect(stdout.replaceAll(new RegExp(ID, 'g'), 'ID').split('\n').sort()).toEqual([
      '',
      '[add] ID (snapshot 2) New',
      '[mod] ID (snapshot 2) alpha beta CHANGED gamma',
      '[rem] ID (snapshot 2) Ops',
      '[rem] ID (snapshot 2) Talk to Ada.',
    ])
    expect(folder.run('delta').stdout.split('\n').filter(Boolean)).toHaveLength(10)
  })

  test('delta goes on where it stopped, with the command it prints and in JSON', () => {
    using folder = editedFolder()
    const first = folder.run('delta', '1', '--limit', '3').stdout.trimEnd().split('\n')
    expect(first).toHaveLength(4)
    const [, more = ''] = /^… more: \S+ (delta .*)$/.exec(first[3] ?? '') ?? []
    expect(folder.run(...more.split(' ')).stdout.split('\n')).toHaveLength(2)
    const page = JSON.parse(folder.run('delta', '1', '--limit', '3', '--json').stdout)
    expect(page).toMatchObject({ since: 1, next: expect.stringMatching(/^2\.\d+$/) })
    expect(Object.keys(page.changes[0])).toEqual(['snapshot_id', 'op', 'node_id', 'label'])
    const rest = JSON.parse(folder.run('delta', '1', '--json', '--after', page.next).stdout)
    expect([page.changes.length, rest.changes.length, rest.next]).toEqual([3, 1, null])
  })

  test('diff shows unified hunks', () => {
    using folder = editedFolder()
    const tree = folder.run('inspect', '--tree').stdout
    const { stdout } = folder.run('diff', '1', '2')
    const blocks = stdout.trimEnd().split('\n\n')
    expect(blocks).toHaveLength(4)
    expect(blocks).toContain(
      `[mod] ${idOf(tree, 'alpha beta CHANGED gamma')}\n@@ -1,3 +1,3 @@\n alpha\n-beta\n+beta CHANGED\n gamma`,
    )
    expect(blocks).toContain(`[add] ${idOf(tree, 'New')}\n@@ -0,0 +1 @@\n+New`)
    expect(stdout).toMatch(/\[rem\] \w+\n@@ -1 \+0,0 @@\n-Talk to Ada\.\n/)
    expect(folder.run('diff', '2', '2').stdout).toBe('no changes\n')
  })

  test('diff shows a move as a move', () => {
    using folder = compiledFolder()
    folder.write('billing.md', '# Billing\n\n## Cards\n\nalpha\nbeta\ngamma\n\nRetries are capped at five.\n')
    folder.run('compile', '.')
    const tree = folder.run('inspect', '--tree').stdout
    const [node, from, to] = ['Retries are capped at five.', 'Billing', 'Cards'].map((label) =>
      idOf(tree, label),
    )
    expect(folder.run('diff', '1', '2').stdout).toBe(`[mod] ${node}\nmoved: under ${from} → under ${to}\n`)
    expect(folder.run('history', node ?? '', '--limit', '1').stdout).toMatch(
      new RegExp(`^snapshot 2: mod\n  moved: under ${from} → under ${to}\n  old: Retries`),
    )
  })

  test('diff prints JSON in pages', () => {
    using folder = editedFolder()
    const page = JSON.parse(folder.run('diff', '1', '2', '--json', '--limit', '1').stdout)
    expect(page).toMatchObject({ from: 1, to: 2, next: expect.stringMatching(/^\d+$/) })
    expect(page.changes).toEqual([
      {
        op: 'mod',
        node_id: expect.stringMatching(ID),
        old: {
          parent_id: expect.any(String),
          type: 'text',
          format: 'plain',
          label: 'alpha beta gamma',
          text: 'alpha\nbeta\ngamma',
        },
        new: expect.objectContaining({ text: 'alpha\nbeta CHANGED\ngamma' }),
      },
    ])
    const rest = JSON.parse(folder.run('diff', '1', '2', '--json', '--after', page.next).stdout)
    expect([rest.changes.length, rest.next]).toEqual([3, null])
  })

  test('history shows the newest first, in pages, and what is gone', () => {
    using folder = editedFolder()
    const delta = folder.run('delta', '1').stdout
    const [, id = ''] = new RegExp(`\\[mod\\] (${ID})`).exec(delta) ?? []
    expect(folder.run('history', id).stdout).toBe(
      'snapshot 2: mod\n  old: alpha\\nbeta\\ngamma\n  new: alpha\\nbeta CHANGED\\ngamma\nsnapshot 1: add\n  new: alpha\\nbeta\\ngamma\n',
    )
    expect(folder.run('history', id, '--limit', '1').stdout).toMatch(
      /… older: \S+ history \w{11} --limit 1 --after 2\n$/,
    )
    const page = JSON.parse(folder.run('history', id, '--after', '2', '--json').stdout)
    expect(page).toMatchObject({
      node_id: id,
      versions: [{ snapshot_id: 1, op: 'add', old: null }],
      next: null,
    })
    const [, gone = ''] = new RegExp(`\\[rem\\] (${ID}).*Ada`).exec(delta) ?? []
    expect(folder.run('history', gone).stdout).toMatch(
      /^snapshot 2: rem\n {2}old: Talk to Ada\.\nsnapshot 1: add\n/,
    )
    expect(folder.run('history', 'nobody').stdout).toBe('no history for nobody\n')
  })

  test('history without a node lists the snapshots, newest first, in pages', () => {
    using folder = compiledFolder()
    folder.write('team/ops.md', OPS.replace('Ada', 'Lin'))
    folder.run('compile', '.', '-m', 'new hands', '--author', 'lin')
    const [newest, oldest, ...rest] = folder.run('history').stdout.trimEnd().split('\n')
    expect(newest).toMatch(/^#2 \d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ compile by lin: new hands$/)
    expect(oldest).toMatch(/^#1 .*Z compile by cli: compile:/)
    expect(rest).toEqual([])
    const page = JSON.parse(folder.run('history', '--limit', '1', '--json').stdout)
    expect(page.snapshots.map(({ id }: { id: number }) => id)).toEqual([2])
    const next = JSON.parse(folder.run('history', '--after', page.next, '--json').stdout)
    expect(next).toMatchObject({
      snapshots: [{ id: 1, parent_id: null, compile_root: folder.path }],
      next: null,
    })
  })

  test('history cuts long texts', () => {
    using folder = temporaryFolder({ 'a.md': `${'ä'.repeat(60)}\n` })
    remindb(['compile', '.'], { cwd: folder.path })
    const [id = ''] = new RegExp(ID).exec(remindb(['delta'], { cwd: folder.path }).stdout) ?? []
    expect(remindb(['history', id], { cwd: folder.path }).stdout).toBe(
      `snapshot 1: add\n  new: ${'ä'.repeat(50)}...\n`,
    )
  })
})

describe('rollback', () => {
  test('goes back, and says when there is nothing to do', () => {
    using folder = editedFolder()
    expect(folder.run('rollback', '1').stdout).toBe(
      'rolled back to snapshot 1 (new snapshot 3, 4 nodes affected)\n',
    )
    expect(folder.run('inspect', '--tree').stdout).toContain('Talk to Ada.')
    expect(folder.run('rollback', '3').stdout).toBe('already at snapshot 3; nothing to do\n')
    expect(folder.run('rollback', '1').stdout).toBe(
      'no rollback applied; computed state matches HEAD for snapshot 1\n',
    )
  })

  test('drops what came after', () => {
    using folder = editedFolder()
    expect(folder.run('rollback', '1', '--drop-after').stdout).toBe(
      'rolled back to snapshot 1 (new snapshot 3, 4 nodes affected); pruned 1 intermediate snapshot(s)\n',
    )
    expect(folder.run('diff', '1', '2')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('snapshot 2 not found'),
    })
  })

  test('prints JSON', () => {
    using folder = editedFolder()
    const roll = (id: string) => JSON.parse(folder.run('rollback', id, '--json').stdout)
    expect(roll('1')).toEqual({ status: 'rolled-back', target: 1, affected: 4, pruned: 0, snapshot_id: 3 })
    expect(roll('3')).toEqual({ status: 'at-target', target: 3, affected: 0, pruned: 0, snapshot_id: null })
  })

  test('refuses a snapshot that is not there', () => {
    using folder = compiledFolder()
    expect(folder.run('rollback', '9')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'remindb: snapshot 9 is ahead of HEAD 1\n',
    })
  })
})

describe('doctor', () => {
  const damage = (db: string): void => {
    const handle = new Sqlite(db)
    handle.pragma('foreign_keys = OFF')
    handle.exec('UPDATE spaces SET head_id = 99')
    handle.close()
  }

  test('finds a healthy database healthy', () => {
    using folder = compiledFolder()
    const { code, stdout, stderr } = folder.run('doctor')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^✓ Database is healthy\n\n✓ fts5_sync {12}FTS5 index in sync with 6 nodes\n/)
    expect(folder.run('doctor', '--fix').stdout).toBe(stdout)
    expect(readdirSync(join(folder.path, '.remindb')).filter((name) => name.includes('.bak.'))).toEqual([])
  })

  test('warns of a root that is gone, without failing', () => {
    using folder = temporaryFolder({ 'notes/a.md': OPS, 'state/keep.txt': '' })
    remindb(['compile', 'notes', '--db', 'state/x.db'], { cwd: folder.path })
    renameSync(join(folder.path, 'notes'), join(folder.path, 'moved'))
    const { code, stdout } = remindb(['doctor', '--db', 'state/x.db'], { cwd: folder.path })
    expect(code).toBe(0)
    expect(stdout).toMatch(/^⚠ Database has warnings\n\n/)
    expect(stdout).toMatch(/\n⚠ stale_compile_root {3}1\/1 compile roots no longer exist: \[/)
  })

  test('fails on a damaged one, repairs it after a backup, and is content', () => {
    using folder = compiledFolder()
    damage(folder.db)
    const broken = folder.run('doctor')
    expect(broken.code).toBe(1)
    expect(broken.stdout).toMatch(/^✗ Database is unhealthy\n\n/)
    expect(broken.stdout).toContain('\n✗ head_cursor          HEAD points at missing snapshot 99\n')
    const fixed = folder.run('doctor', '--fix')
    expect(fixed.code).toBe(0)
    expect(fixed.stdout).toMatch(/\n✓ head_cursor {10}HEAD → snapshot 1 {2}\(fixed\)\n/)
    const [, backup = ''] = /^doctor: backup written to (.*)\n$/.exec(fixed.stderr) ?? []
    expect(existsSync(backup)).toBe(true)
    expect(folder.run('doctor').code).toBe(0)
  })

  test('prints what it repaired as JSON', () => {
    using folder = compiledFolder()
    damage(folder.db)
    const { code, stdout } = folder.run('doctor', '--json')
    expect([code, JSON.parse(stdout).status]).toEqual([1, 'fail'])
    const { status, checks } = JSON.parse(folder.run('doctor', '--fix', '--json').stdout)
    expect(status).toBe('pass')
    expect(checks).toContainEqual({
      name: 'head_cursor',
      status: 'pass',
      detail: 'HEAD → snapshot 1',
      fix_applied: true,
    })
  })
})

describe('backup', () => {
  test('writes a copy beside the database, to a file, and into a folder', () => {
    using folder = compiledFolder()
    folder.write('safe/keep.txt', '')
    const written = (...args: string[]) =>
      /^backup written to (.*) \([\d.]+ KB\)\n$/.exec(folder.run('backup', ...args).stdout)?.[1] ?? ''
    const targets = [written(), written('copy.db'), written('safe')]
    expect(targets[0]).toMatch(/\.remindb\/memory\.db\.bak\.\d{4}-\d\d-\d\dT[\d-]+\.\d{3}Z$/)
    expect(targets[1]).toBe(join(folder.path, 'copy.db'))
    expect(targets[2]).toMatch(/\/safe\/memory\.db\.bak\./)
    for (const target of targets)
      expect(folder.run('inspect', '--tree', '--db', target).stdout).toBe(
        folder.run('inspect', '--tree').stdout,
      )
    const { file, bytes } = JSON.parse(folder.run('backup', 'json.db', '--json').stdout)
    expect([file, bytes > 0]).toEqual([join(folder.path, 'json.db'), true])
  })

  test('never writes over a file, and names a folder that is missing', () => {
    using folder = compiledFolder()
    expect(folder.run('backup', 'billing.md')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('already'),
    })
    expect(folder.run('backup', 'no/x.db').stderr).toBe(
      `remindb: there is no folder ${join(folder.path, 'no')}; create it first\n`,
    )
  })
})

describe('a database', () => {
  test('that nobody may write to says so', () => {
    using folder = compiledFolder()
    const all = [folder.path, join(folder.path, '.remindb')]
    for (const path of readdirSync(join(folder.path, '.remindb')))
      chmodSync(join(folder.path, '.remindb', path), 0o444)
    for (const path of all) chmodSync(path, 0o555)
    const run = (...args: string[]) => remindb(args, { cwd: folder.path, isUnprivileged: true })
    const refused = run('rollback', '1', '--drop-after')
    chmodSync(folder.path, 0o755)
    folder.write('new.md', OPS)
    chmodSync(folder.path, 0o555)
    const compile = run('compile', '.')
    for (const path of all) chmodSync(path, 0o755)
    for (const { code, stderr } of [refused, compile]) {
      expect(code).toBe(1)
      expect(stderr).toMatch(
        new RegExp(`^remindb: ${folder.db}: the database or its folder cannot be written to; [^\n]+\n$`),
      )
    }
  })

  test('cannot be made where nobody may write', () => {
    using folder = temporaryFolder({ 'a.md': OPS })
    chmodSync(folder.path, 0o555)
    const { code, stderr } = remindb(['compile', '.'], { cwd: folder.path, isUnprivileged: true })
    chmodSync(folder.path, 0o755)
    expect(code).toBe(1)
    expect(stderr).toBe(`remindb: ${join(folder.path, '.remindb')}: permission denied (EACCES)\n`)
  })

  test('that cannot be used is told in JSON where JSON was asked for', () => {
    using folder = temporaryFolder({ 'a.db': 'not a database' })
    const { code, stdout, stderr } = remindb(['inspect', '--json', '--db', 'a.db'], { cwd: folder.path })
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toEqual({
      error: { code: 'NOT_A_DATABASE', message: expect.stringContaining('not a remindb database') },
    })
    expect(stderr).toMatch(/^remindb: .*not a remindb database/)
  })

  test('that is something else is left alone', () => {
    using folder = temporaryFolder({ 'notes.txt': 'hello, this is not a database at all' })
    for (const command of ['inspect', 'doctor', 'delta']) {
      const { code, stderr } = remindb([command, '--db', 'notes.txt'], { cwd: folder.path })
      expect(code).toBe(1)
      expect(stderr).toBe(
        `remindb: ${join(folder.path, 'notes.txt')}: the file is not a remindb database; it was not changed. Check --db\n`,
      )
    }
  })
})
