import type { Measured } from '../engine/side-by-side.ts'
import { type Columns, milliseconds, table, type Verdict, verdict, verdictLines } from '../engine/table.ts'
import type { Appended } from './appends.ts'
import type { Asked } from './measure.ts'

const MAX_RATIO = 2
/** Of a resource that is all text. */
const MAX_VIEW_RATIO = 1.5
const MAX_SIZE_RATIO = 5
const MAX_GROWTH = 2

export function judge({ measured }: Asked, appended: Appended): Verdict[] {
  const { appends, textBytes, databaseBytes, firstMs, lastMs } = appended
  return [
    ...measured.map((one) => verdict(targetOf(one), one.p50Ms / one.floorP50Ms, limitOf(one), '×')),
    verdict(
      `the database after ${appends} appends ≤ ${MAX_SIZE_RATIO} × the text`,
      databaseBytes / textBytes,
      MAX_SIZE_RATIO,
      '×',
    ),
    verdict(`the last append ≤ ${MAX_GROWTH} × the first`, lastMs / firstMs, MAX_GROWTH, '×'),
  ]
}

function isView({ name }: Measured): boolean {
  return name.startsWith('memory://')
}

function limitOf(one: Measured): number {
  return isView(one) ? MAX_VIEW_RATIO : MAX_RATIO
}

function targetOf(one: Measured): string {
  const floor = isView(one) ? 'serialising it' : 'its floor'
  return `${one.name} ≤ ${limitOf(one)} × ${floor}`
}

const COLUMNS: Columns<Measured> = {
  operation: ({ name }) => name,
  found: ({ found }) => found,
  p50: ({ p50Ms }) => milliseconds(p50Ms),
  floor: ({ floorP50Ms }) => milliseconds(floorP50Ms),
  p99: ({ p99Ms }) => milliseconds(p99Ms),
  'floor p99': ({ floorP99Ms }) => milliseconds(floorP99Ms),
}

export function figureLines(asked: Asked, appended: Appended, verdicts: Verdict[]): string[] {
  const { appends, textBytes, databaseBytes, firstMs, lastMs } = appended
  return [
    `${asked.documents} documents, load ${asked.load.toFixed(1)}`,
    ...table(asked.measured, COLUMNS),
    `${appends} appends: ${textBytes} bytes of text, ${databaseBytes} of database; first ${milliseconds(firstMs)}, last ${milliseconds(lastMs)}`,
    ...verdictLines(verdicts),
  ]
}
