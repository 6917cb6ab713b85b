import { beforeAll, describe, expect, test } from 'vitest'
import { loadXxh64, type Xxh64 } from '../../util/text/xxh64.ts'
import type { Block } from '../model.ts'
import { flatten } from '../rows/flatten.ts'
import { assignIds, createIdBook } from './assign-ids.ts'

const block = (text: string, ...children: Block[]): Block => ({
  type: 'text',
  format: 'plain',
  text,
  children,
})

let hash: Xxh64
beforeAll(async () => {
  hash = await loadXxh64()
})

/** A store with some ids that counts its reads. */
function storeWith(...used: string[]) {
  const store = {
    asked: 0,
    async nodes({ ids }: { ids: string[] }) {
      store.asked++
      return ids.filter((id) => used.includes(id)).map((id) => ({ id }))
    },
  }
  return store as never as typeof store & Parameters<typeof createIdBook>[0]
}

describe('assignIds', () => {
  const flat = flatten([block('a', block('b'), block('c')), block('d')], (text) => text)

  test('gives the published ids to a new document, with one read', async () => {
    const store = storeWith()
    expect(await assignIds(createIdBook(store), hash, [{ idPath: 'a.md', flat }])).toEqual([
      ['FC4TQ4IMGIk', '25FHWVYdid1', '3PFgqoBrpp1', 'JIbTLXwMXYg'],
    ])
    expect(store.asked).toBe(1)
  })

  test('replaces an id that is in use, and keeps the ids below it unique', async () => {
    const [ids] = await assignIds(createIdBook(storeWith('FC4TQ4IMGIk')), hash, [{ idPath: 'a.md', flat }])
    expect(ids?.[0]).not.toBe('FC4TQ4IMGIk')
    expect(ids?.[3]).toBe('JIbTLXwMXYg')
    expect(new Set(ids).size).toBe(4)
    // The same clash leads to the same id.
    expect(await assignIds(createIdBook(storeWith('FC4TQ4IMGIk')), hash, [{ idPath: 'a.md', flat }])).toEqual(
      [ids],
    )
    const taken = await assignIds(createIdBook(storeWith('FC4TQ4IMGIk', ids?.[0] as string)), hash, [
      { idPath: 'a.md', flat },
    ])
    expect(new Set([...(ids ?? []), taken[0]?.[0]]).size).toBe(5)
  })

  test('gives two documents of one batch different ids', async () => {
    const [first, second] = await assignIds(createIdBook(storeWith()), hash, [
      { idPath: 'a.md', flat },
      { idPath: 'a.md', flat },
    ])
    expect(first?.[0]).toBe('FC4TQ4IMGIk')
    expect(new Set([...(first ?? []), ...(second ?? [])]).size).toBe(8)
  })

  test('keeps known ids of blocks', async () => {
    const known = ['XXXXXXXXXXX', undefined, undefined, undefined]
    const [ids] = await assignIds(createIdBook(storeWith('XXXXXXXXXXX')), hash, [
      { idPath: 'a.md', flat, known },
    ])
    expect(ids?.[0]).toBe('XXXXXXXXXXX')
    expect(ids?.[3]).toBe('JIbTLXwMXYg')
  })

  test('gives the first root its given id', async () => {
    const [ids] = await assignIds(createIdBook(storeWith()), hash, [
      { idPath: 'mcp:write:x', firstRootId: 'NOTENOTENOT', flat },
    ])
    expect(ids?.[0]).toBe('NOTENOTENOT')
    expect(ids?.[3]).not.toBe('NOTENOTENOT')
  })
})

describe('createIdBook', () => {
  test.each<
    [string, { asks?: string[][]; takes?: string[] }, [boolean | undefined, boolean | undefined], number]
  >([
    ['knows nothing without a read', {}, [undefined, undefined], 0],
    ['knows both after reading both', { asks: [['used', 'free']] }, [true, false], 1],
    ['knows one after reading one', { asks: [['free']] }, [undefined, false], 1],
    ['knows both after two reads', { asks: [['free'], ['used']] }, [true, false], 2],
    [
      'reads no known id again',
      {
        asks: [
          ['used', 'free'],
          ['free', 'used'],
        ],
      },
      [true, false],
      1,
    ],
    ['reads nothing for no ids', { asks: [[]] }, [undefined, undefined], 0],
    ['knows a taken id without a read', { takes: ['free'] }, [undefined, true], 0],
    ['marks a free id as taken', { asks: [['free']], takes: ['free'] }, [undefined, true], 1],
  ])('%s', async (_, { asks = [], takes = [] }, expected, asked) => {
    const store = storeWith('used')
    const book = createIdBook(store)
    for (const ids of asks) await book.ask(ids)
    for (const id of takes) book.take(id)
    expect([book.isTaken('used'), book.isTaken('free')]).toEqual(expected)
    expect(store.asked).toBe(asked)
  })

  test('keeps a taken id, whatever the store has, and does not read it', async () => {
    const store = storeWith()
    const book = createIdBook(store)
    book.take('mine')
    await book.ask(['mine'])
    expect(book.isTaken('mine')).toBe(true)
    expect(store.asked).toBe(0)
  })
})
