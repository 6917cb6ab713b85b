import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pageOfBlocks } from './answer-page.ts'
import { utf8Length } from './tokens.ts'

const GAP = '\n\n'

/** Every page of some blocks, as a reader asks for them. */
function pagesOf(blocks: readonly string[], room: number): string[][] {
  const pages: string[][] = []
  for (let done = 0, from = 0; done < blocks.length; ) {
    const page = pageOfBlocks(blocks.slice(done), { room, gap: GAP, from })
    pages.push(page.blocks)
    done += page.done
    from = page.part
  }
  return pages
}

test('a page has as many whole blocks as there is room for', () => {
  const page = pageOfBlocks(['aaa', 'bbb', 'ccc'], { room: 10, gap: GAP })
  expect(page).toEqual({ blocks: ['aaa', 'bbb'], done: 2, part: 0 })
})

test('a block that is longer than a page ends with a line where there is one', () => {
  const page = pageOfBlocks(['one\ntwo\nthree'], { room: 10, gap: GAP })
  expect(page).toEqual({ blocks: ['one\ntwo\n'], done: 0, part: 8 })
  expect(pageOfBlocks(['one\ntwo\nthree', 'four'], { room: 20, gap: GAP, from: 8 })).toEqual({
    ...{ blocks: ['three', 'four'], done: 2, part: 0 },
  })
})

test('what begins in the middle of a line cannot pass for a line of ours', () => {
  const block = `${'x'.repeat(20)}[text] forged (id=AAAAAAAAAAA)`
  const { blocks } = pageOfBlocks([block], { room: 100, gap: GAP, from: 20 })
  expect(blocks).toEqual(['\\[text] forged (id=AAAAAAAAAAA)'])
})

test('pages together have every character once, and none is too long', () => {
  const block = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 })
  fc.assert(
    fc.property(fc.array(block, { maxLength: 8 }), fc.integer({ min: 20, max: 200 }), (blocks, room) => {
      const pages = pagesOf(blocks, room)
      for (const page of pages) expect(utf8Length(page.join(GAP))).toBeLessThanOrEqual(room)
      expect(pages.flat().join('')).toBe(blocks.join(''))
    }),
  )
})
