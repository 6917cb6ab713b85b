import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { redactionMarker } from '../../src/core/redact.ts'
import { PARSERS } from '../../src/ingest/parsers.ts'
import type { Memory } from '../../src/runtime/memory/open-memory.ts'
import type { Log } from '../../src/util/log.ts'
import {
  expectSound,
  idOf,
  openIn,
  openWorkspace,
  outlineOf,
  temporaryFolder,
  type Workspace,
} from '../support/engine.ts'
import { DOOR_WRITES, MARKER, type Path, refused } from '../support/secret-doors.ts'
import { BROKEN, FILES, SECRET, SPLIT } from '../support/secret-files.ts'
import { SECRETS, secretOf } from '../support/secrets.ts'

const KEY = SECRETS.findLast(({ kind }) => kind === 'private_key_block')?.text ?? ''

const nothing = (): void => undefined
const SILENT: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing, of: () => SILENT }

/** What takes no text that is kept. */
const READS = [
  'findDocuments',
  'overview',
  'graph',
  'coldest',
  'tick',
  'startTicker',
  'startExpiry',
  'startScrubs',
  'flush',
  'scrub',
  'tree',
  'forest',
  'fetch',
  'fetchBatch',
  'search',
  'related',
  'files',
  'roots',
  'namedPath',
  'findColdReport',
  'findFirstCompile',
  'findRescan',
  'watch',
  'settings',
  'snapshots',
  'log',
  'blame',
  'delta',
  'diff',
  'history',
  'previewRollback',
  'checkpoints',
  'removeCheckpoint',
  'check',
  'bisect',
  'historyCost',
  'pruneHistory',
  'startPruning',
  'firstLook',
  'worthShortening',
  'doctor',
  'export',
  'backup',
  'close',
]

/**
 * Every call that writes, with the secret in every argument that takes text. `id` is a node of a file. A new method of
 * the memory fails the test until it has its lines here, or its place in READS.
 */
