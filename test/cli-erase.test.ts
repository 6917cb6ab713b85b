import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Memory, openMemory } from '../src/index.ts'
import { ensureProgramIsBuilt, remindb, temporaryFolder } from './support/cli.ts'
import { compiledFolder, idOf } from './support/cli-folders.ts'
import { expectSound } from './support/engine.ts'
import { folderBytes } from './support/store-files.ts'

beforeAll(ensureProgramIsBuilt)

const SECRET = ['zanzibar', 'quetzalcoatl', 'xylotomist']
const TEXT = `The ${SECRET.join(' ')} plan.`

/** A memory with `fill` in it, closed; what `fill` gives is what a person has in hand. */
async function filledFolder<T>(fill: (memory: Memory) => Promise<T>) {
  const folder = compiledFolder()
  const at = async <R>(work: (memory: Memory) => Promise<R>): Promise<R> => {
    await using memory = await openMemory({ db: folder.path })
    return await work(memory)
  }
  const inHand = await at(fill)
  return { ...folder, at, inHand, [Symbol.dispose]: folder[Symbol.dispose] }
}

async function nodeOf(memory: Memory, query: string): Promise<string> {
  return (await memory.search({ query, warm: false })).hits[0]?.id ?? ''
}

async function storeRecord({ records }: Memory): Promise<string> {
  return (await records.store({ type: 'core', content: TEXT })).id
}

async function appendFile({ memoryNode }: Memory, threadId?: string): Promise<void> {
  const scope = threadId === undefined ? 'global' : 'perThread'
  const files = memoryNode({ id: 'memory', scope }).getMemoryService({ threadId })
  await files.append('/notes/today', TEXT)
}

const NAMES: Record<string, { fill(memory: Memory): Promise<string>; shown: RegExp }> = {
  'a key as the tree shows it': {
    fill: async (memory) => {
      await memory.keys.remember({ key: 'the key', value: TEXT })
      return 'key:the key'
    },
    shown: /^key:the key$/,
  },
  'a key as its resource is called': {
    fill: async (memory) => {
      await memory.keys.remember({ key: 'the key', value: TEXT })
      return 'memory://the%20key'
    },
    shown: /^key:the key$/,
  },
  'a record by its id': { fill: storeRecord, shown: /^record:[0-9a-f-]{36}$/ },
  'a record as the tree shows it': {
    fill: async (memory) => `record:${(await storeRecord(memory)).toUpperCase()}`,
    shown: /^record:[0-9a-f-]{36}$/,
  },
  'a file of the files door': {
    fill: async (memory) => {
      await appendFile(memory)
      return 'file:memory/notes/today'
    },
    shown: /^file:memory\/notes\/today$/,
  },
  'a file of a thread': {
    fill: async (memory) => {
      await appendFile(memory, 'team/a@b')
      return 'file:memory@team/a@b/notes/today'
    },
    shown: /^file:memory@team\/a@b\/notes\/today$/,
  },
  'a note by its id': {
    fill: async (memory) => (await memory.write({ payload: `${TEXT}\n\nAnd more.` })).id,
    shown: /^note:\w{11}$/,
  },
  'any document by the id of one of its nodes': {
    fill: async (memory) => {
      await memory.keys.remember({ key: 'the key', value: `# Part\n\n${TEXT}` })
      return nodeOf(memory, 'zanzibar')
    },
    shown: /^key:the key$/,
  },
  'a node that was forgotten': {
    fill: async (memory) => {
      const { id } = await memory.write({ payload: TEXT })
      await memory.forget({ id })
      return id
    },
    shown: /^note:\w{11}$/,
  },
  'a key that was forgotten': {
    fill: async (memory) => {
      await memory.keys.remember({ key: 'the key', value: TEXT })
      await memory.keys.forget('the key')
      return 'key:the key'
    },
    shown: /^key:the key$/,
  },
}

describe.each(Object.entries(NAMES))('%s', (_, { fill, shown }) => {
  test('names what is erased, from every byte of every file', async () => {
    using folder = await filledFolder(fill)
    const dry = folder.run('erase', folder.inHand, '--json')
    const before = JSON.parse(dry.stdout)
    expect(dry.code).toBe(1)
    expect(before).toMatchObject({ erased: false, scrubbed: null, snapshot_id: null })
    expect(before.document).toMatch(shown)
    expect(folderBytes(join(folder.path, '.remindb')).includes(SECRET[0] as string)).toBe(true)
    const { code, stdout, stderr } = folder.run('erase', folder.inHand, '--yes')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain(`erased ${before.document} (`)
    const bytes = folderBytes(join(folder.path, '.remindb'))
    for (const word of SECRET) expect(bytes.includes(word), word).toBe(false)
    expect(bytes.includes('Talk to Ada.')).toBe(true)
    await folder.at(expectSound)
  })
})

