import { beforeAll, describe, expect, test } from 'vitest'
import { openMemory } from '../src/index.ts'
import { ensureProgramIsBuilt, remindb, remindbOnTerminal, temporaryFolder } from './support/cli.ts'
import { compiledFolder, ID, idOf } from './support/cli-folders.ts'
import { secretOf } from './support/secrets.ts'

beforeAll(ensureProgramIsBuilt)

const TEXT = 'Retries are capped at five.'

/** The tree of a compiled folder: every test has the same. */
let shown: string | undefined

function folderWithIds() {
  const folder = compiledFolder()
  const tree = () => folder.run('inspect', '--tree').stdout
  const pipe = (input: string | Uint8Array, ...args: string[]) => remindb(args, { cwd: folder.path, input })
  shown ??= tree()
  return {
    ...folder,
    tree,
    pipe,
    text: idOf(shown, TEXT),
    heading: idOf(shown, 'Billing'),
    [Symbol.dispose]: folder[Symbol.dispose],
  }
}

describe('write', () => {
  test('stores a note, and says where; the same note again is no change', () => {
    using folder = folderWithIds()
    const { code, stdout, stderr } = folder.run('write', '# Phone\n\nNever before nine.')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(new RegExp(`^wrote node ${ID} \\(7 tokens\\); snapshot 2\n$`))
    expect(folder.tree()).toContain('\n  [text] Never before nine. ')
    expect(folder.run('write', '# Phone\n\nNever before nine.').stdout).toBe(
      stdout.replace('snapshot 2', 'no new snapshot: content unchanged'),
    )
  })

  test('takes a list for what it is, not for flags', () => {
    using folder = folderWithIds()
    expect(folder.run('write', '- the plan', '--anchor', folder.text).stdout).toContain(
      `wrote node ${folder.text} `,
    )
    expect(folder.tree()).toContain('[list] 1-item list: the plan ')
    expect(folder.run('write', '--db', folder.db, '- ship it').code).toBe(0)
    expect(folder.run('write', '-the plan').code).toBe(2)
  })

  test('replaces the text of a node, or puts one under it', () => {
    using folder = folderWithIds()
    const { text, heading } = folder
    expect(folder.run('write', '--anchor', text, 'Six at most.').stdout).toBe(
      `wrote node ${text} (3 tokens); snapshot 2\n`,
    )
    expect(folder.tree()).toContain(`[text] Six at most. (id=${text} `)
    expect(folder.run('write', '--parent', heading, 'Ask Ada.').code).toBe(0)
    expect(folder.tree()).toContain('\n  [text] Ask Ada. ')
  })

  test('takes the text from a pipe, with and without a dash', () => {
    using folder = folderWithIds()
    expect(folder.pipe('Piped ü.\n', 'write').code).toBe(0)
    expect(folder.pipe('\ufeffDashed.\n', 'write', '-').code).toBe(0)
    expect(folder.run('write', '--', '- dash').code).toBe(0)
    const tree = folder.tree()
    for (const label of ['[text] Piped ü. (', '[text] Dashed. (', '[list] 1-item list: dash ('])
      expect(tree).toContain(label)
  })

  test('refuses an empty text, and one that is not UTF-8', () => {
    using folder = folderWithIds()
    expect(folder.pipe('', 'write')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'remindb: the payload is empty; give the text to remember\n',
    })
    const latin1 = folder.pipe(Uint8Array.of(0x61, 0xfc, 0x62), 'write')
    expect(latin1).toMatchObject({
      code: 1,
      stderr: 'remindb: the text on stdin is not UTF-8; convert it first\n',
    })
  })

  test('says on a terminal how to give a text', () => {
    using folder = folderWithIds()
    const shown = remindbOnTerminal(['write'], { cwd: folder.path })
    expect(shown).toContain(
      'remindb: missing [text]; give it as an argument, pipe it in (… | remindb write), or say -',
    )
  })

  test('needs a memory, and says how to make one', () => {
    using folder = temporaryFolder()
    const { code, stderr } = remindb(['write', 'x'], { cwd: folder.path })
    expect(code).toBe(1)
    expect(stderr).toContain('run `remindb compile <folder>` to make one')
  })

  test('refuses a node that is not there, and two places at once', () => {
    using folder = folderWithIds()
    expect(folder.run('write', '--anchor', 'nowhere', 'x')).toMatchObject({
      code: 1,
      stderr: 'remindb: node nowhere not found; list the nodes with `remindb tree`\n',
    })
    const both = folder.run('write', '--anchor', folder.text, '--parent', folder.text, 'x')
    expect(both.code).toBe(2)
    expect(both.stderr).toContain('--anchor and --parent exclude each other')
  })

  test('records the author', async () => {
    using folder = folderWithIds()
    folder.run('write', '--author', 'ada', 'Noted.')
    await using memory = await openMemory({ db: folder.db, create: false })
    expect((await memory.snapshots({ limit: 1 }))[0]).toMatchObject({ author: 'ada', operation: 'write' })
  })

  test('says what it took out, also as JSON', () => {
    using folder = folderWithIds()
    const payload = `Use ${secretOf('github_pat')}`
    expect(folder.run('write', payload).stdout).toMatch(
      /; snapshot 2\nredacted: 1 secret \(1 github_pat\)\n$/,
    )
    const { stdout } = folder.run('write', '--json', `${payload} now`)
    expect(JSON.parse(stdout)).toEqual({
      node_id: expect.stringMatching(new RegExp(`^${ID}$`)),
      tokens: 8,
      redactions: { github_pat: 1 },
      snapshot_id: 3,
    })
  })
})

