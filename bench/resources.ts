/**
 * What each resource costs over HTTP: how long until all of the answer is here, and how large it is. `npm run bench -- resources
 * [--size 100k]`: a table on stderr, JSON on stdout.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openMemory } from '../src/index.ts'
import { nodesOf, writeCorpus } from './engine/corpus.ts'
import { milliseconds, table } from './engine/table.ts'
import { median } from './engine/timing.ts'

const RUNS = 7
const PROGRAM = join(import.meta.dirname, '..', 'bin', 'remindb')
const REVISION = '2026-07-28'
/** Whole, in pages of the usual size, and a search for the most frequent word of the corpus. */
const URIS = [
  ...['overview', 'files', 'tree', 'tree?limit=200', 'graph', 'graph?limit=200', 'snapshots'],
  ...['snapshots?cursor=start', 'snapshots/1/diffs', 'snapshots/1/diffs?limit=200', 'temperature'],
  ...['temperature?limit=200', 'temperature?limit=200&cursor=', 'doctor', 'logs', 'sessions'],
  ...['sessions/history', 'sessions/logs', 'rescan', 'search?q=kalo'],
].map((name) => `remindb://${name}`)

const { values } = parseArgs({ options: { size: { type: 'string', default: '100k' } } })
const work = mkdtempSync(join(tmpdir(), 'remindb-bench-'))
try {
  writeCorpus(work, nodesOf(values.size))
  await compile(work)
  const { url, stop } = await serve(work)
  const rows = []
  for (const uri of URIS) rows.push({ uri, ...(await measure(url, await begun(url, uri))) })
  await stop()
  const lines = table(rows, {
    resource: ({ uri }) => uri,
    time: ({ ms }) => milliseconds(ms),
    size: ({ bytes }) => `${(bytes / 1000).toFixed(1)} kB`,
  })
  process.stderr.write(`${lines.join('\n')}\n`)
  process.stdout.write(`${JSON.stringify({ size: values.size, rows }, null, 2)}\n`)
} finally {
  rmSync(work, { recursive: true, force: true })
}

async function compile(notes: string): Promise<void> {
  await using memory = await openMemory({ db: notes, settings: { author: 'bench' } })
  await memory.compile(notes)
}

async function serve(notes: string) {
  const args = [PROGRAM, 'serve', '--transport', 'http', '--listen', '127.0.0.1:0', '--source', notes]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = new Promise((resolve) => child.once('close', resolve))
  const url = await new Promise<string>((resolve, reject) => {
    let said = ''
    child.stdout.on('data', (piece) => {
      said += piece
      const found = said.match(/ at (http:\S+)\n/)?.[1]
      // Its first look at the source is over: nothing else runs beside what is measured.
      if (found !== undefined && said.includes('Ctrl-C')) resolve(found)
    })
    void ended.then(() => reject(new Error('the server did not start')))
  })
  return {
    url,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** A cursor that is left open is the one of the second page: the first has more to tell. */
async function begun(url: string, uri: string): Promise<string> {
  if (!uri.endsWith('cursor=')) return uri
  const { result } = JSON.parse(await read(url, uri.slice(0, -'&cursor='.length)))
  return uri + encodeURIComponent(JSON.parse(result.contents[0].text).next_cursor)
}

async function measure(url: string, uri: string): Promise<{ ms: number; bytes: number }> {
  let bytes = 0
  const times: number[] = []
  for (let run = -1; run < RUNS; run++) {
    const begin = performance.now()
    bytes = Buffer.byteLength(await read(url, uri))
    if (run >= 0) times.push(performance.now() - begin)
  }
  return { ms: median(times), bytes }
}

async function read(url: string, uri: string): Promise<string> {
  const meta = 'io.modelcontextprotocol/'
  const _meta = {
    [`${meta}protocolVersion`]: REVISION,
    [`${meta}clientInfo`]: { name: 'bench', version: '1' },
    [`${meta}clientCapabilities`]: {},
  }
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': REVISION,
    'mcp-method': 'resources/read',
    'mcp-name': uri,
  }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri, _meta } })
  const text = await (await fetch(url, { method: 'POST', headers, body })).text()
  if (text.includes('"error"') && !text.includes('"result"')) throw new Error(`${uri}: ${text.slice(0, 300)}`)
  return text
}
