import { expect, test } from 'vitest'
import type { LinkDirection } from '../port/links.ts'
import { edgesAmong } from './edges.ts'

/** `1>2 3 manual` is a link from 1 to 2 of weight 3; places follow the order given. */
function linksOf(...links: string[]) {
  return links.map((text, place) => {
    const [ends = '', weight, origin = 'parsed'] = text.split(' ')
    const [source, target] = ends.split('>')
    const targetKey = target ? Number(target) : null
    const at = { id: place + 1, sourceKey: Number(source), targetKey, place, weight: Number(weight) }
    return { ...at, origin: origin as 'parsed' | 'manual' }
  })
}

test.each<[string, LinkDirection, string[], string[]]>([
  ['nothing', 'out', [], []],
  ['one link each', 'out', ['1>2 1', '1>3 2', '2>1 3'], ['1>2 1', '1>3 2', '2>1 3']],
  ['the last of several links', 'out', ['1>2 1', '1>3 5', '1>2 4', '1>2 2'], ['1>2 2', '1>3 5']],
  ['one of each origin', 'out', ['1>2 1', '1>2 7 manual', '1>2 2'], ['1>2 2', '1>2 7 manual']],
  ['to itself', 'out', ['1>1 1', '1>1 2'], ['1>1 2']],
  ['no pending links', 'out', ['1> 1', '1>2 1'], ['1>2 1']],
  ['grouped by the other end', 'in', ['1>9 1', '2>9 1', '1>9 3', '1>8 1'], ['1>9 3', '2>9 1', '1>8 1']],
])('edgesAmong links: %s', (_, direction, links, edges) => {
  const found = edgesAmong(linksOf(...links), direction)
  const shown = found.map(({ sourceKey, targetKey, weight, origin }) =>
    `${sourceKey}>${targetKey} ${weight} ${origin}`.replace(' parsed', ''),
  )
  expect(shown).toEqual(edges)
})

test('edgesAmong takes the weight of the link with the greatest place, in any order', () => {
  expect(edgesAmong(linksOf('1>2 1', '1>2 2', '1>2 3').reverse())).toMatchObject([{ weight: 3 }])
})
