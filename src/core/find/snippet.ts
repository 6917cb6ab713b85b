import type { Unit } from './query-model.ts'
export function snippetOf(
  text: string,
  _units: Unit[],
  maxChars = 200,
): { text: string; matches: [number, number][] } {
  return { text: text.slice(0, maxChars), matches: [] }
}
