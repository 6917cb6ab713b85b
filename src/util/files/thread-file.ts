import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { setFlagsFromString } from 'node:v8'

/** The file of a thread, beside the file that starts it: as source, or as built. */
export function threadFile(name: string, besides: string): URL {
  if (!besides.endsWith('.ts')) return new URL(`./${name}.js`, besides)
  const bundle = join(bundles, `${name}.js`)
  if (bundles !== '' && existsSync(bundle)) return pathToFileURL(bundle)
  keepWrappersGeneric()
  return new URL(`./${name}.ts`, besides)
}

let bundles = ''

/**
 * For tests, which run from sources: they start thousands of threads, and would spend most of their time loading them.
 */
export function useThreadBundles(folder: string): void {
  bundles = folder
}

/**
 * From sources, every thread strips types with Node's WebAssembly module, which calls JavaScript. After 1000 calls V8
 * compiles that call, shares the code with all threads, and frees it when a thread ends. In V8 13.6 the next thread may
 * use code that is being freed: a segmentation fault, rarely, on a busy machine. Code that is never compiled is never
 * freed. A build has no types and no such module.
 */
function keepWrappersGeneric(): void {
  setFlagsFromString('--wasm-wrapper-tiering-budget=1000000000')
}
