import { beforeAll, describe, expect, test } from 'vitest'
import { ensureProgramIsBuilt } from './support/cli.ts'
import { compiledFolder, idOf } from './support/cli-folders.ts'

beforeAll(ensureProgramIsBuilt)

/** Of a compiled folder: every test has the same. */
let tree: string | undefined

function linkedFolder() {
  const folder = compiledFolder()
  tree ??= folder.run('inspect', '--tree').stdout
  return { ...folder, billing: idOf(tree, 'Billing'), ops: idOf(tree, 'Ops') }
}

describe('relate', () => {
  test('links two nodes by id, and inspect shows it', () => {
    using folder = linkedFolder()
    const { run, billing, ops } = folder
    expect(run('inspect', '--links').stdout).toBe('No links in database.\n')
    expect(run('relate', billing, ops, '--weight', '2.5')).toEqual({
      code: 0,
      stdout: `edge created (resolved): ${billing} -> ${ops}\n`,
      stderr: '',
    })
    expect(run('inspect', '--links').stdout).toBe(`Billing (${billing}) -> Ops (${ops}) manual weight=2.50\n`)
    expect(run('inspect').stdout).toContain('Relations:            1\n    └─ manual:        1\n')
  })

  test('waits for a heading that is not there yet', () => {
    using folder = linkedFolder()
    const { run, billing } = folder
    expect(run('relate', billing, '--label', 'Release plan', '--source', 'plan.md').stdout).toBe(
      `edge created (pending): ${billing} -> "Release plan"\n`,
    )
    expect(run('inspect', '--links').stdout).toBe(
      `Billing (${billing}) -> "Release plan" in plan.md manual weight=1.00 pending\n`,
    )
    folder.write('plan.md', '# Release plan\n')
    run('compile', '.')
    expect(JSON.parse(run('inspect', '--links', '--json').stdout)).toMatchObject({
      edges: [{ source: billing, weight: 1, origin: 'manual' }],
      pending: [],
    })
  })

  test('says as JSON what became of it', () => {
    using folder = linkedFolder()
    const { run, billing } = folder
    expect(JSON.parse(run('relate', billing, '--label', 'Ops', '--json').stdout)).toEqual({
      status: 'resolved',
      source_id: billing,
      target_id: folder.ops,
      target_label: null,
    })
  })

  test.each([
    [['BILLING'], 2, 'give either the id of the target or --label'],
    [['BILLING', 'x', '--label', 'y'], 2, 'give either the id of the target or --label'],
    [['BILLING', 'x', '--source', 'y'], 2, '--source requires --label'],
    [['BILLING', 'x', '--weight', 'heavy'], 2, '--weight must be a number, got "heavy"'],
    [['none', '--label', 'y'], 1, 'source_id not found: none'],
    [['BILLING', 'none'], 1, 'target_id not found: none'],
  ])('refuses %j', (args, code, message) => {
    using folder = linkedFolder()
    const result = folder.run('relate', ...args.map((arg) => (arg === 'BILLING' ? folder.billing : arg)))
    expect(result.code).toBe(code)
    expect(result.stderr).toContain(message)
  })
})

describe('unrelate', () => {
  test('takes the link away, and says when there is none', () => {
    using folder = linkedFolder()
    const { run, billing, ops } = folder
    run('relate', billing, ops)
    expect(run('unrelate', billing, ops).stdout).toBe(`removed 1 manual link: ${billing} -> ${ops}\n`)
    expect(run('inspect', '--links').stdout).toBe('No links in database.\n')
    const again = run('unrelate', billing, ops)
    expect(again.code).toBe(1)
    expect(again.stderr).toContain(`node ${billing} has no manual link to ${ops}`)
  })
})

describe('related', () => {
  test('shows what is linked to a node, with the way there', () => {
    using folder = linkedFolder()
    const { run, billing, ops } = folder
    const cards = idOf(run('inspect', '--tree').stdout, 'Cards')
    run('relate', billing, ops, '--weight', '2.5')
    run('relate', cards, ops)
    expect(run('related', billing)).toEqual({
      code: 0,
      stdout: `[heading] Ops (id=${ops} file=team/ops.md hop=1 weight=2.50 temp=0.50 tok=1)\n`,
      stderr: '',
    })
    expect(run('related', billing, '--depth', '2').stdout).toBe(
      [
        `[heading] Cards (id=${cards} file=billing.md hop=2 weight=3.50 temp=0.50 tok=2)`,
        '  via → Ops ←',
        `[heading] Ops (id=${ops} file=team/ops.md hop=1 weight=2.50 temp=0.50 tok=1)`,
        '',
      ].join('\n'),
    )
    expect(run('related', billing, '--direction', 'in').stdout).toBe('no related nodes\n')
    expect(run('related', billing, '--min-weight', '3').stdout).toBe('no related nodes\n')
  })

  test('prints every step as JSON', () => {
    using folder = linkedFolder()
    const { run, billing, ops } = folder
    run('relate', ops, billing, '--weight', '2')
    const step = { id: ops, label: 'Ops', weight: 2, direction: 'in', origin: 'manual' }
    const node = { id: ops, type: 'heading', label: 'Ops', path: 'team/ops.md' }
    const { stdout } = run('related', billing, '--json')
    const expected = {
      anchor: billing,
      related: [{ ...node, hop: 1, weight: 2, temperature: 0.5, tokens: 1, via: [step] }],
      left_out: 0,
      complete: true,
    }
    expect(stdout).toBe(`${JSON.stringify(expected, null, 2)}\n`)
  })

  test('warms only when asked to', () => {
    using folder = linkedFolder()
    const { run, billing, ops } = folder
    run('relate', billing, ops)
    run('related', billing)
    expect(run('related', billing, '--warm').stdout).toContain('temp=0.50')
    expect(run('related', billing).stdout).toContain('temp=0.65')
  })

  test.each([
    [['none'], 1, 'node none not found'],
    [['BILLING', '--direction', 'up'], 2, '--direction must be one of out, in, both, got "up"'],
    [['BILLING', '--depth', '6'], 2, '--depth must be a whole number from 1 to 5, got "6"'],
    [['BILLING', '--min-weight', 'x'], 2, '--min-weight must be a number, got "x"'],
    [['BILLING', '--budget', '9'], 1, 'budget must be a whole number of tokens from 50'],
  ])('refuses %j', (args, code, message) => {
    using folder = linkedFolder()
    const result = folder.run('related', ...args.map((arg) => (arg === 'BILLING' ? folder.billing : arg)))
    expect(result.code).toBe(code)
    expect(result.stderr).toContain(message)
  })
})
