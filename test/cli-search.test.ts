import { beforeAll, describe, expect, test } from 'vitest'
import { estimateTokens } from '../src/core/tokens.ts'
import { openMemory } from '../src/index.ts'
import { ensureProgramIsBuilt, remindb, remindbOnTerminal, temporaryFolder } from './support/cli.ts'
import { compiledFolder, ID } from './support/cli-folders.ts'
import { heatOf } from './support/engine.ts'

beforeAll(ensureProgramIsBuilt)

const BOLD_YELLOW = (text: string) => `\x1b[1m\x1b[33m${text}`

describe('search', () => {
  test('prints a hit a block, best first, and what was searched', () => {
    using folder = compiledFolder()
    const { code, stdout, stderr } = folder.run('search', 'retries', 'at', 'five')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const [first, above, ...rest] = stdout.split('\n')
    expect(first).toMatch(
      new RegExp(
        `^\\[text\\] Retries are capped at five\\. \\(id=${ID} file=billing\\.md score=\\d\\.\\d\\d temp=0\\.50 tok=7\\)$`,
      ),
    )
    expect(above).toBe('  Billing')
    expect(rest.slice(-2)).toEqual(['searched 6 nodes; too common: at', ''])
  })

  test('a query may be one word of the shell or many, and hold what flags look like after --', () => {
    using folder = compiledFolder()
    const one = folder.run('search', 'ada talk').stdout
    expect(folder.run('search', 'ada', 'talk').stdout).toBe(one)
    expect(folder.run('search', '--limit', '3', '--', 'ada', 'talk').stdout).toBe(one)
    expect(folder.run('search', '--', '--limit').stdout).toContain('no results')
  })

  test('says so when nothing is found, and why', () => {
    using folder = compiledFolder()
    expect(folder.run('search', 'zebra').stdout).toBe('no results\nsearched 6 nodes; nowhere: zebra\n')
    expect(folder.run('search', '').stdout).toBe('no results\nnote: the query is empty\n')
    expect(folder.run('search', 'ada', 'type:poem').stdout).toContain(
      '\nnote: type:poem was taken as words: ',
    )
    expect(folder.run('search', 'kind:note').stdout).toBe('no results\nsearched 6 nodes; filtered by kind\n')
  })

  test('--limit and --budget cut, and the answer says how much', () => {
    using folder = compiledFolder()
    const query = 'billing OR cards OR ops OR ada OR alpha'
    expect(folder.run('search', query).stdout.match(/\(id=/g)).toHaveLength(5)
    const two = folder.run('search', query, '--limit', '2').stdout
    expect(two.match(/\(id=/g)).toHaveLength(2)
    expect(two).toContain('\n… 3 more left out; searched 6 nodes for ')
    const small = folder.run('search', query, '--budget', '60').stdout
    expect(estimateTokens(small)).toBeLessThanOrEqual(60)
    expect(small.match(/\(id=/g)?.length).toBeGreaterThan(0)
    expect(small).toMatch(/^… \d more left out/m)
    expect(folder.run('search', query, '--budget', '0').stdout).toBe(folder.run('search', query).stdout)
  })

  test('--explain shows below each hit how its score came about', () => {
    using folder = compiledFolder()
    const { stdout } = folder.run('search', 'capped', 'billing', '--explain', '--limit', '1')
    const lines = stdout.split('\n').filter((line) => line.startsWith('    '))
    expect(lines).toEqual([
      expect.stringMatching(/^ {4}score \d\.\d\d = relevance \d\.\d\d × heat 0\.65$/),
      expect.stringMatching(/^ {4}(capped|billing): \d\.\d\d, rarity \d\.\d\d, /),
      expect.stringMatching(/^ {4}(capped|billing): \d\.\d\d, rarity \d\.\d\d, /),
    ])
    expect(stdout).toMatch(/capped: .*, text$/m)
    expect(stdout).toMatch(/billing: .*, heading above$/m)
  })

  test('marks what was looked for on a terminal, and nowhere else', () => {
    using folder = temporaryFolder({ 'a.md': `${'Words first. '.repeat(12)}The café is open.\n` })
    const cwd = folder.path
    remindb(['compile', '.'], { cwd })
    expect(remindbOnTerminal(['search', 'cafe'], { cwd })).toContain(BOLD_YELLOW('café'))
    expect(remindbOnTerminal(['search', 'cafe'], { cwd, env: { NO_COLOR: '1' } })).not.toContain('\x1b')
    const plain = remindb(['search', 'cafe'], { cwd }).stdout
    expect(plain).not.toContain('\x1b')
    const env = { FORCE_COLOR: '1' }
    const painted = remindb(['search', 'cafe', '--explain'], { cwd, env }).stdout
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
    const unpainted = painted.replaceAll(/\x1b\[[\d;]*m/g, '')
    expect(unpainted).toBe(remindb(['search', 'cafe', '--explain'], { cwd }).stdout)
    expect(remindb(['search', 'cafe', '--json'], { cwd, env }).stdout).not.toContain('\x1b')
  })

  test('content and query cannot rule the terminal', () => {
    using folder = temporaryFolder({
      'a\x1b[31m.md': '# Title \x1b[2J \u202eevil\n\nbefore \x1b]0;owned\x07 \u009b31m \u202egnp.exe after\n',
    })
    const cwd = folder.path
    remindb(['compile', '.'], { cwd })
    for (const args of [
      ['before'],
      ['evil \x1b[2J'],
      ['\x1b]0;x\x07 \u202ezebra'],
      ['type:\x1b[2J'],
      ['before', '--json'],
    ])
      for (const more of [[], ['--explain'], ['--budget', '50']]) {
        const { code, stdout, stderr } = remindb(['search', ...args, ...more], { cwd })
        expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
        expect(stdout.replaceAll('\n', ''), args.join(' ')).not.toMatch(/[\p{Cc}\u202e]/u)
      }
    expect(remindb(['search', 'before'], { cwd }).stdout).toContain('\\x1b]0;owned\\x07')
  })

  test('--json has these keys in this order', () => {
    using folder = compiledFolder()
    const answer = JSON.parse(folder.run('search', 'capped at five', '--json').stdout)
    expect(Object.keys(answer)).toEqual(['query', 'hits', 'left_out', 'searched'])
    expect(answer.query).toBe('capped at five')
    expect(Object.keys(answer.hits[0])).toEqual(
      'id type label path heading_path snippet score temperature tokens'.split(' '),
    )
    expect(answer.hits[0]).toMatchObject({
      type: 'text',
      label: 'Retries are capped at five.',
      path: 'billing.md',
      heading_path: ['Billing'],
      snippet: 'Retries are capped at five.',
      temperature: 0.5,
      tokens: 7,
    })
    expect(Object.keys(answer.searched)).toEqual(
      'nodes words dropped missing filters matched complete notes'.split(' '),
    )
    expect(answer.searched).toMatchObject({ nodes: 6, words: ['capped', 'five'], dropped: ['at'] })
  })

  test('--json tells also how a score came about, and what was cut', () => {
    using folder = compiledFolder()
    const { hits } = JSON.parse(folder.run('search', 'capped five', '--explain', '--json').stdout)
    expect(hits[0].explain).toMatchObject({ relevance: expect.any(Number), prior: expect.closeTo(0.65) })
    expect(hits[0].explain.parts.map(({ unit }: { unit: string }) => unit).toSorted()).toEqual([
      'capped',
      'five',
    ])
    folder.write('long.md', `${'Walrus and more. '.repeat(40)}\n`)
    folder.run('compile', '.')
    const cut = JSON.parse(folder.run('search', 'walrus', '--budget', '50', '--json').stdout)
    expect(cut.hits).toMatchObject([{ cut: true }])
    expect(cut.left_out).toBe(0)
  })

  test('does not warm unless --warm says so, and makes no snapshot', async () => {
    using folder = compiledFolder()
    const accesses = async () => {
      await using memory = await openMemory({ db: folder.path })
      return [...heatOf(memory).values()].reduce((sum, heat) => sum + heat.accesses, 0)
    }
    folder.run('search', 'ada')
    expect(await accesses()).toBe(0)
    folder.run('search', 'ada', '--warm')
    expect(await accesses()).toBe(1)
    expect(folder.run('history').stdout.match(/^#/gm)).toHaveLength(1)
  })

  test('refuses what it cannot do, and says what to give', () => {
    using folder = compiledFolder()
    const refused = (...args: string[]) => {
      const { code, stdout, stderr } = folder.run('search', ...args)
      expect(stdout).toBe('')
      return { code, first: stderr.split('\n')[0] }
    }
    expect(refused()).toEqual({ code: 2, first: expect.stringContaining('<query>') })
    expect(refused('x', '--limit', '0')).toEqual({
      code: 2,
      first: expect.stringContaining('--limit must be'),
    })
    expect(refused('x', '--limit', '201')).toEqual({
      code: 2,
      first: 'remindb: --limit must be a whole number from 1 to 200, got "201"',
    })
    expect(refused('-5')).toEqual({
      code: 2,
      first: 'remindb: unknown flag -5; a text that begins with a dash comes after --',
    })
    expect(refused('x', '--budget', '49')).toEqual({
      code: 1,
      first: 'remindb: budget must be a whole number of tokens from 50, or 0 for no limit, got 49',
    })
    using empty = temporaryFolder()
    expect(remindb(['search', 'x'], { cwd: empty.path })).toMatchObject({ code: 1, stdout: '' })
    const failed = folder.run('search', 'x', '--budget', '49', '--json')
    expect(JSON.parse(failed.stdout)).toMatchObject({ error: { code: 'INVALID_INPUT' } })
  })
})