describe('summarize', () => {
  test('replaces a text, from an argument or a pipe, and sets its heat', () => {
    using folder = folderWithIds()
    const { text } = folder
    expect(folder.run('summarize', text, 'Five.').stdout).toBe(
      `summarized node ${text} (7 → 2 tokens); snapshot 2\n`,
    )
    expect(folder.pipe('5.\n', 'summarize', text, '--temperature', '.25').stdout).toBe(
      `summarized node ${text} (2 → 1 tokens); snapshot 3\n`,
    )
    expect(folder.tree()).toContain(`[text] Summary: 5. (id=${text} temp=0.25 tok=1)`)
  })

  test('prints JSON, with what it took out', () => {
    using folder = folderWithIds()
    const { stdout } = folder.run('summarize', folder.text, secretOf('jwt'), '--json')
    expect(JSON.parse(stdout)).toEqual({
      node_id: folder.text,
      old_tokens: 7,
      new_tokens: 4,
      redactions: { jwt: 1 },
      snapshot_id: 2,
    })
  })

  test.each(['2', '-1', 'warm', '1e-1', ''])('refuses the temperature %j', (temperature) => {
    using folder = temporaryFolder()
    const { code, stderr } = remindb(['summarize', 'x', 'y', `--temperature=${temperature}`], {
      cwd: folder.path,
    })
    expect(code).toBe(2)
    expect(stderr).toContain('--temperature')
  })
})

describe('forget', () => {
  test('removes a node, and only with a mode one that has children', () => {
    using folder = folderWithIds()
    const { text, heading } = folder
    expect(folder.run('forget', text).stdout).toBe(
      `forgot node ${text} (mode=strict, 1 affected); snapshot 2\n`,
    )
    expect(folder.run('forget', heading)).toEqual({
      code: 1,
      stdout: '',
      stderr: `remindb: node ${heading} has 1 child; pass --mode cascade or --mode reparent\n`,
    })
    expect(folder.run('forget', heading, '--mode', 'cascade').stdout).toBe(
      `forgot node ${heading} (mode=cascade, 3 affected); snapshot 3\n`,
    )
    expect(folder.tree()).not.toContain('Billing')
  })

  test('leaves the children to the parent, and prints JSON', () => {
    using folder = folderWithIds()
    const { stdout } = folder.run('forget', folder.heading, '--mode', 'reparent', '--json', '--author', 'ada')
    expect(JSON.parse(stdout)).toEqual({
      node_id: folder.heading,
      mode: 'reparent',
      affected: 3,
      snapshot_id: 2,
    })
    expect(folder.tree()).toMatch(/^\[text\] Retries/)
    expect(folder.run('history').stdout).toContain('ada')
  })

  test('refuses a mode that does not exist', () => {
    using folder = folderWithIds()
    const { code, stderr } = folder.run('forget', folder.text, '--mode', 'all')
    expect(code).toBe(2)
    expect(stderr).toContain('--mode must be strict, cascade or reparent, got "all"')
  })
})

describe('pin and unpin', () => {
  test('keep a node at its heat and let it go, without a snapshot', () => {
    using folder = folderWithIds()
    const { text } = folder
    expect(folder.run('pin', text).stdout).toBe(`pinned node ${text}\n`)
    expect(folder.run('pin', text, '--temperature', '0.85').stdout).toBe(
      `pinned node ${text} at temperature 0.85\n`,
    )
    expect(folder.tree()).toContain(`(id=${text} temp=0.85 `)
    expect(JSON.parse(folder.run('inspect', '--json').stdout).temperature.pinned).toBe(1)
    expect(folder.run('unpin', text).stdout).toBe(`unpinned node ${text}\n`)
    expect(JSON.parse(folder.run('inspect', '--json').stdout)).toMatchObject({
      temperature: { pinned: 0 },
      snapshots: { count: 1 },
    })
  })

  test('print JSON', () => {
    using folder = folderWithIds()
    const json = (...args: string[]) => JSON.parse(folder.run(...args, '--json').stdout)
    const { text } = folder
    expect(json('pin', text)).toEqual({ node_id: text, pinned: true, temperature: null })
    expect(json('pin', text, '--temperature', '1')).toEqual({ node_id: text, pinned: true, temperature: 1 })
    expect(json('unpin', text)).toEqual({ node_id: text, pinned: false })
  })

  test('refuse a node that is not there, in words that rule no terminal', () => {
    using folder = folderWithIds()
    for (const command of ['pin', 'unpin', 'forget'])
      expect(folder.run(command, '\x1b[2Jx')).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('remindb: node \\x1b[2Jx not found'),
      })
  })
})
