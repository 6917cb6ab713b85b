import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import {
  cleanEnvironment,
  ensureProgramIsBuilt,
  PROGRAM,
  remindb,
  remindbOnTerminal,
} from '../support/cli.ts'
import { connect, noteFolder } from '../support/mcp.ts'

beforeAll(ensureProgramIsBuilt)

const NOTES = { 'a.md': '# Deploys\n\nNever on a Friday.\n' }
let lastId = 0
const INITIALIZE = request('initialize', {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'raw', version: '1' },
})
const DISCOVER = request('server/discover', {
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'prober', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  },
})

function request(method: string, params: object = {}): object {
  return { jsonrpc: '2.0', id: ++lastId, method, params }
}
const call = (name: string, args: object = {}) => request('tools/call', { name, arguments: args })
const lines = (...messages: object[]): string => messages.map((one) => `${JSON.stringify(one)}\n`).join('')

interface Answer {
  id: number
  error?: { code: number }
  result?: { content?: { text: string }[]; isError?: boolean }
}
const answersIn = (stdout: string): Answer[] =>
  stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

function start(args: string[], cwd: string): ChildProcess {
  const child = spawn(process.execPath, [PROGRAM, 'serve', ...args], { cwd, env: cleanEnvironment({}) })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

describe('the process', () => {
  test('answers everything that was asked before its input ended, and ends', () => {
    const cwd = noteFolder(NOTES)
    const input = lines(
      INITIALIZE,
      call('MemorySearch', { query: 'friday' }),
      call('MemoryWrite', { payload: 'Kept.' }),
    )
    const { code, stdout } = remindb(['serve', '--source', '.'], { cwd, input })
    expect(code).toBe(0)
    const texts = answersIn(stdout).flatMap(({ result }) => result?.content?.map((one) => one.text) ?? [])
    expect(texts.some((one) => one.includes('Never on a Friday.'))).toBe(true)
    expect(texts.some((one) => one.startsWith('wrote node'))).toBe(true)
    expect(remindb(['search', 'kept'], { cwd }).stdout).toContain('Kept.')
  })

  test('ends without a word to stdout when nobody asks anything', () => {
    const { code, stdout, stderr } = remindb(['serve', '--source', '.'], {
      cwd: noteFolder(NOTES),
      input: '',
    })
    expect([code, stdout]).toEqual([0, ''])
    expect(stderr).toContain('serve: starting')
  })

  test.each(['SIGTERM', 'SIGINT'] as const)('%s ends it cleanly', async (signal) => {
    const cwd = noteFolder(NOTES)
    const child = start(['--source', '.'], cwd)
    const stdout = text(child.stdout as NodeJS.ReadableStream)
    const answered = new Promise<void>((resolve) => {
      child.stdout?.on('data', (piece) => String(piece).includes('wrote node') && resolve())
    })
    child.stdin?.write(lines(INITIALIZE, call('MemoryWrite', { payload: `Written before ${signal}.` })))
    await answered
    child.kill(signal)
    const [code] = await once(child, 'exit')
    expect(code).toBe(0)
    expect(await stdout).toContain('wrote node')
    expect(existsSync(join(cwd, '.remindb', 'memory.db-wal'))).toBe(false)
    const [ledger = ''] = readdirSync(join(cwd, '.remindb', 'sessions'))
    expect(readFileSync(join(cwd, '.remindb', 'sessions', ledger), 'utf8')).toContain('disconnected_at')
  })

  test('says why when the memory cannot be opened, to every call', () => {
    const cwd = noteFolder({
      'other.db': 'this is no database, but longer than a header would have to be'.repeat(40),
    })
    const { stdout, stderr, code } = remindb(['serve', '--db', 'other.db'], {
      cwd,
      input: lines(INITIALIZE, call('MemoryStats'), call('MemorySearch', { query: 'x' })),
    })
    const failed = answersIn(stdout).filter(({ result }) => result?.isError)
    expect(failed).toHaveLength(2)
    expect(failed[0]?.result?.content?.[0]?.text).toContain('not a')
    expect(stderr).toContain('memory cannot be opened')
    expect(code).toBe(1)
    expect(readFileSync(join(cwd, 'other.db'), 'utf8')).toMatch(/^this is no database/)
  })

  test('shows its log and who is there also when the memory cannot be opened, and reading them does not add to the log', async () => {
    const folder = noteFolder({ 'memory.db': 'no database' })
    const { call, read } = await connect({ args: ['--db', `${folder}/memory.db`] })
    await call('MemoryStats')
    const before = (await read('remindb://logs')) as { records: { msg: string }[] }
    expect(before.records.map(({ msg }) => msg)).toContain('serve: memory cannot be opened')
    expect(await read('remindb://logs')).toEqual(before)
    expect(await read('remindb://sessions')).toMatchObject({
      db_path: `${folder}/memory.db`,
      sessions: [{ count_tool_calls: 1 }],
    })
    await expect(read('remindb://overview')).rejects.toThrow('not a remindb database')
  })

  test('has a client in the history of sessions as soon as it is attached', async () => {
    const { read } = await connect({ args: ['--source', noteFolder({ 'a.md': 'A note.' })] })
    expect(await read('remindb://sessions/history')).toMatchObject({
      clients: [{ sessions: 1, last_disconnect: 0 }],
    })
  })

  test('refuses a source that is not there, and a memory that nobody named', () => {
    const cwd = noteFolder({})
    expect(remindb(['serve', '--source', 'nothing'], { cwd, input: '' })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('there is no folder nothing; check --source'),
    })
    expect(remindb(['serve'], { cwd, input: '' })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('name a folder with --source, or a database with --db'),
    })
  })

  test('refuses an interval of looks where there is no source to look at', () => {
    const args = ['serve', '--db', 'x.db', '--rescan-interval', '5s']
    expect(remindb(args, { cwd: noteFolder({}), input: '' })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('rescan interval requires --source (or REMINDB_SOURCE)'),
    })
  })

  test('refuses settings that cannot be meant before anything else', () => {
    const cwd = noteFolder({
      ...NOTES,
      '.remindb/config.json': '{"server":{"resources":{"overrides":{"grahp":"1s"}}}}',
    })
    const { code, stderr } = remindb(['serve', '--source', '.'], { cwd, input: lines(INITIALIZE) })
    expect(code).toBe(1)
    expect(stderr).toContain('unknown key "server.resources.overrides.grahp"')
    expect(
      remindb(['serve', '--source', '.', '--tools', 'trees'], { cwd: noteFolder(NOTES), input: '' }),
    ).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('tree'),
    })
  })

  test('makes a database that is named and not there', () => {
    const cwd = noteFolder({})
    const { code } = remindb(['serve', '--db', 'agent.db'], {
      cwd,
      input: lines(INITIALIZE, call('MemoryWrite', { payload: 'A first note.' })),
    })
    expect(code).toBe(0)
    expect(remindb(['search', 'first', '--db', 'agent.db'], { cwd }).stdout).toContain('A first note.')
  })

  test('keeps its state with the source, and none of it in a repository', () => {
    const cwd = noteFolder({ 'notes/a.md': '# A\n', 'db/keep.txt': '' })
    remindb(['serve', '--source', 'notes', '--db', 'db/agent.db'], {
      cwd,
      input: lines(INITIALIZE, call('MemoryStats')),
    })
    expect(readdirSync(join(cwd, 'notes', '.remindb')).sort()).toEqual(['.gitignore', 'sessions'])
    expect(readFileSync(join(cwd, 'notes', '.remindb', '.gitignore'), 'utf8')).toContain('*')
    expect(existsSync(join(cwd, 'db', '.remindb'))).toBe(false)
  })

  test('what is not there has the number that the older protocol gave it', () => {
    const { stdout } = remindb(['serve', '--source', '.'], {
      cwd: noteFolder(NOTES),
      input: lines(INITIALIZE, request('resources/read', { uri: 'remindb://nothing' })),
    })
    expect(answersIn(stdout).map(({ error }) => error)).toContainEqual({
      code: -32002,
      message: 'Resource not found: remindb://nothing',
      data: { code: 'NOT_FOUND', uri: 'remindb://nothing' },
    })
  })

  test('a line that is no message does not stop it', () => {
    const cwd = noteFolder(NOTES)
    const input = `not json\n{"jsonrpc":"2.0"}\n[]\n\n${lines(INITIALIZE, request('ping'))}`
    const { stdout, code } = remindb(['serve', '--source', '.'], { cwd, input })
    expect(code).toBe(0)
    expect(answersIn(stdout)).toHaveLength(2)
  })

  test.each([
    ['new', DISCOVER, '2026-07-28'],
    ['old', INITIALIZE, 'serverInfo'],
  ])('a client of the %s era that only asks what this is leaves no trace', (_era, question, answer) => {
    const cwd = noteFolder(NOTES)
    const { stdout } = remindb(['serve', '--source', '.'], { cwd, input: lines(question) })
    expect(stdout).toContain(answer)
    expect(existsSync(join(cwd, '.remindb'))).toBe(false)
  })

  test('at a terminal it says what it is for', () => {
    const cwd = noteFolder(NOTES)
    const shown = remindbOnTerminal(['serve', '--source', '.'], { cwd })
    expect(shown).toContain('an agent starts it')
    expect(shown).toContain('"mcpServers"')
    expect(shown).toContain(JSON.stringify(cwd))
  })
})