describe('a file on disk', () => {
  const names = {
    'as the tree shows it': () => ['team/ops.md', '.'],
    'as a path from where one is': () => ['ops.md', 'team'],
    'as a whole path': (folder: string) => [join(folder, 'team/ops.md'), '.'],
  } as const

  test.each(Object.entries(names))('%s', (_, given) => {
    using folder = compiledFolder()
    const [name = '', cwd = ''] = given(folder.path)
    const { code, stdout } = remindb(['erase', name, '--yes'], { cwd: join(folder.path, cwd) })
    expect(code).toBe(0)
    expect(stdout).toBe(
      [
        `erased ${join(folder.path, 'team/ops.md')} (2 nodes); snapshot 2`,
        'on disk: overwritten',
        'backups: none beside the database; backups elsewhere still contain it',
        'the file still exists: compile skips it until you delete or rename it',
        '',
      ].join('\n'),
    )
    expect(folder.run('inspect', '--tree').stdout).not.toContain('Ada')
  })

  test('is skipped by compile, and its path is free when the file is gone', () => {
    using folder = compiledFolder()
    folder.run('erase', 'team/ops.md', '--yes')
    expect(folder.run('compile', '.').stdout + folder.run('compile', '.').stderr).toContain('was erased')
    rmSync(join(folder.path, 'team/ops.md'))
    folder.run('compile', '.')
    folder.write('team/ops.md', '# Ops\n\nTalk to Grace.\n')
    folder.run('compile', '.')
    expect(folder.run('inspect', '--tree').stdout).toContain('Talk to Grace.')
  })

  test('that is gone already is erased from history', () => {
    using folder = compiledFolder()
    rmSync(join(folder.path, 'team/ops.md'))
    folder.run('compile', '.')
    const { code, stdout } = folder.run('erase', 'team/ops.md', '--yes')
    expect(code).toBe(0)
    expect(stdout).not.toContain('still there')
    expect(folderBytes(join(folder.path, '.remindb')).includes('Talk to Ada')).toBe(false)
  })

  test('of two that are called so, none is erased, and both are named', () => {
    using folder = compiledFolder()
    folder.write('team/billing.md', '# Other\n')
    folder.run('compile', '.')
    const { code, stderr } = remindb(['erase', 'billing.md', '--yes'], { cwd: join(folder.path, 'team') })
    expect(code).toBe(1)
    expect(stderr).toBe(
      `remindb: "billing.md" names 2 documents: ${join(folder.path, 'billing.md')}, ${join(folder.path, 'team/billing.md')}; choose one, or give the id of one of its nodes\n`,
    )
    expect(folder.run('erase', join(folder.path, 'billing.md'), '--yes').code).toBe(0)
  })
})

test('without --yes it says what would go, and nothing does', () => {
  using folder = compiledFolder()
  const node = idOf(folder.run('inspect', '--tree').stdout, 'Retries are capped at five.')
  const { code, stdout, stderr } = folder.run('erase', node)
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
  expect(stdout).toBe(
    [
      `would erase ${join(folder.path, 'billing.md')} (4 nodes), with every text it ever had`,
      `node ${node} is one of its nodes: the whole document would be erased`,
      'nothing was erased; erasing cannot be undone: confirm with --yes',
      '',
    ].join('\n'),
  )
  expect(folder.run('inspect', '--tree').stdout).toContain('Retries are capped')
})

test('says which copies may still have it, and what is already erased', () => {
  using folder = compiledFolder()
  const copy: { file: string } = JSON.parse(folder.run('backup', '--json').stdout)
  const { stdout } = folder.run('erase', 'billing.md', '--yes')
  const { file } = copy
  expect(stdout).toContain(`\nbackups: 1 beside the database may still contain it; delete them:\n  ${file}\n`)
  const again = folder.run('erase', 'billing.md', '--json')
  expect(again.code).toBe(0)
  expect(JSON.parse(again.stdout)).toEqual({
    document: join(folder.path, 'billing.md'),
    kind: 'source',
    node_id: null,
    nodes: 0,
    erased: true,
    snapshot_id: null,
    scrubbed: true,
    backups: [file],
    file_exists: true,
  })
  expect(folder.run('erase', 'billing.md').stdout).toContain(
    `${join(folder.path, 'billing.md')} was already erased\n`,
  )
})

