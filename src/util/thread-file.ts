import { setFlagsFromString } from 'node:v8'

/** The file of a thread, beside the file that starts it: as it was written, or as it was built. */
export function threadFile(name: string, besides: string): URL {
  const isSource = besides.endsWith('.ts')
  if (isSource) keepWrappersGeneric()
  return new URL(`./${name}.${isSource ? 'ts' : 'js'}`, besides)
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
