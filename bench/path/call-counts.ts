import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** How often each function was called, by its file below the sources, then by its place in it. */
export type CallCounts = Map<string, Map<number, number>>

interface CoverageReport {
  result: { url: string; functions: { ranges: { startOffset: number; count: number }[] }[] }[]
}

/** From the reports that `NODE_V8_COVERAGE` leaves, one for each thread. */
export function callCounts(folder: string, sources: string): CallCounts {
  const prefix = `${pathToFileURL(sources)}/`
  const counts: CallCounts = new Map()
  for (const name of readdirSync(folder)) {
    const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as CoverageReport
    for (const { url, functions } of result.filter((script) => script.url.startsWith(prefix)))
      addCalls(counts, url.slice(prefix.length), functions)
  }
  return counts
}

/** The first range of a function is all of it; the one at 0 is the module itself, which runs when it is loaded. */
function addCalls(
  counts: CallCounts,
  file: string,
  functions: CoverageReport['result'][number]['functions'],
): void {
  const inFile = counts.get(file) ?? new Map<number, number>()
  counts.set(file, inFile)
  for (const { ranges } of functions) {
    const [whole] = ranges
    if (!whole || whole.startOffset === 0) continue
    inFile.set(whole.startOffset, (inFile.get(whole.startOffset) ?? 0) + whole.count)
  }
}
