import { beforeAll, describe, expect, test } from 'vitest'
import { estimateTokens } from '../src/core/tokens.ts'
import { ensureProgramIsBuilt, remindb, temporaryFolder } from './support/cli.ts'
import { compiledFolder, idOf } from './support/cli-folders.ts'

beforeAll(ensureProgramIsBuilt)

function readableFolder() {
  const folder = compiledFolder()
  const shown = folder.run('tree').stdout
  const id = (label: string) => idOf(shown, label)
  return { ...folder, id, [Symbol.dispose]: folder[Symbol.dispose] }
}

describe('fetch', () => {
  test('prints a node with what is above and below it', () => {
    using folder = readableFolder()
    const { stdout } = folder.run('fetch', folder.id('Cards'))
    expect(stdout).toBe(`[heading] Billing (id=${folder.id('Billing')} file=billing.md)

  [heading] Cards (id=${folder.id('Cards')} snapshot=1 temp=0.50 tok=2)

    [text] (id=${folder.id('alpha beta gamma')} temp=0.50 tok=4)
alpha
beta
gamma
`)
  })

  test('prints JSON, and counts what was left out', () => {
    using folder = readableFolder()
    const answer = JSON.parse(folder.run('fetch', folder.id('Billing'), '--depth', '1', '--json').stdout)
    expect(Object.keys(answer)).toEqual(['anchor', 'nodes', 'left_out', 'snapshot_id'])
    expect(answer.nodes).toHaveLength(3)
    expect(answer.nodes[1]).toEqual({
      id: folder.id('Retries are capped at five.'),
      type: 'text',
      label: 'Retries are capped at five.',
      depth: 1,
      path: 'billing.md',
      tokens: 7,
      temperature: 0.5,
      text: 'Retries are capped at five.',
    })
    expect(answer.left_out).toEqual({ above: 0, below: 1, tokens: 4, next: null, is_more: false })
  })

  test('stays within a budget, and says what is left out', () => {
    using folder = readableFolder()
    const { stdout } = folder.run('fetch', folder.id('Billing'), '--budget', '60')
    expect(estimateTokens(stdout)).toBeLessThanOrEqual(60)
    expect(stdout).toMatch(/\n\n… 2 more below \(6 tokens\), next id=\w{11}\n$/)
  })

  test('takes several ids: only these nodes, and what became of the others', () => {
    using folder = readableFolder()
    const [ops, ada] = [folder.id('Ops'), folder.id('Talk to Ada.')]
    expect(
      folder.run('fetch', ada, 'nobody', ops, ada).stdout,
    ).toBe(`[text] (id=${ada} file=team/ops.md snapshot=1 temp=0.50 tok=3)
Talk to Ada.

[heading] Ops (id=${ops} temp=0.50 tok=1)

not found: nobody
`)
    const answer = JSON.parse(folder.run('fetch', ops, 'nobody', '--json').stdout)
    expect(answer).toEqual({
      nodes: [expect.objectContaining({ id: ops, path: 'team/ops.md', text: 'Ops' })],
      not_found: ['nobody'],
      over_budget: [],
      snapshot_id: 1,
    })
  })

  test('fails for a node that is not there, and says what to do', () => {
    using folder = readableFolder()
    expect(folder.run('fetch', 'nobody')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'remindb: node nobody not found; list the nodes with `remindb tree`\n',
    })
    expect(folder.run('fetch').stderr).toMatch(
      /^remindb: missing <node-id>\nUsage: remindb fetch <node-id>\.\.\. /,
    )
    expect(folder.run('fetch', 'a', 'b', '--depth', '1')).toMatchObject({ code: 2 })
    expect(folder.run('fetch', folder.id('Ops'), '--budget', '7').stderr).toMatch(
      /^remindb: budget must be a whole number of tokens from 50, or 0 for no limit, got 7\n/,
    )
  })
})

describe('tree', () => {
  test('prints the outline', () => {
    using folder = readableFolder()
    expect(folder.run('tree').stdout).toBe(folder.run('inspect', '--tree').stdout)
    const shown = folder.run('tree', '--depth', '0').stdout.replaceAll(/id=\w{11}/g, 'id=ID')
    expect(shown).toBe(`[heading] Billing (id=ID file=billing.md temp=0.50 tok=2) … 3 nodes below
[heading] Ops (id=ID file=team/ops.md temp=0.50 tok=1) … 1 node below
`)
    expect(folder.run('tree', folder.id('Cards')).stdout.split('\n')).toHaveLength(3)
  })

  test('goes on where it stopped, with the command it prints and in JSON', () => {
    using folder = readableFolder()
    const lines = folder.run('tree', '--limit', '4', '--depth', '9').stdout.trimEnd().split('\n')
    expect(lines).toHaveLength(5)
    const [, more = ''] = /^… more: \S+ (tree .*)$/.exec(lines[4] ?? '') ?? []
    expect(more).toMatch(/^tree --depth 9 --limit 4 --after \w{11}$/)
    expect(folder.run(...more.split(' ')).stdout).toMatch(/^\[heading\] Ops .*\n {2}\[text\] Talk .*\n$/)
    const page = JSON.parse(folder.run('tree', '--limit', '5', '--json').stdout)
    expect(Object.keys(page)).toEqual(['nodes', 'next'])
    expect(page.nodes[0]).toEqual({
      id: folder.id('Billing'),
      type: 'heading',
      label: 'Billing',
      depth: 0,
      path: 'billing.md',
      tokens: 2,
      temperature: 0.5,
      children: 2,
    })
    const rest = JSON.parse(folder.run('tree', '--after', page.next, '--json').stdout)
    expect(rest).toMatchObject({ nodes: [{ label: 'Talk to Ada.', depth: 1 }], next: null })
  })

  test('stays within a budget, and tells the cursor only', () => {
    using folder = readableFolder()
    const { stdout } = folder.run('tree', '--budget', '80')
    expect(estimateTokens(stdout)).toBeLessThanOrEqual(80)
    expect(stdout).toMatch(/\n… more: after=\w{11}\n$/)
  })

  test('says that an empty memory is empty', () => {
    using folder = temporaryFolder()
    remindb(['compile', '.'], { cwd: folder.path })
    expect(remindb(['tree'], { cwd: folder.path }).stdout).toBe('empty tree\n')
  })
})

test('reading warms only when asked', () => {
  using folder = readableFolder()
  const heat = () => folder.run('inspect', '--tree').stdout.match(/temp=[\d.]+/g) ?? []
  const ops = folder.id('Ops')
  folder.run('fetch', ops)
  folder.run('fetch', ops, folder.id('Billing'))
  folder.run('tree')
  expect(new Set(heat())).toEqual(new Set(['temp=0.50']))
  folder.run('fetch', ops, '--warm')
  folder.run('tree', ops, '--warm')
  expect(heat().filter((one) => one !== 'temp=0.50')).toHaveLength(2)
})
