import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { setFlagsFromString } from 'node:v8'

/** The file of a thread, beside the file that starts it: as it was written, or as it was built. */
export function threadFile(name: string, besides: string): URL {
  if (!besides.endsWith('.ts')) return new URL(`./${name}.js`, besides)
  const bundle = join(bundles, `${name}.js`)
  if (bundles !== '' && existsSync(bundle)) return pathToFileURL(bundle)
  keepWrappersGeneric()
  return new URL(`./${name}.ts`, besides)
}

let bundles = ''

/** For tests, which run from sources: they start thousands of threads, and most of their time would go into loading them. */
export function useThreadBundles(folder: string): void {
  bundles = folder
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
