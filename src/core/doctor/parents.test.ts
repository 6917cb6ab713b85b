import { describe, expect, test } from 'vitest'
import { addPlace, countBelow, createPlaces, findCycles, findOrphans, type Places } from './parents.ts'

/** The parent by key; null: a root; removed nodes are left out. */
function placesOf(parents: Record<number, number | null>): Places {
  const places = createPlaces()
  for (const [key, parentKey] of Object.entries(parents))
    addPlace(places, { key: Number(key), parentKey, removedIn: null })
  return places
}

describe('the check of parents', () => {
  test.each([
    ['nothing', {}, []],
    ['a tree', { 1: null, 2: 1, 3: 2 }, []],
    ['a parent that comes later', { 1: 3, 3: null }, []],
    ['a parent that never existed', { 1: null, 2: 9 }, [2]],
    ['only missing parents', { 1: 7, 2: 8 }, [1, 2]],
    ['a node below itself', { 1: 1 }, []],
    ['a parent with the number 0', { 1: 0 }, [1]],
  ])('finds orphans in %s', (_, parents, orphans) => {
    expect(findOrphans(placesOf(parents))).toEqual(orphans)
  })

  test('a removed parent does not count, and a removed node needs none', () => {
    const places = placesOf({ 2: 1 })
    addPlace(places, { key: 1, parentKey: 7, removedIn: 5 })
    expect(findOrphans(places)).toEqual([2])
  })

  test.each<[string, Record<number, number | null>, number[], number]>([
    ['a tree', { 1: null, 2: 1, 3: 1 }, [], 0],
    ['a later parent', { 1: 3, 2: 1, 3: null }, [], 0],
    ['one node', { 4: 4 }, [4], 1],
    ['two nodes', { 1: 2, 2: 1 }, [1], 2],
    ['three nodes, others below and beside', { 1: 3, 3: 2, 2: 1, 5: 3, 6: 5, 7: null, 8: 7 }, [1], 5],
    ['two cycles', { 1: 2, 2: 1, 3: 4, 4: 3, 5: 3 }, [1, 3], 5],
    ['nodes that lead into a cycle', { 5: 6, 6: 5, 1: 9, 9: 6 }, [5], 4],
    ['an orphan', { 1: 9, 2: 1 }, [], 0],
    ['a node with the number 0', { 0: 5, 5: null, 6: 0 }, [], 0],
  ])('finds cycles in %s', (_, parents, cycles, below) => {
    const places = placesOf(parents)
    expect(findCycles(places).toSorted((a, b) => a - b)).toEqual(cycles)
    expect(countBelow(places, cycles)).toBe(below)
  })
})
