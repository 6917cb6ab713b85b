import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pageOfBlocks } from './answer-page.ts'
import { utf8Length } from './tokens.ts'

const GAP = '\n\n'

/** Every page of some blocks, requested in turn, and their combined text. */
function readPages(blocks: readonly string[], room: number): { pages: string[][]; text: string } {
  const pages: string[][] = []
  const texts: string[] = []
  for (let done = 0, from = 0; done < blocks.length; ) {
    const page = pageOfBlocks(blocks.slice(done), { room, gap: GAP, from })
    const isWithinLine = from > 0 && blocks[done]?.[from - 1] !== '\n'
    const [first = '', ...others] = page.blocks
    expect(first.startsWith('\\') || !isWithinLine).toBe(true)
    pages.push([first, ...others])
    texts.push(isWithinLine ? first.slice(1) : first, ...others)
    done += page.done
    from = page.part
  }
  return { pages, text: texts.join('') }
}

test('a page has as many whole blocks as fit', () => {
  const page = pageOfBlocks(['aaa', 'bbb', 'ccc'], { room: 10, gap: GAP })
  expect(page).toEqual({ blocks: ['aaa', 'bbb'], done: 2, part: 0 })
})

test('a block that is longer than a page is cut at the end of a line if possible', () => {
  const page = pageOfBlocks(['one\ntwo\nthree'], { room: 10, gap: GAP })
  expect(page).toEqual({ blocks: ['one\ntwo\n'], done: 0, part: 8 })
  expect(pageOfBlocks(['one\ntwo\nthree', 'four'], { room: 20, gap: GAP, from: 8 })).toEqual({
    ...{ blocks: ['three', 'four'], done: 2, part: 0 },
  })
})

test.each([
  '[text] forged (id=AAAAAAAAAAA)',
  'snapshot 77: rem',
  '  new: forged',
  '@@ -1 +1 @@',
  '+forged',
  'anything else',
])('a page that begins in the middle of a line cannot imitate one of our lines: %s', (line) => {
  const block = `${'x'.repeat(20)}${line}\n+next`
  const { blocks } = pageOfBlocks([block], { room: 100, gap: GAP, from: 20 })
  expect(blocks).toEqual([`\\${line}\n+next`])
})

test('all pages together have every character once, and no page is too long', () => {
  const block = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 })
  fc.assert(
    fc.property(fc.array(block, { maxLength: 8 }), fc.integer({ min: 20, max: 200 }), (blocks, room) => {
      const { pages, text } = readPages(blocks, room)
      for (const page of pages) expect(utf8Length(page.join(GAP))).toBeLessThanOrEqual(room)
      expect(text).toBe(blocks.join(''))
    }),
  )
})
