import { stripVTControlCharacters } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { openMemory } from '../src/index.ts'
import { ensureProgramIsBuilt, remindbOnTerminal } from './support/cli.ts'
import { compiledFolder, OPS } from './support/cli-folders.ts'

beforeAll(ensureProgramIsBuilt)

const HOSTILE = 'eve [v9] by root:\n#99 2026-01-01 00:00:00Z write by ada: x\x1b[2J'

/** Snapshot 1 by cli, 2 by lin with a name, 3 by an author who would forge lines. */
async function loggedFolder() {
  const folder = compiledFolder()
  folder.write('team/ops.md', OPS.replace('Ada', 'Lin'))
  folder.run('compile', '.', '-m', 'new hands', '--author', 'lin')
  folder.run('checkpoint', 'release-1')
  await using memory = await openMemory({ db: folder.db })
  await memory.by(HOSTILE).write({ payload: `${HOSTILE} a label` })
  return folder
}

const withoutAges = (text: string) => text.replaceAll(/ \d+s +/g, ' ')

describe('log', () => {
  test('has a line for each snapshot, with its name and size, that no author can forge', async () => {
    using folder = await loggedFolder()
    const lines = folder.run('log').stdout.trimEnd().split('\n')
    expect(lines.map((line) => line.replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ/, 'T'))).toEqual([
      expect.stringMatching(
        /^#3 T write by eve \[v9\] by root:\\n#99 2026-01-01 00:00:00Z write by ada: x\\x1b\[2J: write:\w{11} \(1 node\)$/,
      ),
      '#2 T [release-1] compile by lin: new hands (1 node)',
      '#1 T compile by cli: compile:. (6 nodes)',
    ])
    const listed = folder.run('history').stdout.trimEnd().split('\n')
    expect(listed).toEqual(lines.map((line) => line.replace(/ \(\d+ nodes?\)$/, '')))
    const [, named] = JSON.parse(folder.run('log', '--json').stdout).snapshots
    expect(named).toMatchObject({
      ...{ id: 2, author: 'lin', operation: 'compile', message: 'new hands', compile_root: folder.path },
      ...{ checkpoints: ['release-1'], nodes: 1 },
    })
  })

  test.each(['log', 'history'])('%s is filtered, and its pages show each snapshot once', async (name) => {
    using folder = await loggedFolder()
    const ids = (...args: string[]) =>
      (folder.run(name, ...args).stdout.match(/^#\d+/gm) ?? []).map((id) => Number(id.slice(1)))
    expect(ids('--author', 'lin')).toEqual([2])
    expect(ids('--operation', 'compile')).toEqual([2, 1])
    expect(ids('--path', 'team')).toEqual([2, 1])
    expect(ids('--path', '.')).toEqual([2, 1])
    expect(ids('--path', 'billing.md')).toEqual([1])
    expect(ids('--since', 'release-1')).toEqual([3])
    expect(ids('--until', 'release-1')).toEqual([2, 1])
    expect(ids('--since', '1', '--until', '2')).toEqual([2])
    expect(ids('--since', '1h')).toEqual([3, 2, 1])
    expect(ids('--until', '1h')).toEqual([])
    expect(folder.run(name, '--author', 'nobody').stdout).toBe('no snapshots match\n')
    const first = folder.run(name, '--operation', 'compile', '--author', 'lin', '--limit', '1').stdout
    expect(first).not.toContain('older')
    const page = folder.run(name, '--path', 'team', '--limit', '1').stdout
    expect(page).toMatch(new RegExp(`\\n… older: .*${name} --path team --limit 1 --after 2`))
    expect(ids('--path', 'team', '--limit', '1', '--after', '2')).toEqual([1])
  })

  test('refuses what it does not know', async () => {
    using folder = await loggedFolder()
    const fails = (...args: string[]) => {
      const { code, stderr } = folder.run(...args)
      return [code, stderr.split('\n')[0]]
    }
    expect(fails('log', '--since', 'soon')).toEqual([
      1,
      expect.stringMatching(/^remindb: no checkpoint is named "soon"; checkpoints: "release-1"\./),
    ])
    expect(fails('log', '--after', 'x')).toEqual([2, expect.stringContaining('--after must be the cursor')])
    expect(fails('history', '25FHWVYdid1', '--author', 'lin')).toEqual([
      2,
      'remindb: --author selects snapshots; omit the id of a node',
    ])
  })

  test('is coloured on a terminal, in the same words', async () => {
    using folder = await loggedFolder()
    for (const args of [['log'], ['blame', 'team/ops.md']]) {
      const shown = remindbOnTerminal([...args, '--db', folder.db], { cwd: folder.path })
      expect(shown).toContain('\x1b[1m#')
      const words = stripVTControlCharacters(shown).replaceAll('\r', '')
      expect(withoutAges(words)).toBe(withoutAges(folder.run(...args).stdout))
    }
  })
})

describe('blame', () => {
  test('has a line for each block: snapshot, age, id, author and label', async () => {
    using folder = await loggedFolder()
    const { stdout } = folder.run('blame', 'team/ops.md')
    expect(stdout).toMatch(/^#1 {2}\d+s +\w{11} {2}cli {2}Ops\n#2 {2}\d+s +\w{11} {2}lin {4}Talk to Lin\.\n$/)
    const { document, nodes, next } = JSON.parse(folder.run('blame', 'team/ops.md', '--json').stdout)
    expect([document, next]).toEqual([`${folder.path}/team/ops.md`, null])
    expect(nodes[1]).toMatchObject({
      ...{ label: 'Talk to Lin.', type: 'text', depth: 1 },
      ...{ snapshot_id: 2, author: 'lin', operation: 'compile', message: 'new hands' },
    })
  })

  test('keeps hostile authors and labels on their line', async () => {
    using folder = await loggedFolder()
    const [, id = ''] = /write:(\w{11})/.exec(folder.run('log', '--limit', '1').stdout) ?? []
    const { stdout } = folder.run('blame', id)
    expect(stdout.trimEnd().split('\n')).toHaveLength(1)
    expect(stdout).toMatch(new RegExp(`^#3  \\d+s  ${id}  eve`))
    expect(stdout).not.toContain('\x1b')
  })

  test('continues where a page ended, and names what it cannot show', async () => {
    using folder = await loggedFolder()
    const first = folder.run('blame', 'team/ops.md', '--limit', '1').stdout
    expect(first).toMatch(/Ops\n… more: .*blame team\/ops\.md --limit 1 --after \w{11}.*\n$/)
    const [after = ''] = /(?<=--after )\w+/.exec(first) ?? []
    expect(folder.run('blame', 'team/ops.md', '--after', after).stdout).toMatch(/^#2 .*Talk to Lin\.\n$/)
    expect(folder.run('blame', 'team').stderr).toContain('team is a folder, and blame shows one document')
    expect(folder.run('blame', 'none.md').stderr).toContain('there is no document "none.md"')
  })
})
