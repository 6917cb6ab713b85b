import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { NodeType } from '../../model.ts'
import { type FreshItem, listUnmatchedOld, matchExact, matchSimilar } from './match.ts'

interface Tree {
  text: string
  type: NodeType
  children: Tree[]
}

function itemsOf(trees: readonly Tree[]): FreshItem[] {
  const items: FreshItem[] = []
  const visit = ({ text, type, children }: Tree, parent: number): void => {
    const index = items.push({ parent, type, text, digest: `#${text}` }) - 1
    for (const child of children) visit(child, index)
  }
  for (const tree of trees) visit(tree, -1)
  return items
}

function match(old: readonly FreshItem[], fresh: readonly FreshItem[]): number[] {
  const pairs = matchExact(old, fresh)
  const texts = new Map(listUnmatchedOld(old, pairs).map((o) => [o, (old[o] as FreshItem).text]))
  return [...matchSimilar(old, fresh, pairs, texts)]
}

/** One block a line, two spaces a level; `# x` is a heading, `- x` a list, anything else text. */
function doc(outline: string): FreshItem[] {
  const items: FreshItem[] = []
  const path: number[] = []
  for (const line of outline.split('\n').filter((each) => each.trim() !== '')) {
    const depth = (line.length - line.trimStart().length) / 2
    const text = line.trim().replace(/^[#-] /, '')
    const type = line.trim().startsWith('# ') ? 'heading' : line.trim().startsWith('- ') ? 'list' : 'text'
    path.length = depth
    path.push(items.push({ parent: path[depth - 1] ?? -1, type, text, digest: `#${text}` }) - 1)
  }
  return items
}

/** `doc` with blocks separated by slashes, all at the top. */
const flat = (line: string): FreshItem[] => doc(line.split(' / ').join('\n'))

describe('an unchanged block', () => {
  test.each([
    ['nothing', '', '', []],
    ['the same', 'a / b / c', 'a / b / c', [0, 1, 2]],
    ['an insert', 'a / b', 'a / x / b', [0, -1, 1]],
    ['a removal', 'a / b / c', 'a / c', [0, 2]],
    ['a move', 'a / b / c', 'c / a / b', [2, 0, 1]],
    ['a first compile', '', 'a / b', [-1, -1]],
    ['everything removed', 'a / b', '', []],
    ['another type, same text', 'a / b / c', 'a / # b / c', [0, 1, 2]],
    ['another type, no other candidate', 'a / z', 'z / # a', [1, 0]],
  ])('keeps its identity: %s', (_, old, fresh, expected) => {
    expect(match(flat(old), flat(fresh))).toEqual(expected)
  })

  test('keeps its identity under another parent', () => {
    const old = doc('# One\n  a\n  b\n# Two\n  c')
    expect(match(old, doc('# One\n  a\n# Two\n  c\n  b'))).toEqual([0, 1, 3, 4, 2])
  })

  test('prefers the same type', () => {
    expect(match(flat('# a / a'), flat('a / # a'))).toEqual([1, 0])
  })

  test('is not followed across types when it is empty', () => {
    const [blank] = doc('x') as [FreshItem]
    const pairs = matchExact(
      [{ ...blank, type: 'list', digest: '#' }],
      [{ ...blank, type: 'code', digest: '#', text: '' }],
    )
    expect([...pairs]).toEqual([-1])
  })
})

describe('twins', () => {
  test.each([
    ['one more of three', 't / t / t', 't / t / t / t', [0, 1, 2, -1]],
    ['one less of three', 't / t / t', 't / t', [0, 1]],
    ['the second of three removed', 'a / t / b / t / c / t / d', 'a / t / b / c / t / d', [0, 1, 2, 4, 5, 6]],
    ['one inserted before a neighbour', 'a / t / b / t', 'a / t / t / b / t', [0, 1, -1, 2, 3]],
    ['one inserted at the top', 'a / t / b / t', 't / a / t / b / t', [-1, 0, 1, 2, 3]],
    ['only twins', 'x / y / x / y / x / y', 'x / y / y / x / y', [0, 1, 3, 4, 5]],
    ['another block moved', 'a / t / b / t / c', 'a / t / t / c / b', [0, 1, 3, 4, 2]],
    ['one edited', 'a / t / b / t / c', 'a / x / b / t / c', [0, 1, 2, 3, 4]],
    ['a block edited into a twin', 'a / b / c', 'a / a / c', [0, 1, 2]],
  ])('stay apart: %s', (_, old, fresh, expected) => {
    expect(match(flat(old), flat(fresh))).toEqual(expected)
  })

  test('follow their heading', () => {
    const old = doc('# One\n  t\n# Two\n  t')
    expect(match(old, doc('# Two\n  t\n# One\n  t'))).toEqual([2, 3, 0, 1])
    expect(match(old, doc('# Two\n  t'))).toEqual([2, 3])
  })

  test('follow their heading under its new name', () => {
    const old = doc('# One\n  a\n  t\n# Two\n  b\n  t')
    expect(match(old, doc('# Zwei\n  b\n  t\n# Eins\n  a\n  t'))).toEqual([3, 4, 5, 0, 1, 2])
  })

  test('that are headings follow their children', () => {
    const old = doc('# Example\n  a\n# Example\n  b\n# Example\n  c')
    expect(match(old, doc('# Example\n  c\n# Example\n  a'))).toEqual([4, 5, 0, 1])
  })

  test('of a copied section leave the first its identity', () => {
    const old = doc('# One\n  a\n  b')
    expect(match(old, doc('# One\n  a\n  b\n# Two\n  a\n  b'))).toEqual([0, 1, 2, -1, -1, -1])
  })
})

describe('an edited block', () => {
  test.each([
    ['between its neighbours, beyond recognition', 'a / foo / c', 'a / bar / c', [0, 1, 2]],
    ['as the only block', 'foo', 'bar', [0]],
    ['beside an insert', 'a / one two three', 'a / new / one two four', [0, -1, 1]],
    ['beside an insert, one beyond recognition', 'a / p q r / s', 'a / n / p q x / y', [0, -1, 1, 2]],
    ['and moved', 'one two three four five / a / b', 'a / b / one two three four six', [1, 2, 0]],
    ['beside one of another type', 'a / foo / - item / b', 'a / - thing / bar / b', [0, 2, 1, 3]],
    ['as many in one gap as before', 'a / f / g / b', 'a / h / i / b', [0, 1, 2, 3]],
    ['into a list', 'a / buy milk and eggs / b', 'a / - buy milk eggs / b', [0, 1, 2]],
  ])('keeps its identity: %s', (_, old, fresh, expected) => {
    expect(match(flat(old), flat(fresh))).toEqual(expected)
  })

  test.each([
    ['another number in the gap', 'a / f / g / b', 'a / h / b', [0, -1, 3]],
    ['another gap', 'a / foo / b', 'a / b / bar', [0, 2, -1]],
    ['another type', 'a / foo / b', 'a / - bar / b', [0, -1, 2]],
    ['half alike, far apart', 'release notes / a / b', 'a / b / notes', [1, 2, -1]],
  ])('is new: %s', (_, old, fresh, expected) => {
    expect(match(flat(old), flat(fresh))).toEqual(expected)
  })

  test('is new under another parent unless it is similar', () => {
    const old = doc('# One\n  foo\n# Two\n  b')
    expect(match(old, doc('# One\n# Two\n  b\n  bar'))).toEqual([0, 2, 3, -1])
  })

  test('continues the more similar block, not the nearer', () => {
    const old = flat('we ship on friday after lunch / a')
    expect(match(old, flat('we sleep / a / we ship on monday after lunch'))).toEqual([-1, 1, 0])
  })

  test('as a heading keeps its identity by its children', () => {
    const old = doc('# Intro\n  z\n# One\n  a\n  b\n# End')
    expect(match(old, doc('# Intro\n  z\n# New\n  y\n# Uno\n  b\n  a\n# End'))).toEqual([
      0, 1, -1, -1, 2, 4, 3, 5,
    ])
  })

  test('as a merged heading continues the first', () => {
    expect(match(doc('# One\n  a\n# Two\n  b'), doc('# Both\n  a\n  b'))).toEqual([0, 1, 3])
  })

  test('as a heading does not take the identity of a split heading', () => {
    expect(match(doc('# One\n  a\n  b\n  c'), doc('# One\n  a\n# More\n  b\n  c'))).toEqual([0, 1, -1, 2, 3])
  })

  test('keeps its identity under a heading that was edited too', () => {
    expect(match(doc('# One\n  a\n# Two\n  foo'), doc('# One\n  a\n# Zwei\n  bar'))).toEqual([0, 1, 2, 3])
  })

  test('is read only if there is something to compare it with', () => {
    expect(listUnmatchedOld(flat('a / b / c'), matchExact(flat('a / b / c'), flat('a / c')))).toEqual([])
    expect(listUnmatchedOld(flat('a / b / c'), matchExact(flat('a / b / c'), flat('a / x / c')))).toEqual([])
    expect(listUnmatchedOld(flat('a / b / c'), matchExact(flat('a / b / c'), flat('x / y / c')))).toEqual([
      0, 1,
    ])
  })

  test('without its text is matched by its place', () => {
    const old = flat('a / b / c')
    const fresh = flat('a / x / c')
    expect([...matchSimilar(old, fresh, matchExact(old, fresh), new Map())]).toEqual([0, 1, 2])
  })
})

describe('in any tree of distinct texts', () => {
  const someType = fc.constantFrom<NodeType>('heading', 'list', 'table', 'code', 'text', 'kv')

  test('inserting a block adds one and keeps the others', () => {
    fc.assert(
      fc.property(treeWithPlace(), someType, ({ trees, at }, type) => {
        const fresh = structuredClone(trees)
        const { siblings, index } = placeAt(fresh, at)
        siblings.splice(index, 0, { text: 'inserted', type, children: [] })
        expectKept(trees, fresh)
        expect(match(itemsOf(trees), itemsOf(fresh)).filter((o) => o < 0)).toHaveLength(1)
      }),
    )
  })

  test('removing a block, its children going to its parent, keeps the others', () => {
    fc.assert(
      fc.property(treeWithPlace(), ({ trees, at }) => {
        const fresh = structuredClone(trees)
        const { siblings, index } = placeAt(fresh, at)
        siblings.splice(index, 1, ...(siblings[index]?.children ?? []))
        expectKept(trees, fresh)
      }),
    )
  })

  test('moving a block with its descendants keeps every one', () => {
    fc.assert(
      fc.property(treeWithPlace(), fc.nat(), ({ trees, at }, to) => {
        const fresh = structuredClone(trees)
        const from = placeAt(fresh, at)
        const moved = from.siblings.splice(from.index, 1)
        const target = placeAt(fresh, to)
        target.siblings.splice(target.index, 0, ...moved)
        expectKept(trees, fresh)
      }),
    )
  })

  test('editing a block in place keeps every one', () => {
    fc.assert(
      fc.property(treeWithPlace(), fc.string(), ({ trees, at }, text) => {
        const fresh = structuredClone(trees)
        const { siblings, index } = placeAt(fresh, at)
        const edited = siblings[index]
        if (!edited) return
        edited.text = `=${text}`
        expect(match(itemsOf(trees), itemsOf(fresh))).toEqual([...itemsOf(trees).keys()])
      }),
    )
  })
})

describe('in any two documents', () => {
  const words = fc.constantFrom('', 'a', 'b', 'a b', 'a b c', 'c b a', 'd e', 'd e f g')

  test('no old block is continued twice, and the result is deterministic', () => {
    fc.assert(
      fc.property(trees(words), trees(words), (old, fresh) => {
        const pairs = match(itemsOf(old), itemsOf(fresh))
        const taken = pairs.filter((o) => o >= 0)
        expect(new Set(taken).size).toBe(taken.length)
        expect(taken.every((o) => o < itemsOf(old).length)).toBe(true)
        expect(match(itemsOf(old), itemsOf(fresh))).toEqual(pairs)
      }),
    )
  })

  test('an unchanged one is continued block by block', () => {
    fc.assert(
      fc.property(trees(words), (old) => {
        expect(match(itemsOf(old), itemsOf(old))).toEqual([...itemsOf(old).keys()])
      }),
    )
  })

  test('every type and text found on both sides is continued as often as it can', () => {
    fc.assert(
      fc.property(trees(words), trees(words), (before, after) => {
        const [old, fresh] = [itemsOf(before), itemsOf(after)]
        const pairs = match(old, fresh)
        const keyOf = (item: FreshItem): string => `${item.type} ${item.text}`
        for (const key of new Set(old.map(keyOf))) {
          const among = (items: readonly FreshItem[]): number =>
            items.filter((item) => keyOf(item) === key).length
          const kept = fresh.filter((item, f) => {
            const continued = old[pairs[f] as number]
            return keyOf(item) === key && continued !== undefined && keyOf(continued) === key
          })
          expect(kept.length).toBe(Math.min(among(old), among(fresh)))
        }
      }),
    )
  })

  test('adding or removing one of several twins keeps the others in order', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('t', 'u', 'v'), { minLength: 1, maxLength: 30 }),
        fc.nat(),
        (line, at) => {
          const shorter = line.toSpliced(at % line.length, 1)
          const [many, few] = [flat(line.join(' / ')), flat(shorter.join(' / '))]
          const added = match(few, many)
          const removed = match(many, few)
          for (const twin of ['t', 'u', 'v']) {
            const order = removed.filter((_, f) => few[f]?.text === twin)
            expect(order).toEqual(order.toSorted((a, b) => a - b))
          }
          const kept = added.filter((o) => o >= 0)
          expect(kept).toEqual([...shorter.keys()])
          expect(removed).toEqual(removed.toSorted((a, b) => a - b))
        },
      ),
    )
  })
})

