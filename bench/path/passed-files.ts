import type { CallCounts } from './call-counts.ts'

/** A file that a call runs through. */
export interface Passed {
  file: string
  functions: number
}

export interface LayerSum {
  layer: string
  files: number
  functions: number
}

/** The files with a function that ran at least once more for each of `calls` more calls, by name. */
export function passedBy(few: CallCounts, many: CallCounts, calls: number): Passed[] {
  const passed: Passed[] = []
  for (const [file, counts] of many) {
    const onTheWay = [...counts].filter(([place, count]) => count - (few.get(file)?.get(place) ?? 0) >= calls)
    if (onTheWay.length > 0) passed.push({ file, functions: onTheWay.length })
  }
  return passed.sort((a, b) => (a.file < b.file ? -1 : 1))
}

/** By the top folder of the sources, and all together. */
export function sumByLayer(passed: readonly Passed[]): LayerSum[] {
  const layers = Map.groupBy(passed, ({ file }) => file.split('/', 1)[0] ?? '')
  const sum = (layer: string, files: readonly Passed[]): LayerSum => ({
    layer,
    files: files.length,
    functions: files.reduce((total, file) => total + file.functions, 0),
  })
  return [...[...layers].map(([layer, files]) => sum(layer, files)), sum('all', passed)]
}
