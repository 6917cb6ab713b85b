import type { OpenOptions } from '../../src/runtime/memory/open-memory.ts'
import { openTools, type ToolWorkspace } from './agent-memory.ts'
import { folderBytes } from './store-files.ts'

/** The time at which such memories begin. */
export const START = Date.UTC(2026, 5, 14, 21, 58, 12, 123)

export interface KeyWorkspace extends ToolWorkspace {
  /** Lets time pass, or go back. */
  pass(ms: number): void
  // biome-ignore lint/suspicious/noExplicitAny: what is answered is what others parse, untyped
  json(name: string, args?: unknown): Promise<any>
  /** The version of what a key holds now. */
  version(key: string): Promise<string>
}

/** A memory whose clock stands still until a test moves it, and the tools of keys. */
export async function openKeys(options: Partial<OpenOptions> = {}): Promise<KeyWorkspace> {
  let now = START
  const at = await openTools({}, { now: () => now, ...options })
  return Object.assign(at, {
    pass(ms: number) {
      now += ms
    },
    json: async (name: string, args?: unknown) => (await at.call(name, args)).structured,
    version: async (key: string) => String((await at.call('recall', { key })).structured.version),
  })
}

/** The words of which a byte is left anywhere below the folder of a memory. */
export function wordsLeft(folder: string, words: readonly string[]): string[] {
  const bytes = folderBytes(folder).toString('latin1').toLowerCase()
  return words.filter((word) => bytes.includes(word))
}
