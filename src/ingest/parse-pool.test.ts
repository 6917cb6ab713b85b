import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { LoadedFile, LoadRequest } from '../core/compile/source-folder.ts'
import { loadFiles, loadInThreads, type PoolOptions } from './parse-pool.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'remindb-pool-'))
})
afterEach(() => rmSync(root, { recursive: true }))

/** Files of growing size, so that small ones could overtake large ones; every tenth has invalid front matter, every ninth is missing. */
function writeFiles(count: number): LoadRequest[] {
  return Array.from({ length: count }, (_, at) => {
    const path = `${String(at).padStart(3, '0')}.md`
    const text =
      at % 10 === 3 ? '---\na: [\n---\n' : `# File ${at}\n\n${`Text of ${at}.\n\n`.repeat((at * 37) % 200)}`
    if (at % 9 !== 5) writeFileSync(join(root, path), text)
    return { path, sizeBytes: text.length, knownDigest: null }
  })
}

function options(more: Partial<PoolOptions> = {}): PoolOptions {
  const redaction = { settings: {}, fingerprint: '' }
  const loading = { root, maxNodeTokens: 1000, maxFileBytes: Number.POSITIVE_INFINITY, redaction }
  return { loading, maxThreads: 2, ...more }
}

async function all(loading: AsyncIterable<LoadedFile>): Promise<LoadedFile[]> {
  const files: LoadedFile[] = []
  for await (const file of loading) files.push(file)
  return files
}

/** A thread that does `code` with a `port` instead of parsing. */
function threadThat(code: string): URL {
  const source = `import { parentPort as port } from 'node:worker_threads'; ${code}`
  return new URL(`data:text/javascript,${encodeURIComponent(source)}`)
}

describe('files are loaded', () => {
  test('in their order and with the same result for any number of threads', async () => {
    const requests = writeFiles(300)
    const expected = await all(loadFiles(requests, options()))
    expect(expected.map(({ kind }) => kind)).toEqual(
      requests.map((_, at) => (at % 9 === 5 ? 'failed' : 'parsed')),
    )
    for (const maxThreads of [1, 2, 4])
      expect(await all(loadInThreads(requests, options({ maxThreads })))).toEqual(expected)
  })

  test('but not parsed if they are unchanged', async () => {
    const requests = writeFiles(60)
    const first = await all(loadInThreads(requests, options()))
    const known = requests.map((request, at) => ({ ...request, knownDigest: first[at]?.digest ?? null }))
    const kinds = new Set((await all(loadInThreads(known, options()))).map(({ kind }) => kind))
    expect([...kinds].sort()).toEqual(['failed', 'unchanged'])
  })

  test('in threads when there is much to read, else here', async () => {
    const entry = threadThat(
      `port.on('message', (all) => port.postMessage({ ok: true, files: all.map(() => 1) }))`,
    )
    const small = writeFiles(3)
    expect((await all(loadFiles(small, options({ entry })))).map(({ kind }) => kind)).toHaveLength(3)
    const large = small.map((request) => ({ ...request, sizeBytes: 2 ** 30 }))
    expect(await all(loadFiles(large, options({ entry })))).toEqual([1, 1, 1])
  })

  test('none at all, without a thread', async () => {
    expect(await all(loadInThreads([], options()))).toEqual([])
  })
})

describe('a thread', () => {
  test.each([
    [
      'that ends',
      `port.on('message', () => process.exit(7))`,
      /stopped \(exit code 7\) while it read 000\.md/,
    ],
    [
      'that throws',
      `port.on('message', () => { throw new Error('odd') })`,
      /a thread that parses stopped \(odd\)/,
    ],
    ['that does not start', `throw new Error('cannot start')`, /stopped \(cannot start\)/],
  ])('%s fails the load with a reason', async (_, code, message) => {
    const loading = all(loadInThreads(writeFiles(40), options({ entry: threadThat(code) })))
    await expect(loading).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringMatching(message),
    })
  })

  test('that finds a fault in a parser says in which file', async () => {
    const entry = threadThat(
      `port.on('message', () => port.postMessage({ ok: false, message: 'the parser failed on x.md' }))`,
    )
    const loading = all(loadInThreads(writeFiles(3), options({ entry })))
    await expect(loading).rejects.toMatchObject({ code: 'UNAVAILABLE', message: 'the parser failed on x.md' })
  })

  test('that never answers is stopped when the load is given up', async () => {
    const giveUp = new AbortController()
    const entry = threadThat(`port.on('message', () => { for (;;); })`)
    const loading = all(loadInThreads(writeFiles(3), options({ entry, signal: giveUp.signal })))
    setImmediate(() => giveUp.abort(new Error('enough')))
    await expect(loading).rejects.toThrow('enough')
  })

  test('is stopped when its consumer stops', async () => {
    const loading = loadInThreads(writeFiles(300), options())
    for await (const { kind } of loading) {
      expect(kind).toBe('parsed')
      break
    }
    expect(await loading.next()).toEqual({ done: true, value: undefined })
  })
})