function trees(text: fc.Arbitrary<string>): fc.Arbitrary<Tree[]> {
  const type = fc.constantFrom<NodeType>('heading', 'text', 'list')
  const block = fc.record({ text, type, depth: fc.nat({ max: 4 }) })
  return fc.array(block, { maxLength: 40 }).map((blocks) => {
    const roots: Tree[] = []
    const path: Tree[] = []
    for (const { depth, ...rest } of blocks) {
      path.length = Math.min(depth, path.length)
      const tree = { ...rest, children: [] }
      const siblings = path.at(-1)?.children ?? roots
      siblings.push(tree)
      path.push(tree)
    }
    return roots
  })
}

function treeWithPlace(): fc.Arbitrary<{ trees: Tree[]; at: number }> {
  const numbered = trees(fc.constantFrom('some words about', '')).map((list) => {
    let count = 0
    const number = (tree: Tree): void => {
      tree.text = `${tree.text} ${count++}`
      tree.children.forEach(number)
    }
    list.forEach(number)
    return list
  })
  return fc.record({ trees: numbered, at: fc.nat() })
}

/** One of all the places where a block stands or could be appended. */
function placeAt(list: Tree[], at: number): { siblings: Tree[]; index: number } {
  const places: { siblings: Tree[]; index: number }[] = []
  const visit = (siblings: Tree[]): void => {
    for (let index = 0; index <= siblings.length; index++) places.push({ siblings, index })
    for (const { children } of siblings) visit(children)
  }
  visit(list)
  return places[at % places.length] as { siblings: Tree[]; index: number }
}

function expectKept(before: readonly Tree[], after: readonly Tree[]): void {
  const [old, fresh] = [itemsOf(before), itemsOf(after)]
  const expected = fresh.map(({ text }) => old.findIndex((item) => item.text === text))
  expect(match(old, fresh)).toEqual(expected)
}
