/**
 * Takes the place of `@modelcontextprotocol/server/_shims` in what is built (`scripts/bundle.mjs`). The SDK's own brings a library that
 * checks what clients answer to questions, which we never ask: it takes 6 ms of every start.
 */
export const process = globalThis.process

export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error('remindb asks clients no questions, so it checks no answers')
  }
}
