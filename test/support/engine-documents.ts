import fc from 'fast-check'

/** How many times more than usual property tests of the engine try: `ENGINE_RUNS=10`. */
export const RUNS = Number(process.env.ENGINE_RUNS ?? 1)

/** A block of a Markdown document. Its `name` is in its text, and in no other block's. */
export interface Source {
  kind: 'heading' | 'text' | 'list' | 'code' | 'table'
  level: number
  name: string
  /** Grows with every edit of the block. */
  edition: number
}

const WORDS = ['amber', 'birch', 'cedar', 'delta', 'ember', 'fjord', 'grove', 'heath', 'inlet', 'jetty']

/** Blocks without names: `named` gives them. */
export const sources: fc.Arbitrary<Omit<Source, 'name'>[]> = fc.array(
  fc.record({
    kind: fc.constantFrom<Source['kind']>('heading', 'heading', 'text', 'text', 'list', 'code', 'table'),
    level: fc.integer({ min: 1, max: 4 }),
    edition: fc.constant(0),
  }),
  { minLength: 1, maxLength: 14 },
)

/** Names no two blocks alike, ever. */
export function createNames(): () => string {
  let count = 0
  return () => {
    const n = count++
    const word = (at: number): string => WORDS[(n * 7 + at * 3 + Math.floor(n / 10)) % 10] as string
    return `${word(0)}${n} ${word(1)} ${word(2)}${n}`
  }
}

/** The name in a block's text, if it is one of ours. */
export function nameIn(text: string): string | undefined {
  return /[a-z]+\d+ [a-z]+ [a-z]+\d+/.exec(text)?.[0]
}

/** Lists that touch would be one list: their bullets keep them apart. */
export function toMarkdown(blocks: readonly Source[]): string {
  return blocks.map((block, at) => `${toText(block, at % 2 === 0 ? '-' : '*')}\n`).join('\n')
}

function toText({ kind, level, name, edition }: Source, bullet: string): string {
  const title = edition === 0 ? name : `${name} edited ${edition}`
  switch (kind) {
    case 'heading':
      return `${'#'.repeat(level)} ${title}`
    case 'text':
      return `The ${title} of ${name} says so.`
    case 'list':
      return `${bullet} ${title}\n${bullet} second of ${name}\n  ${bullet} nested in ${name}`
    case 'code':
      return `\`\`\`js\nconst x = '${title}'\n\`\`\``
    case 'table':
      return `| ${name} | b |\n| --- | --- |\n| 1 | ${title} |`
  }
}
