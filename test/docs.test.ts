import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { COMMANDS, listCommands } from '../src/cli/commands.ts'
import { GLOBAL_FLAGS } from '../src/cli/parse-arguments.ts'
import { FORMATS, NODE_TYPES } from '../src/core/model.ts'
import { ERROR_CODES, openMemory, openSpaces } from '../src/index.ts'
import { BUILTIN_KINDS } from '../src/ingest/redact/text/builtin.ts'
import type { Setting } from '../src/runtime/settings/setting-values.ts'
import { SETTINGS } from '../src/runtime/settings/settings.ts'
import { expectedSchema } from '../src/store/sqlite/database/schema.ts'
import { ensureProgramIsBuilt } from './support/cli.ts'
import {
  checkLinks,
  checkUses,
  compareNames,
  headingsUnder,
  type KnownCommand,
  listSnippets,
  listTranscripts,
  parsePage,
  problemsOfUse,
  ROOT,
  readPages,
  replay,
  runSnippet,
  tableUnder,
  typeCheck,
} from './support/docs.ts'
import { isFollowed } from './support/tutorials.ts'

const pages = readPages()
const page = (path: string) => parsePage(pages.get(path) ?? '')
const folder = mkdtempSync(join(tmpdir(), 'remindb-docs-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Spelled = Record<string, { short?: string }>
const spell = (flags: Spelled): string[] =>
  Object.entries(flags).flatMap(([name, { short }]) => (short ? [`-${short}`, `--${name}`] : [`--${name}`]))

const ownFlags = new Map<string, string[]>()
for (const name of Object.keys(COMMANDS)) ownFlags.set(name, [])
for (const [name, { load }] of listCommands()) ownFlags.set(name, spell((await load()).command.flags))
/** `remindb help compile` is another way to say `remindb compile --help`. */
const commands: KnownCommand[] = [...ownFlags, ['help', []] as const].map(([name, flags]) => ({
  name,
  flags: [...flags, ...spell(GLOBAL_FLAGS)],
}))

describe('every', () => {
  const COMMAND_PAGE = 'docs/reference/commands.md'
  const GENERAL = ['Exit codes', 'Flags of every command']

  test('command has a heading', () => {
    const documented = headingsUnder(page(COMMAND_PAGE), 2).filter((heading) => !GENERAL.includes(heading))
    expect(compareNames('command', documented, Object.keys(COMMANDS))).toEqual([])
    for (const [name, entry] of Object.entries(COMMANDS)) {
      const commands = 'commands' in entry ? Object.keys(entry.commands) : []
      const below = headingsUnder(page(COMMAND_PAGE), 3, name).filter((heading) =>
        heading.startsWith(`${name} `),
      )
      const names = commands.map((command) => `${name} ${command}`)
      expect(compareNames('command', below, names)).toEqual([])
    }
  })

  test('command has an example', () => {
    const sections = (pages.get(COMMAND_PAGE) ?? '').split(/^###? /m)
    for (const name of listCommands().keys()) {
      const section = sections.find((text) => text.startsWith(`${name}\n`)) ?? ''
      expect(section, `${name} has no example`).toContain(`\nremindb ${name}`)
    }
  })

  const CONFIGURATION_PAGE = 'docs/reference/configuration.md'

  test('setting has a heading', () => {
    const documented = headingsUnder(page(CONFIGURATION_PAGE), 3, 'Settings')
    const names = SETTINGS.map((setting) => setting.name)
    expect(compareNames('setting', documented, names)).toEqual([])
  })

  test('setting that a folder may not have is in its table, with the reason', () => {
    const settings: readonly Setting[] = SETTINGS
    const operator = tableUnder(page(CONFIGURATION_PAGE), 'What a folder may set')
    const ofOperator = settings.filter(({ scope }) => scope === 'operator').map(({ name }) => name)
    expect(operator.map(([name]) => name).toSorted()).toEqual(ofOperator.toSorted())
  })

  test('variable of the environment has a heading', () => {
    const source = readFileSync(join(ROOT, 'src/runtime/settings/config.ts'), 'utf8')
    const read = [...source.matchAll(/\benv\.([A-Z_]+)/g)].map(([, name = '']) => name)
    const ours = [...new Set(read)].filter((name) => name !== 'PATH' && name !== 'TERM')
    const documented = headingsUnder(page(CONFIGURATION_PAGE), 3, 'Environment only')
    expect(compareNames('variable', documented, ours)).toEqual([])
  })

  test('variable that the pages name exists', () => {
    const only = ['REMINDB_DB', 'REMINDB_SPACES', 'REMINDB_SPACE', 'REMINDB_SOURCE', 'REMINDB_DEBUG']
    const known = [...SETTINGS.map(({ env }) => env), ...only]
    const named = [...pages.values()].flatMap((text) => text.match(/\bREMINDB_[A-Z_]+/g) ?? [])
    expect(compareNames('variable', [...new Set(named)], known)).toEqual([])
  })

  test('kind of secret is in its table, in the order of the program', () => {
    expect(tableUnder(page('docs/explanation/redaction.md'), 'Kinds').map(([kind]) => kind)).toEqual(
      BUILTIN_KINDS,
    )
  })

  test('error code has a heading', () => {
    expect(
      compareNames('error code', headingsUnder(page('docs/reference/errors.md'), 2), ERROR_CODES),
    ).toEqual([])
  })

  test('check of doctor has a heading', async () => {
    await using memory = await openMemory({ db: join(folder, 'healthy.db') })
    const names = (await memory.doctor()).checks.map((check) => check.name)
    const documented = headingsUnder(page('docs/reference/doctor.md'), 2).filter(
      (heading) => heading !== 'Repairing',
    )
    expect(compareNames('check', documented, names)).toEqual([])
  })

  test('type and format of a node has its place', () => {
    const nodes = page('docs/explanation/documents-and-nodes.md')
    expect(compareNames('type', headingsUnder(nodes, 3, 'Node types'), NODE_TYPES)).toEqual([])
    const labels = tableUnder(nodes, 'Labels').map(([name = '']) => name)
    expect(compareNames('label of', labels, NODE_TYPES)).toEqual([])
    const formats = tableUnder(nodes, 'Formats').map(([name = '']) => name)
    expect(compareNames('format', formats, FORMATS)).toEqual([])
  })

  test('table of the database is described', () => {
    const tables = expectedSchema().objects.flatMap(({ sql }) => [
      ...(sql ?? '').matchAll(/^CREATE (?:VIRTUAL )?TABLE (?!sqlite_)(\w+)/g),
    ])
    const documented = tableUnder(page('docs/explanation/store.md'), 'What is in the file').map(
      ([name = '']) => name,
    )
    const names = tables.map(([, name = '']) => name)
    expect(compareNames('table', documented, names)).toEqual([])
  })

  test('call of the library is described', async () => {
    await using memory = await openMemory({ db: join(folder, 'library.db') })
    const calls = Object.entries(memory).flatMap(([name, value]) =>
      typeof value === 'function' ? [name] : [],
    )
    await using spaces = await openSpaces(join(folder, 'spaces'))
    calls.push(...Object.keys(spaces))
    const text = pages.get('docs/reference/library.md') ?? ''
    expect(calls.filter((name) => !text.includes(`\`${name}(`))).toEqual([])
  })

  test('script of npm and benchmark that the pages name exists', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
    const text = [...pages.values()].join('\n')
    const named = [...text.matchAll(/\bnpm (?:run )?(start|test|(?<=run )[\w:-]+)/g)].map(
      ([, name = '']) => name,
    )
    expect(named.length).toBeGreaterThan(5)
    expect(named.filter((name) => !(name in scripts))).toEqual([])
    const benches = [...text.matchAll(/\bnpm run bench -- (\w+)/g)].map(([, name]) => `bench/${name}.ts`)
    expect(benches.filter((file) => !existsSync(join(ROOT, file)))).toEqual([])
  })

  const linkedFrom = (path: string) =>
    page(path).links.map(({ href }) => posix.join(posix.dirname(path), href))

  test('section is on the start page, which has five links', () => {
    const sections = ['tutorials', 'how-to', 'reference', 'explanation'].map(
      (name) => `docs/${name}/index.md`,
    )
    expect(linkedFrom('docs/index.md')).toEqual(['docs/tutorials/first-memory.md', ...sections])
    const others = [...pages.keys()].filter((path) => path.startsWith('docs/') && path !== 'docs/index.md')
    expect(others.filter((path) => !sections.includes(`${posix.dirname(path)}/index.md`))).toEqual([])
  })

  test.each(['tutorials', 'how-to', 'reference', 'explanation'])('page of %s is in its list', (section) => {
    const list = `docs/${section}/index.md`
    const others = [...pages.keys()].filter(
      (path) => posix.dirname(path) === `docs/${section}` && path !== list,
    )
    expect(compareNames('page', linkedFrom(list), others)).toEqual([])
  })

  test.each(['AGENTS.md', 'CONTRIBUTING.md'])('path that %s names exists', (path) => {
    const named = page(path).codes.map(({ content }) => content)
    const paths = named.filter((name) => /^(src|test|docs|scripts|bench|eval|agents)\/[\w./-]*$/.test(name))
    expect(paths.length).toBeGreaterThan(10)
    expect(paths.filter((name) => !existsSync(join(ROOT, name)))).toEqual([])
  })

  test('rule and trap fits the two screens of AGENTS.md', () => {
    const lines = (pages.get('AGENTS.md') ?? '').split('\n')
    expect(lines.length).toBeLessThan(110)
    expect(lines.filter((line) => line.length > 120)).toEqual([])
  })

  test('link leads somewhere', () => {
    expect(checkLinks(pages, (path) => existsSync(join(ROOT, path)))).toEqual([])
  })

  test('use of the program is possible', () => {
    expect(checkUses(pages, commands)).toEqual([])
  })

  test('command that a message of the program names exists', () => {
    const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    const sources = files.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    const uses = sources.flatMap((file) =>
      [...readFileSync(join(ROOT, 'src', file), 'utf8').matchAll(/`(remindb [^`\n\\$]+)\\?`/g)].map(
        ([, use = '']) => use,
      ),
    )
    expect(uses.length).toBeGreaterThan(2)
    expect(uses.flatMap((use) => problemsOfUse(use, commands))).toEqual([])
  })
})

describe('snippets', () => {
  const snippets = listSnippets(pages)

  test('type-check', () => {
    expect(snippets.length).toBeGreaterThan(5)
    expect(typeCheck(join(folder, 'types'), snippets)).toEqual([])
  })

  test.each(snippets.filter(({ runs }) => runs).map((snippet) => [snippet.name, snippet] as const))(
    '%s prints what its page says',
    (name, snippet) => {
      const { stdout, stderr, status } = runSnippet(join(folder, name), snippet)
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
      expect(stdout).toBe(snippet.output)
    },
  )
})

describe('transcripts', () => {
  // Those that go on from one to the next: see tutorials.test.ts.
  const single = new Map([...pages].filter(([path]) => !isFollowed(path)))
  const transcripts = listTranscripts(single)
  beforeAll(ensureProgramIsBuilt)

  test('are there', () => expect(transcripts).not.toEqual([]))

  test.each(transcripts.map(({ name, transcript }) => [name, transcript] as const))(
    '%s is what one sees',
    (name, transcript) => {
      expect(replay(join(folder, name.replaceAll(/[^a-z]/gi, '-')), transcript)).toBe(transcript)
    },
  )
})

describe('the checks themselves', () => {
  beforeAll(ensureProgramIsBuilt)
  const nothing = () => false
  const links = (text: string, others: Record<string, string> = {}) =>
    checkLinks(new Map(Object.entries({ 'docs/a.md': text, ...others })), nothing)

  test('find a link to a page that is not there', () => {
    expect(links('\n[x](b.md)')).toEqual(['docs/a.md:2: b.md leads nowhere'])
    expect(links('[x](../b.md)', { 'b.md': '' })).toEqual([])
    expect(links('[x](https://example.org/b.md)')).toEqual([])
    expect(checkLinks(new Map([['a.md', '[x](src)']]), (path) => path === 'src')).toEqual([])
  })

  test('find a link to a heading that is not there', () => {
    expect(links('[x](b.md#two)', { 'docs/b.md': '# One' })).toHaveLength(1)
    expect(links('[x](#two)\n\n# One')).toHaveLength(1)
    expect(links('[x](#a-b_cd-e)\n\n## A `b_c.d` — e'.replace(' —', ''))).toEqual([])
    expect(links('[x](#one-1)\n\n# One\n\n# One')).toEqual([])
    expect(links('```md\n# One\n```\n[x](#one)')).toHaveLength(1)
  })

  test('find what is missing and what is too much', () => {
    expect(compareNames('flag', ['a', 'c'], ['a', 'b'])).toEqual([
      'flag b has no place in the docs; write it',
      'flag c is documented but does not exist; remove it',
    ])
  })

  test('see headings and tables of their own section only', () => {
    const text = '# P\n\n## A\n\n### x\n\n| h |\n| - |\n| `1` |\n\n## B\n\n### y\n\n| h |\n| - |\n| 2 |\n'
    const parsed = parsePage(text)
    expect(headingsUnder(parsed, 3, 'A')).toEqual(['x'])
    expect(headingsUnder(parsed, 3)).toEqual(['x', 'y'])
    expect(headingsUnder(parsed, 3, 'C')).toEqual([])
    expect(tableUnder(parsed, 'x')).toEqual([['1']])
    expect(tableUnder(parsed, 'A')).toEqual([])
    expect(tableUnder(parsed, 'C')).toEqual([])
  })

  test.each([
    ['remindb compil notes', ['there is no command compil']],
    ['$ bin/remindb compile --strikt notes', ['compile has no flag --strikt']],
    ['remindb inspect --strict', ['inspect has no flag --strict']],
    ['remindb compile notes -x', ['compile has no flag -x']],
    ['remindb --nope', ['--nope has no flag --nope']],
    ['remindb compile --db=x notes -m "--odd" # --comment', []],
    ['remindb <command> --help', []],
    ['git commit --amend', []],
    ['remindb', []],
  ])('judge %j', (use, problems) => {
    const known = [
      { name: 'compile', flags: ['-m', '--strict', '--db'] },
      { name: 'inspect', flags: ['--tree', '--db'] },
    ]
    expect(problemsOfUse(use, known)).toEqual(problems)
  })

  test('look into shell blocks, and into backticks', () => {
    const text = 'Say `remindb nope`.\n\n```sh\ntrue\nremindb nope\n```\n\n```ts\nremindb nope\n```\n'
    expect(checkUses(new Map([['a.md', text]]), commands)).toEqual([
      'a.md:5: there is no command nope',
      'a.md:1: there is no command nope',
    ])
  })

  test('find a transcript whose answers are not the real ones', () => {
    const [found] = listTranscripts(
      new Map([['a.md', '```console\n$ echo a\nb\n$ remindb nope >/dev/null 2>&1\n```\n']]),
    )
    expect(found?.name).toBe('a.md:1')
    expect(replay(join(folder, 'replay'), found?.transcript ?? '')).toBe(
      '$ echo a\na\n$ remindb nope >/dev/null 2>&1\n',
    )
  })

  test('find a snippet that does not compile, and one that fails', () => {
    const text =
      "```ts run\nimport { openMemory } from 'remindb'\nconst n: number = openMemory\n```\n\n```text\n1\n```\n\n```js\n```\n"
    const [snippet, ...others] = listSnippets(new Map([['a.md', text]]))
    expect(others).toEqual([])
    expect(snippet).toMatchObject({ runs: true, output: '1\n' })
    if (!snippet) return
    expect(typeCheck(join(folder, 'wrong'), [snippet])).toEqual([
      expect.stringContaining('a-md-1.ts(2,7): error TS2322'),
    ])
    expect(runSnippet(join(folder, 'runs'), { ...snippet, code: 'throw new Error()' }).status).toBe(1)
  })
})
