import createXxhash from 'xxhash-wasm'

/** XXH64 with seed 0 over the text's UTF-8 bytes. */
export type Xxh64 = (text: string) => bigint

let loading: Promise<Xxh64> | undefined

/** Compiles the hash once per process. */
export function loadXxh64(): Promise<Xxh64> {
  loading ??= createXxhash().then(
    ({ h64 }) =>
      (text) =>
        h64(text),
  )
  return loading
}
