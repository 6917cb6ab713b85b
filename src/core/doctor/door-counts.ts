import type { ScannedDocument } from '../port/scan.ts'
import type { DoorClass, DoorCount, TagCount, WriteSet } from '../port/write-set.ts'
import { createDoorCounts } from '../rows/door-counts.ts'
import { amount } from './check.ts'

/** Counts under a name. */
export interface Counted<N> {
  name: N
  count: number
  bytes: number
}

type CountedRow = Pick<ScannedDocument, 'kind' | 'isOwn' | 'state' | 'ownTextBytes' | 'attributes'>

/** Recounts documents of doors, and compares with the stored counts. */
export function recountingDoors() {
  const documents = createDoorCounts()
  const storedClasses: Counted<DoorClass>[] = []
  const storedTags: Counted<{ kind: string; tag: string }>[] = []

  function wrongClasses() {
    const { doorCounts = [] } = documents.changes()
    const expected = doorCounts.map(({ count, bytes, ...name }) => ({ name, count, bytes }))
    return corrections(expected, storedClasses)
  }
  function wrongTags() {
    const { tagCounts = [] } = documents.changes()
    const expected = tagCounts.map(({ count, ...name }) => ({ name, count, bytes: 0 }))
    return corrections(expected, storedTags)
  }

  return {
    seeClass({ count, bytes, ...name }: DoorCount): void {
      storedClasses.push({ name, count: amount(count), bytes: amount(bytes) })
    },
    seeTag({ count, ...name }: TagCount): void {
      storedTags.push({ name, count: amount(count), bytes: 0 })
    },
    count({ kind, isOwn, state, ownTextBytes: textBytes, attributes = null }: CountedRow): void {
      if (isOwn) documents.count({ state, textBytes, attributes, address: { kind } }, 1)
    },
    /** How many rows are missing, wrong or superfluous; a wrong one counts as both. */
    countWrong: (): number =>
      [...wrongClasses(), ...wrongTags()].reduce((sum, { isExpected, isStored }) => {
        return sum + Number(isExpected) + Number(isStored)
      }, 0),
    corrections: (): Pick<WriteSet, 'doorCounts' | 'tagCounts'> => ({
      doorCounts: wrongClasses().map(({ name, count, bytes }) => ({ ...name, count, bytes })),
      tagCounts: wrongTags().map(({ name, count }) => ({ ...name, count })),
    }),
  }
}

interface Correction<N> extends Counted<N> {
  isExpected: boolean
  isStored: boolean
}

/** The correction of each stored count. A count of 0 is removed. */
export function corrections<N extends object>(
  expected: readonly Counted<N>[],
  stored: readonly Counted<N>[],
): Correction<N>[] {
  const found = new Map<string, Correction<N>>()
  for (const { name, count, bytes } of expected)
    found.set(keyOf(name), { name, count, bytes, isExpected: true, isStored: false })
  for (const { name, count, bytes } of stored) {
    const other = found.get(keyOf(name)) ?? { name, count: 0, bytes: 0, isExpected: false }
    const change = { count: other.count - count, bytes: other.bytes - bytes }
    found.set(keyOf(name), { ...other, ...change, isStored: true })
  }
  return [...found.values()].filter(
    ({ count, bytes, isExpected, isStored }) => count !== 0 || bytes !== 0 || isExpected !== isStored,
  )
}

function keyOf(name: object): string {
  return JSON.stringify(Object.entries(name).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