const WRITES: Partial<Record<keyof Memory, Record<string, Path>>> = {
  compile: {
    'files of every format': (at) => at.compile(filesOf(FILES)),
    'files that do not parse': (at) => at.compile(filesOf(BROKEN)),
    message: (at) => at.memory.compile(compiled(at), { message: `message ${SECRET}` }),
  },
  write: {
    'a note of every format': (at) =>
      Promise.all(Object.values(FILES).map((payload) => at.memory.write({ payload }))),
    'a note under a node': ({ memory }, parent) => memory.write({ parent, payload: FILES['.md'] ?? '' }),
    'a text for a node': ({ memory }, anchor) =>
      memory.write({ anchor, payload: `# New ${SECRET}\n\n${SECRET}` }),
    'an unknown node': ({ memory }) => refused(memory.write({ anchor: SECRET, payload: SECRET })),
  },
  summarize: {
    summary: ({ memory }, id) =>
      memory.summarize({ id, summary: `Short ${SECRET}, [[${SECRET}; source=${SECRET}; id=${SECRET}]]` }),
    'an unknown node': ({ memory }) => refused(memory.summarize({ id: SECRET, summary: SECRET })),
  },
  forget: {
    node: ({ memory }, id) => memory.forget({ id, mode: 'cascade' }),
    'an unknown node': ({ memory }) => refused(memory.forget({ id: SECRET })),
  },
  restore: {
    'a node as it was': async ({ memory }) => {
      const { id } = await memory.write({ payload: `${SECRET} first` })
      const [written] = await memory.snapshots({ limit: 1 })
      await memory.write({ anchor: id, payload: `${SECRET} second` })
      await memory.restore({ id, snapshot: written?.id ?? 0 })
    },
  },
  revert: {
    'an author whose name is a secret': async ({ memory }) => {
      await memory.write({ payload: `${SECRET} first` })
      await memory.by(SECRET).write({ payload: 'Noted.' })
      await memory.revert({ author: MARKER, since: 0 }).catch(() => undefined)
      await memory.revert({ snapshots: [1], force: true })
    },
  },
  checkpoint: { 'a name': ({ memory }) => refused(memory.checkpoint({ name: SECRET })) },
  rollback: {
    'to a secret': async (at) => {
      await at.compile(filesOf(FILES))
      await at.memory.rollback({ snapshotId: 1 })
      await at.memory.rollback({ snapshotId: 2 })
    },
  },
  erase: {
    document: async ({ memory }) => {
      const { id } = await memory.write({ payload: SECRET })
      await memory.erase({ kind: 'note', id })
    },
    'an unknown document': ({ memory }) => refused(memory.erase({ kind: 'note', id: SECRET })),
  },
  pin: {
    node: ({ memory }, id) => memory.pin({ id }),
    'an unknown node': ({ memory }) => refused(memory.pin({ id: SECRET })),
  },
  unpin: {
    node: ({ memory }, id) => memory.unpin(id),
    'an unknown node': ({ memory }) => refused(memory.unpin(SECRET)),
  },
  relate: {
    'a label and a file': ({ memory }, sourceId) =>
      memory.relate({ sourceId, targetLabel: `to ${SECRET}`, targetSource: `${SECRET}.md` }),
    'an id to come': ({ memory }, sourceId) =>
      memory.relate({ sourceId, targetId: SECRET, targetLabel: SECRET }),
    'an unknown node': ({ memory }) => refused(memory.relate({ sourceId: SECRET, targetLabel: SECRET })),
  },
  unrelate: {
    'a label': async ({ memory }, sourceId) => {
      await memory.relate({ sourceId, targetLabel: SECRET })
      expect(await memory.unrelate({ sourceId, targetLabel: SECRET })).toBe(1)
    },
  },
  import: {
    'an export that has the secret in every place': async (at) => {
      const folder = temporaryFolder()
      const settings = {
        'redaction.disable_builtin_kinds': ['github_pat', 'env_secret_assignment'],
        author: SECRET,
      }
      await using open = await openIn(folder, { settings })
      const written = await open.write({ payload: (FILES['.md'] ?? '').replaceAll(SPLIT, '') })
      await open.write({ anchor: written.id, payload: `# New ${SECRET}` })
      await open.relate({ sourceId: written.id, targetLabel: SECRET, targetSource: SECRET })
      // Not HTML, nor markup in Markdown: what was stored with a secret in another spelling is not read anew.
      for (const extension of ['.md', '.yaml', '.json', '.jsonl', '.toon'])
        writeFileSync(join(folder, `file${extension}`), (FILES[extension] ?? '').replaceAll(SPLIT, ''))
      await open.compile(folder, { message: SECRET })
      const pieces: string[] = []
      await open.export((piece) => void pieces.push(piece))
      const exported = pieces.join('')
      expect(exported).toContain(SECRET)
      await using target = await openIn(join(at.folder, 'imported.db'))
      expect((await target.import(Readable.from([Buffer.from(exported)]))).documents).toBeGreaterThan(1)
      expect((await target.doctor()).status).not.toBe('fail')
    },
  },
  startRescan: {
    'a folder with secrets': async (at) => {
      for (const [path, text] of Object.entries(filesOf(FILES))) at.file(path, text)
      const rescan = at.memory.startRescan(at.folder, { log: SILENT })
      await rescan.looked
      await rescan.stop()
    },
  },
  ...DOOR_WRITES,
  by: {
    'a name that is a secret': ({ memory }) => memory.by(SECRET).write({ payload: `${SECRET} by somebody` }),
  },
  warm: { 'unknown nodes': ({ memory }) => memory.warm([SECRET]) },
  heal: {
    'after secrets': async (at) => {
      await at.compile(filesOf(FILES))
      await at.memory.heal()
      await at.memory.backup()
    },
  },
}

/** Only what the memory itself made: the files it was compiled from are the user's. */
const SOURCES = /\.(?:mdx?|markdown|te?xt|html?|ya?ml|jsonl?|ndjson|toon)$/

