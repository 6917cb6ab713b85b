import { spawnSync } from 'node:child_process'
import { mkdtempDisposableSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { threadFile } from './thread-file.ts'

test('threadFile is a source beside a source, and a bundle beside a bundle', () => {
  expect(threadFile('a-thread', 'file:///p/src/b.ts').href).toBe('file:///p/src/a-thread.ts')
  expect(threadFile('a-thread', 'file:///p/dist/b.js').href).toBe('file:///p/dist/a-thread.js')
})

// V8 logs compiled code on Linux only.
describe.runIf(process.platform === 'linux')('a thread that runs from sources', () => {
  test('shares no compiled call with the threads after it', () => {
    const file = `threadFile('store-thread', ${JSON.stringify(new URL('../../store/sqlite/x.ts', import.meta.url).href)})`
    expect(compiledCalls(file)).toEqual([])
  })

  test('shares one if it is started by its plain name', () => {
    const file = `new URL(${JSON.stringify(new URL('../../store/sqlite/store-thread.ts', import.meta.url).href)})`
    expect(compiledCalls(file)).not.toEqual([])
  })
})

/** The calls from WebAssembly to JavaScript that V8 compiled while a thread of that file started and ended. */
function compiledCalls(file: string): string[] {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'remindb-thread-'))
  const script = `
    import { Worker } from 'node:worker_threads'
    import { threadFile } from ${JSON.stringify(new URL('./thread-file.ts', import.meta.url).href)}
    const workerData = { options: {}, call: new SharedArrayBuffer(4) }
    new Worker(${file}, { workerData, execArgv: [] }).postMessage({ kind: 'close' })`
  const flags = ['--perf-basic-prof', `--perf-basic-prof-path=${folder.path}`, '--input-type=module']
  // A file without types needs no WebAssembly.
  const env = { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' }
  const { status, stderr } = spawnSync(process.execPath, [...flags, '-e', script], { env, encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  const lines = readdirSync(folder.path).flatMap((name) =>
    readFileSync(join(folder.path, name), 'utf8').split('\n'),
  )
  expect(lines.length).toBeGreaterThan(100)
  return lines.filter((line) => line.includes('wasm-to-js'))
}
