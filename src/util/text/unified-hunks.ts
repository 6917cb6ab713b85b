import { structuredPatch } from 'diff'

const CONTEXT_LINES = 3
/** Beyond this the two texts have nothing in common, and comparing further would take too long. */
const MAX_EDITS = 5000

/** Unified hunks without file headers; none if the texts are equal. */
export function unifiedHunks(before: string, after: string): string[] {
  if (before === after) return []
  const [old, next] = endAlike(before, after)
  const patch = structuredPatch('', '', old, next, undefined, undefined, {
    context: CONTEXT_LINES,
    maxEditLength: MAX_EDITS,
  })
  if (!patch) return replacement(old, next)
  return patch.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@`,
    ...lines,
  ])
}

/** As in `diff -u`: a count of one is omitted, and an empty range counts from the line before. */
function range(start: number, count: number): string {
  if (count === 1) return String(start)
  return count === 0 ? `${start - 1},0` : `${start},${count}`
}

/** A node's text is not a file: a missing final line feed is only shown if one side has it. */
function endAlike(before: string, after: string): [string, string] {
  const isOpen = (text: string): boolean => !text.endsWith('\n')
  const end = (text: string): string => (text !== '' && isOpen(text) ? `${text}\n` : text)
  const isSame = before === '' || after === '' || isOpen(before) === isOpen(after)
  return isSame ? [end(before), end(after)] : [before, after]
}

function replacement(before: string, after: string): string[] {
  const old = linesOf(before)
  const next = linesOf(after)
  return [
    `@@ -${range(1, old.length)} +${range(1, next.length)} @@`,
    ...old.map((line) => `-${line}`),
    ...next.map((line) => `+${line}`),
  ]
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n')
}