test('while another process reads, the overwriting is pending: exit code 1, and doctor finishes it', async () => {
  using folder = compiledFolder()
  const { default: Sqlite } = await import('better-sqlite3')
  const reader = new Sqlite(folder.db)
  reader.exec('BEGIN; SELECT count(*) FROM nodes')
  reader.prepare('SELECT count(*) FROM nodes').get()
  const env = { REMINDB_STORE_LOCK_WAIT_MS: '50' }
  const { code, stdout } = remindb(['erase', 'billing.md', '--yes'], { cwd: folder.path, env })
  expect(code).toBe(1)
  expect(stdout).toContain(
    '\non disk: not overwritten yet, because another process is reading; a running server or `remindb doctor --fix` will do it\n',
  )
  reader.close()
  expect(folder.run('doctor', '--fix').code).toBe(0)
  expect(folderBytes(join(folder.path, '.remindb')).includes('Retries are capped')).toBe(false)
})

test('of what was removed before, the answers say that its history goes', async () => {
  using folder = await filledFolder(async (memory) => {
    await memory.keys.remember({ key: 'k', value: TEXT })
    await memory.keys.forget('k')
  })
  expect(folder.run('erase', 'key:k').stdout).toContain('would erase key:k (history only), ')
  expect(folder.run('erase', 'key:k', '--yes').stdout).toContain('erased key:k (history only); ')
})

test('a key keeps to what the answer says of it; a file of the files door may be begun anew', async () => {
  using folder = await filledFolder(async (memory) => {
    await memory.keys.remember({ key: 'k', value: TEXT })
    await appendFile(memory)
  })
  expect(folder.run('erase', 'key:k', '--yes').stdout).toContain(
    '\nthe key accepts no value until an agent calls `forget` for it\n',
  )
  folder.run('erase', 'file:memory/notes/today', '--yes')
  await folder.at(async (memory) => {
    const store = () => memory.keys.remember({ key: 'k', value: 'new' })
    await expect(store()).rejects.toMatchObject({ code: 'REDACTED' })
    await memory.keys.forget('k')
    expect(await store()).toBe('stored')
    await appendFile(memory)
    await expectSound(memory)
  })
})

describe('what is not there', () => {
  test('is said, with what may have been meant', async () => {
    using folder = await filledFolder(async (memory) => {
      await memory.keys.remember({ key: 'the-key', value: TEXT })
      await appendFile(memory)
    })
    const refusal = (name: string): string => {
      const { code, stderr } = folder.run('erase', name, '--yes')
      expect(code).toBe(1)
      return stderr.replace('remindb: ', '').trim()
    }
    expect(refusal('the-key')).toBe('there is no document "the-key"; did you mean key:the-key?')
    expect(refusal('/notes/today')).toBe(
      'there is no document "/notes/today"; did you mean file:memory/notes/today?',
    )
    expect(refusal('team')).toBe('team is a folder, and only documents are erased; name one of its files')
    expect(refusal('file:memory/notes')).toBe(
      'file:memory/notes is a folder, and only documents are erased; name one of its files',
    )
    expect(refusal('memory://core')).toBe(
      'memory://core shows more than one document; name a record as record:… and its id, a key as key:…',
    )
    expect(refusal('nowhere.md')).toBe(
      'there is no document "nowhere.md"; `remindb tree` shows them: name one by its path, as key:…, record:… or file:…, or by the id of one of its nodes',
    )
    expect(folderBytes(join(folder.path, '.remindb')).includes(SECRET[0] as string)).toBe(true)
  })

  test('a memory: it is never made', () => {
    using folder = temporaryFolder()
    const { code, stderr } = remindb(['erase', 'a.md', '--yes'], { cwd: folder.path })
    expect(code).toBe(1)
    expect(stderr).toContain('there is no memory in')
  })
})

test('a key that an agent redacted loses its tags too, when a person says so', async () => {
  using folder = await filledFolder(async ({ keys }) => {
    await keys.remember({ key: 'the key', value: TEXT, tags: ['tagtapir'] })
    await keys.redact({ key: 'the key' })
  })
  const hasTag = () => folderBytes(folder.path).includes('tagtapir')
  const asked = folder.run('erase', 'key:the key')
  expect(asked.stdout).toContain('would erase key:the key (tags only)')
  expect([asked.code, hasTag()]).toEqual([1, true])
  expect(folder.run('erase', 'key:the key', '--yes').stdout).toContain(
    'erased key:the key (tags only); snapshot',
  )
  expect(hasTag()).toBe(false)
  for (const again of [['--yes'], []]) {
    const { code, stdout } = folder.run('erase', 'key:the key', ...again)
    expect(stdout).toContain('key:the key was already erased\non disk: overwritten')
    expect(code).toBe(0)
  }
})
