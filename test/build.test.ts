import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { ensureProgramIsBuilt, remindb } from './support/cli.ts'
import { noteFolder } from './support/mcp.ts'

beforeAll(ensureProgramIsBuilt)

/** Texts that are in one place only. */
const SDK = 'io.modelcontextprotocol/protocolVersion'
const ENGINE = 'better-sqlite3'
const INITIALIZE = {
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
}
const QUESTIONS = [INITIALIZE, { method: 'tools/list' }]
  .map((question, id) => `${JSON.stringify({ jsonrpc: '2.0', id, ...question })}\n`)
  .join('')

/** Runs before the program, and says at its end what was loaded when it last wrote to stdout. In its threads too, which write nothing. */
const WATCH = `
const { _cache } = process.getBuiltinModule('module')
const { write } = process.stdout
let loaded
process.stdout.write = function (...args) {
  loaded = { files: Object.keys(_cache), builtins: [...process.moduleLoadList] }
  return write.apply(this, args)
}
process.on('exit', () => loaded && console.error('LOADED' + JSON.stringify(loaded)))
`

test('serve says which tools there are before it loads the engine, or what takes Node long to load', () => {
  const { files, builtins } = loadedBy(['serve', '--source', '.'], QUESTIONS)
  expect(filesWith(SDK, files)).not.toEqual([])
  expect(filesWith(ENGINE, files)).toEqual([])
  expect(builtins).not.toContain('NativeModule crypto')
  expect(builtins).not.toContain('NativeModule fs/promises')
})

test('no other command loads what only serve needs', () => {
  const { files } = loadedBy(['doctor', '--help'])
  expect(files).not.toEqual([])
  expect(filesWith(SDK, files)).toEqual([])
})

function loadedBy(args: string[], input = ''): { files: string[]; builtins: string[] } {
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(WATCH)}` }
  const { stderr } = remindb(args, { cwd: noteFolder({ 'a.md': '# Deploys\n' }), env, input })
  return JSON.parse(stderr.split('LOADED')[1] ?? '')
}

function filesWith(text: string, files: string[]): string[] {
  return files.filter((file) => readFileSync(file, 'utf8').includes(text))
}