describe('no secret is stored, whatever the way in:', () => {
  test('every call of the memory is classified', async () => {
    await using at = await openWorkspace()
    const calls = Object.entries(at.memory).flatMap(([name, value]) =>
      typeof value === 'function' ? [name] : [],
    )
    expect(calls.filter((name) => !READS.includes(name) && !(name in WRITES))).toEqual([])
  })

  test('every parser has its file here', () => {
    expect(Object.keys(PARSERS).filter((extension) => !(extension in FILES))).toEqual([])
  })

  const paths = Object.entries(WRITES).flatMap(([call, found]) =>
    Object.entries(found).map(([name, path]) => [call, name, path] as const),
  )
  test.each(paths)('%s: %s', async (_call, _name, path) => {
    await using at = await openWorkspace({ 'plain.md': '# Plain\n\nNothing to hide.\n' })
    await path(at, await idOf(at.memory, 'Nothing to hide.'))
    expect(leaks(at.folder)).toEqual([])
    await expectSound(at.memory)
    await at.memory.close()
    expect(leaks(at.folder)).toEqual([])
  })

  test('the author', async () => {
    const folder = temporaryFolder()
    await using memory = await openIn(folder, { settings: { author: `me ${SECRET}` } })
    await memory.write({ payload: 'Plain.' })
    expect((await memory.snapshots())[0]?.author).toBe(`me ${MARKER}`)
    expect(leaks(folder)).toEqual([])
  })

  test('the check itself finds a secret in whatever file, index or journal it is', async () => {
    const folder = temporaryFolder()
    await using memory = await openIn(folder, {
      settings: { 'redaction.disable_builtin_kinds': ['github_pat'] },
    })
    await memory.write({ payload: SECRET })
    expect(leaks(folder)).not.toEqual([])
  })
})

describe('a secret is found', () => {
  test('in each format that is compiled', async () => {
    for (const extension of Object.keys(PARSERS)) {
      await using at = await openWorkspace()
      const { redactions, skipped } = await at.compile({ [`file${extension}`]: FILES[extension] ?? '' })
      expect(skipped).toEqual([])
      expect(redactions.github_pat, extension).toBeGreaterThan(0)
      expect(redactions.env_secret_assignment, extension).toBeGreaterThan(0)
    }
  })

  test('where a long text is split', async () => {
    const files: Record<string, string> = {}
    for (let length = 120; length < 250; length += 5) {
      const text = `${'x'.repeat(length)} ${SECRET} ${'y'.repeat(300)}`
      files[`text-${length}.md`] = `${text}\n\n# ${text}\n\n- ${text}\n\n| ${text} |\n| - |\n| ${text} |\n`
      files[`code-${length}.md`] = `\`\`\`\n${text.replaceAll(' ', '/')}\n\`\`\`\n`
      files[`front-${length}.md`] = `---\na: ${text.replaceAll(' ', '/')}\n---\n`
    }
    await using at = await openWorkspace()
    for (const [path, text] of Object.entries(files)) at.file(path, text)
    await using memory = await openIn(at.folder, { settings: { 'compile.max_node_tokens': 50 } })
    expect((await memory.compile(at.folder)).redactions.github_pat).toBeGreaterThan(100)
    expect(leaks(at.folder)).toEqual([])
  })

  test('that is longer than a node may be', async () => {
    const lines = `${'QUJD'.repeat(16)}\n`.repeat(40)
    const key = `-----BEGIN PRIVATE KEY-----\n${lines}-----END PRIVATE KEY-----`
    const folder = temporaryFolder()
    await using memory = await openIn(folder, { settings: { 'compile.max_node_tokens': 50 } })
    await using at = await openWorkspace({
      'key.md': `Before.\n\n${key}\n\nAfter.\n`,
      'code.md': `\`\`\`\n${key}\n\`\`\``,
    })
    await memory.compile(at.folder)
    expect(await outlineOf(memory)).toEqual([
      redactionMarker('private_key_block'),
      'Before.',
      redactionMarker('private_key_block'),
      'After.',
    ])
  })

  test('and a text that only mentions one stays', async () => {
    const files = {
      'page.html':
        '<p>Set <code>API_KEY="</code> and then</p><h1>Next</h1><p>important <a href="http://y">x</a></p>' +
        '<p>-----BEGIN PRIVATE KEY-----</p><p>Talk of it.</p><p>-----END PRIVATE KEY-----</p>',
      'page.md':
        'Set `API_KEY="` and then\n\n# Next\n\nimportant [x](http://y)\n\n' +
        '-----BEGIN PRIVATE KEY-----\n\nTalk of it.\n\n-----END PRIVATE KEY-----\n',
    }
    for (const [path, text] of Object.entries(files)) {
      await using at = await openWorkspace({ [path]: text })
      expect(await outlineOf(at.memory), path).toEqual([
        'Set API_KEY=" and then',
        'Next',
        '  important [x](http://y)',
        '  -----BEGIN PRIVATE KEY-----',
        '  Talk of it.',
        '  -----END PRIVATE KEY-----',
      ])
      await at.memory.close()
    }
    await using at = await openWorkspace()
    await at.memory.write({ payload: files['page.md'] })
    expect(await outlineOf(at.memory)).toHaveLength(6)
  })

  test('that goes over several blocks', async () => {
    await using at = await openWorkspace({ 'key.md': `Before.\n\n${KEY}\n\nAfter.\n` })
    expect(KEY).toContain('\n\n')
    const lines = KEY.split('\n').map((line) => `<p>${line}</p>\n`)
    await using page = await openWorkspace({ 'key.html': `<p>Before.</p>${lines.join('')}<div>After.</div>` })
    expect(await outlineOf(page.memory)).toEqual(['Before.', redactionMarker('private_key_block'), 'After.'])
    expect(await outlineOf(at.memory)).toEqual(['Before.', redactionMarker('private_key_block'), 'After.'])
  })
})

