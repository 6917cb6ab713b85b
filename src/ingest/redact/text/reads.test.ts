import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { chanceTexts } from '../../../../bench/redact/chance.ts'
import { filled, hostilePieces, plainPieces } from '../../../../bench/redact/texts.ts'
import { createScanner } from '../scanner.ts'
import { Scan } from './scan.ts'

/**
 * How often a character is read, which is the cost of redaction: counted, not timed. Searches by the runtime (`indexOf`, regular
 * expressions) are not counted.
 */
const LENGTH = 1000
/** How often at most, on average. */
const MOST_PLAIN = 5
const MOST = 14
/** Of pairs without blanks between them, as in `PW→PW→`, 32 characters of each value are read. */
const MOST_BY_CHANCE = 30

const find = createScanner(() => true)
let reads = 0

beforeAll(() => {
  const { open } = Scan.prototype
  vi.spyOn(Scan.prototype, 'open').mockImplementation(function (this: Scan, ...args) {
    open.apply(this, args)
    this.codes = counted(this.codes)
  })
})
afterAll(() => {
  vi.restoreAllMocks()
})

test.each(Object.entries(plainPieces()))('%s is read a few times', (_, piece) => {
  expect(readsOf(filled(piece, LENGTH))).toBeLessThan(MOST_PLAIN)
})

test('no hostile text is read much more often', () => {
  for (const piece of hostilePieces())
    expect(readsOf(filled(piece, LENGTH)), JSON.stringify(piece)).toBeLessThan(MOST)
})

test('nor is one that is four times as long', () => {
  const some = hostilePieces().filter((_, at) => at % 20 === 0)
  for (const piece of some)
    expect(readsOf(filled(piece, 4 * LENGTH)), JSON.stringify(piece)).toBeLessThan(MOST)
})

test('nor is a random one', () => {
  for (const { pattern, text } of chanceTexts(1, 200, LENGTH))
    expect(readsOf(text), JSON.stringify(pattern)).toBeLessThan(MOST_BY_CHANCE)
})

/** For each character. */
function readsOf(text: string): number {
  reads = 0
  find(text)
  return reads / text.length
}

function counted(codes: Uint16Array): Uint16Array {
  return new Proxy(codes, {
    get: (target, at) => {
      reads++
      return Reflect.get(target, at)
    },
  })
}
