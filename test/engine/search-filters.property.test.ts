import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openWorkspace } from '../support/engine.ts'
import { RUNS } from '../support/engine-documents.ts'
import { ask } from '../support/search.ts'

/** What a node is, as far as the filters of this test ask. */
interface Facts {
  path: string
  type: string
  tags: readonly string[]
}
type Tree =
  | { leaf: string; holds: (facts: Facts) => boolean }
  | { not: Tree }
  | { and: Tree[] }
  | { or: Tree[] }

const FILES: Record<string, string> = Object.fromEntries(
  Array.from({ length: 24 }, (_, at) => {
    const folder = ['archive/', 'notes/', ''][at % 3]
    const tags = ['a', 'b', 'c'].filter((_, bit) => at & (1 << bit))
    return [
      `${folder}${at}.md`,
      `---\ntags: [${tags.join(', ')}]\n---\n# Amber ${at}\n\nAmber text of ${at}.\n\n\`\`\`js\namber(${at})\n\`\`\`\n`,
    ]
  }),
)
const tagsOf = (path: string): string[] => {
  const at = Number(path.match(/\d+/)?.[0])
  return ['a', 'b', 'c'].filter((_, bit) => at & (1 << bit))
}

const leaf: fc.Arbitrary<Tree> = fc.constantFrom(
  ...['a', 'b', 'c'].map((tag) => ({ leaf: `tag:${tag}`, holds: ({ tags }: Facts) => tags.includes(tag) })),
  ...['heading', 'text', 'code'].map((type) => ({
    leaf: `type:${type}`,
    holds: (facts: Facts) => facts.type === type,
  })),
  ...['archive', 'notes', '1'].map((path) => ({
    leaf: `path:${path}`,
    holds: (facts: Facts) => facts.path.includes(path),
  })),
)
const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    tie('tree').map((not) => ({ not })),
    fc.array(tie('tree'), { minLength: 2, maxLength: 3 }).map((and) => ({ and })),
    fc.array(tie('tree'), { minLength: 2, maxLength: 3 }).map((or) => ({ or })),
  ),
}))

function written(one: Tree): string {
  if ('leaf' in one) return one.leaf
  if ('not' in one) return `NOT (${written(one.not)})`
  // Of several types or paths that stand side by side any is enough: not so twice negated.
  if ('and' in one) return one.and.map((part) => `NOT (NOT (${written(part)}))`).join(' AND ')
  return one.or.map((part) => `(${written(part)})`).join(' OR ')
}

function holds(one: Tree, facts: Facts): boolean {
  if ('leaf' in one) return one.holds(facts)
  if ('not' in one) return !holds(one.not, facts)
  return 'and' in one
    ? one.and.every((part) => holds(part, facts))
    : one.or.some((part) => holds(part, facts))
}

test('filters that are negated and nested find what a naive evaluation does', async () => {
  await using at = await openWorkspace(FILES)
  const all = (await ask(at.memory, 'amber', { limit: 200 })).hits
  expect(all.length).toBe(72)
  await fc.assert(
    fc.asyncProperty(tree, fc.boolean(), async (filters, isFirst) => {
      const group = `(${written(filters)})`
      const text = isFirst ? `${group} amber` : `amber ${group}`
      const { hits, searched } = await ask(at.memory, text, { limit: 200 })
      const expected = all.filter(({ path, type }) => holds(filters, { path, type, tags: tagsOf(path) }))
      expect(searched.notes).toEqual([])
      expect(hits.map(({ id }) => id).sort(), text).toEqual(expected.map(({ id }) => id).sort())
    }),
    { numRuns: 200 * RUNS },
  )
}, 120_000)
