import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { setFlagsFromString } from 'node:v8'

/** The file of a thread, beside the file that starts it: as it was written, or as it was built. */
export function threadFile(name: string, besides: string): URL {
  if (!besides.endsWith('.ts')) return new URL(`./${name}.js`, besides)
  const bundle = bundleForTests(name)
  if (bundle) return bundle
  keepWrappersGeneric()
  return new URL(`./${name}.ts`, besides)
}

/** Tests start thousands of threads, and from sources most of their time goes into loading them: see `bundle-threads.ts`. */
function bundleForTests(name: string): URL | undefined {
  const folder = process.env.REMINDB_TEST_THREADS
  const file = folder ? join(folder, `${name}.js`) : ''
  return existsSync(file) ? pathToFileURL(file) : undefined
}

/**
 * From sources, every thread takes the types out of its files with Node's WebAssembly module, which calls JavaScript.
 * After 1000 calls V8 compiles that call, keeps the code for all threads, and frees it when a thread has ended. In
 * V8 13.6 the next thread may get hold of code that is being freed: a segmentation fault, rarely, on a busy machine.
 * Code that is never compiled is never freed. What is built has no types and no such module.
 */
function keepWrappersGeneric(): void {
  setFlagsFromString('--wasm-wrapper-tiering-budget=1000000000')
}
