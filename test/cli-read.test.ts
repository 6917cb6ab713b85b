import { beforeAll, describe, expect, test } from 'vitest'
import { openMemory } from '../src/index.ts'
import { ensureProgramIsBuilt, remindb, temporaryFolder } from './support/cli.ts'
import { compiledFolder, editedFolder, ID, idOf, OPS } from './support/cli-folders.ts'

beforeAll(ensureProgramIsBuilt)

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
    ├─ hot (≥0.6):    0
    ├─ cold (<0.1):   0
    └─ pinned:        0
Relations:            0
FTS rows:             6
History:              6 versions
    └─ texts:         0 B that only history holds
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
    expect(folder.run('inspect', '--tree', '--json').stdout).toBe(pretty(await memory.forest()))
    expect(folder.run('inspect', '--tree', '--json', '--depth', '1').stdout).toBe(
      pretty(await memory.forest({ depth: 1 })),
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
    expect(page).toMatchObject({ since: 1, next: expect.stringMatching(/^2:\d+$/) })
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
      `[mod] ${idOf(tree, 'alpha beta CHANGED gamma')} billing.md › Cards: alpha beta CHANGED gamma\n@@ -1,3 +1,3 @@\n alpha\n-beta\n+beta CHANGED\n gamma`,
    )
    expect(blocks).toContain(`[add] ${idOf(tree, 'New')} new.md: New\n@@ -0,0 +1 @@\n+New`)
    expect(stdout).toMatch(/\[rem\] \w+ team\/ops\.md › Ops: Talk to Ada\.\n@@ -1 \+0,0 @@\n-Talk to Ada\.\n/)
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
    expect(folder.run('diff', '1', '2').stdout).toBe(
      `[mod] ${node} billing.md › Cards: Retries are capped at five.\nmoved: under ${from} → under ${to}\n`,
    )
    expect(folder.run('history', node ?? '', '--limit', '1').stdout).toMatch(
      new RegExp(
        `^${node} billing\\.md › Cards: Retries are capped at five\\.\nsnapshot 2: mod\n  moved: under ${from} → under ${to}\n  old: Retries`,
      ),
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
        file: 'billing.md',
        heading: 'Cards',
        old: {
          parent_id: expect.any(String),
          type: 'text',
          format: 'plain',
          label: 'alpha beta gamma',
          text: 'alpha\nbeta\ngamma',
          links: [],
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
      `${id} billing.md › Cards: alpha beta CHANGED gamma\n` +
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
      /^\w{11} team\/ops\.md › Ops: Talk to Ada\.\nsnapshot 2: rem\n {2}old: Talk to Ada\.\nsnapshot 1: add\n/,
    )
    expect(folder.run('history', gone, '--after', '1').stdout).toBe(`no older versions of ${gone}\n`)
  })

  test.each([[[]], [['--json']], [['--after', '1']]])('history of an unknown id fails (%j)', (flags) => {
    using folder = compiledFolder()
    const { code, stdout, stderr } = folder.run('history', 'nobody', ...flags)
    expect(code).toBe(1)
    expect(stdout + stderr).toContain('no node nobody; search, tree and delta show ids')
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
    expect(remindb(['history', id], { cwd: folder.path }).stdout).toMatch(
      new RegExp(`^${id} a\\.md: ä+.*\nsnapshot 1: add\n  new: ${'ä'.repeat(50)}\\.\\.\\.\n$`),
    )
  })
})
