import { createRandom, words } from '../engine/corpus.ts'

/** Of so many documents a third came in by each door. */
export const DOORS = ['key', 'record', 'file'] as const

/** How many different tags there are; each document has two of them. */
export const TAGS = 200

export const FILES = { node: 'memory', scope: 'global', thread: '' } as const

/** Core memories, of which a resource shows all. */
export const CORE = 1000

export const keyName = (at: number): string => `team:service/${at}:note`
export const filePath = (at: number): string => `/area ${at % 97}/note ${at}`
export const recordId = (at: number): string => `00000000-0000-4000-8000-${at.toString(16).padStart(12, '0')}`
export const tagsOf = (at: number): string[] => [`tag ${at % TAGS}`, `half ${at % 2}`]

/** About 140 bytes of prose: the same every time. */
export function textOf(at: number): string {
  return `${words(createRandom(at), 20)}.`
}
