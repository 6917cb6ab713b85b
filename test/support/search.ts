import type { SearchInput } from '../../src/core/find/search-model.ts'
import type { Memory } from '../../src/runtime/memory/open-memory.ts'

export const ask = (memory: Memory, query: string, more: Partial<SearchInput> = {}) =>
  memory.search({ query, ...more, warm: false })
/** What was found, by the beginning of its text. */
export const snippets = async (
  memory: Memory,
  query: string,
  more?: Partial<SearchInput>,
): Promise<string[]> => (await ask(memory, query, more)).hits.map(({ snippet }) => snippet)
export const paragraphs = (...texts: string[]): string => `${texts.join('\n\n')}\n`

/** Each in a file of its own: nobody has a sibling. */
export const alone = (...texts: string[]): Record<string, string> =>
  Object.fromEntries(texts.map((text, at) => [`${at}.md`, `${text}\n`]))
