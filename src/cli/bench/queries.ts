import type { ForestNode } from '../../core/observe/forest.ts'

const COUNT = 3

interface Section {
  id: string
  label: string
  tokens: number
}

/**
 * Default questions for an unknown project: the headings of a quarter, half and three quarters of its
 * sections by size. Only headings of several words: people rarely search for a single word.
 */
export function queriesFor(roots: readonly ForestNode[]): string[] {
  const sections = sectionsIn(roots)
  const spoken = sections.filter(({ label }) => /\S\s+\S/.test(label))
  const chosen = firstOfEach(spoken.length >= COUNT ? spoken : sections).sort(bySize)
  const places = Array.from({ length: COUNT }, (_, at) =>
    Math.floor((chosen.length * (at + 1)) / (COUNT + 1)),
  )
  const labels = places.flatMap((place) => chosen[place]?.label ?? [])
  return [...new Set(labels)]
}

function sectionsIn(roots: readonly ForestNode[]): Section[] {
  return roots.flatMap((node) => {
    const below = sectionsIn(node.children)
    return node.type === 'heading'
      ? [{ id: node.id, label: node.label, tokens: sizeOf(node) }, ...below]
      : below
  })
}

function sizeOf({ tokens, children }: ForestNode): number {
  return children.reduce((sum, child) => sum + sizeOf(child), tokens)
}

function firstOfEach(sections: Section[]): Section[] {
  return [...new Map(sections.toReversed().map((section) => [section.label, section])).values()]
}

function bySize(a: Section, b: Section): number {
  return a.tokens - b.tokens || (a.label < b.label ? -1 : 1)
}