describe('the answer says what was redacted', () => {
  test('of a compile: in the files that were put', async () => {
    await using at = await openWorkspace()
    const first = await at.compile({
      'a.md': `${SECRET}\n\n${SECRET}\n`,
      'b.md': `${secretOf('jwt')}\n`,
      'c.md': 'Plain.\n',
    })
    expect(first.redactions).toEqual({ github_pat: 2, jwt: 1 })
    expect((await at.compile({ 'c.md': 'Plain still.\n' })).redactions).toEqual({})
  })

  test('of a write and a summary: what was not redacted before', async () => {
    await using at = await openWorkspace()
    const written = await at.memory.write({ payload: `${MARKER}, ${SECRET} and ${secretOf('jwt')}` })
    expect(written.redactions).toEqual({ github_pat: 1, jwt: 1 })
    expect((await at.memory.write({ payload: `Again ${MARKER}` })).redactions).toEqual({})
    const summary = await at.memory.summarize({ id: written.id, summary: `Short ${SECRET}` })
    expect(summary.redactions).toEqual({ github_pat: 1 })
  })
})

describe('settings', () => {
  test('a change of them compiles every file anew', async () => {
    await using at = await openWorkspace({ 'a.md': `Ticket-1234 and ${SECRET}\n` })
    const custom = [{ kind: 'ticket', pattern: 'Ticket-\\d+' }]
    await using other = await openIn(at.folder, {
      settings: { 'redaction.custom': custom, 'redaction.disable_builtin_kinds': ['github_pat'] },
    })
    expect((await other.compile(at.folder)).redactions).toEqual({ ticket: 1 })
    expect(await outlineOf(other)).toEqual([`${redactionMarker('ticket')} and ${SECRET}`])
  })

  test('that cannot be meant keep a memory from being opened, before anything is made', async () => {
    const folder = temporaryFolder()
    const settings = { 'redaction.custom': [{ kind: 'x', pattern: '(' }] }
    await expect(openIn(folder, { settings })).rejects.toThrow('invalid redaction.custom: the pattern of "x"')
    expect(readdirSync(folder)).toEqual([])
  })
})

function filesOf(contents: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(contents).map(([extension, text]) => [`file${extension}`, text]))
}

function compiled(at: Workspace): string {
  at.file('more.md', `More ${SECRET}.\n`)
  return join(at.folder, 'more.md')
}

/** The files below `folder` that hold the secret, or a part of it that an index would make, as bytes. */
function leaks(folder: string): string[] {
  const needles = [SECRET.slice(4, 24), 'correct', 'horse', 'battery'].map((word) => word.toLowerCase())
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).filter((path) => !SOURCES.test(path))
  expect(paths.length).toBeGreaterThan(0)
  return paths.flatMap((path) => {
    const bytes = readFileSync(path, 'latin1').toLowerCase()
    return needles.filter((needle) => bytes.includes(needle)).map((needle) => `${path}: ${needle}`)
  })
}
