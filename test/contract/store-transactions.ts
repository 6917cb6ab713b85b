import { expect, test } from 'vitest'
import { MemoryError } from '../../src/core/errors.ts'
import type { ReadTx, Store, StoreQuery, WriteTx } from '../../src/core/port/store.ts'
import { setHeat } from '../../src/core/rows/heat.ts'
import { acquireLease, findLease } from '../../src/core/rows/leases.ts'
import { documentAt } from '../../src/core/write/documents.ts'
import { contentDigest } from '../../src/util/text/hash.ts'
import {
  ABOUT,
  addDocument,
  addNodes,
  change,
  commit,
  note,
  openSnapshot,
  put,
  type TestNode,
} from '../support/store-changes.ts'
import { findNode, rootsOf } from '../support/store-reads.ts'
import { writing } from '../support/writing.ts'
import type { OpenEmpty } from './store.ts'

/** A promise and the way to settle it: the order of two tasks without a clock. */
function gate() {
  return Promise.withResolvers<void>()
}

/** Refers to a text that nobody stored. */
const IMPOSSIBLE = { texts: [{ digest: '0'.repeat(32), text: null, by: 1 }] }

export function transactionContract(open: OpenEmpty): void {
  async function stateOf(store: Store) {
    return store.read(async (tx) => ({
      head: (await tx.state()).head,
      roots: await rootsOf(tx),
      versions: await tx.versions({ since: 0, until: Number.MAX_SAFE_INTEGER }, { limit: 1000 }),
      summary: await tx.summary({ hot: 0.5, cold: 0.1 }),
      files: await tx.documents({ kind: 'source' }, 'size'),
    }))
  }

  test('a write that throws changes nothing', async () => {
    const { store } = await open()
    const { nodes } = await addDocument(store, note('n'), [{ id: 'a', text: 'a' }], 'text')
    const before = await stateOf(store)
    const everything = commit(store, async (tx, id) => {
      const document = await put(tx, id, note('m'), 'new')
      await addNodes(tx, id, document.id, [{ id: 'b', text: 'b' }])
      await tx.applyChanges(id, [change('mod', { ...(nodes[0] as TestNode), text: 'edited' })])
      await setHeat(tx, [nodes[0]?.key ?? 0], { value: 1, pinned: true })
      await acquireLease(tx, { name: 'tick', holder: 'a', ttlMs: 1000, now: 0 })
      await tx.finishSnapshot()
      throw new TypeError('on purpose')
    })
    await expect(everything).rejects.toThrow(TypeError)
    expect(await stateOf(store)).toEqual(before)
    const lease = { name: 'tick', holder: 'b', ttlMs: 1000, now: 0 }
    expect(await writing(store, (tx) => acquireLease(tx, lease))).toBe(true)
  })

  test('a write that does not wait gives up while another is on, and runs when there is none', async () => {
    const { store } = await open()
    const started = gate()
    const finish = gate()
    const slow = writing(store, async () => {
      started.resolve()
      await finish.promise
    })
    await started.promise
    let hasRun = false
    const hasty = () =>
      writing(
        store,
        async (tx) => {
          hasRun = true
          return acquireLease(tx, { name: 'tick', holder: 'a', ttlMs: 1000, now: 0 })
        },
        { wait: false },
      )
    await expect(hasty()).rejects.toMatchObject({ name: 'MemoryError', code: 'UNAVAILABLE' })
    expect(hasRun).toBe(false)
    finish.resolve()
    await slow
    expect(await hasty()).toBe(true)
    expect(await hasty()).toBe(true)
  })

  test('a write whose call fails changes nothing, even when the failure is caught', async () => {
    const { store } = await open()
    const { document } = await addDocument(store, note('n'), [{ id: 'a', text: 'a' }])
    const before = await stateOf(store)
    const swallowed = commit(store, async (tx, id) => {
      await addNodes(tx, id, document.id, [{ id: 'b', text: 'b' }])
      await tx.commit(IMPOSSIBLE).catch(() => undefined)
    })
    await expect(swallowed).rejects.toThrow()
    expect(await stateOf(store)).toEqual(before)
  })

  test('a failing call that nobody awaited fails the write', async () => {
    const { store } = await open()
    const { document } = await addDocument(store, note('n'), [])
    const before = await stateOf(store)
    const careless = commit(store, async (tx, id) => {
      void addNodes(tx, id, document.id, [{ id: 'b', text: 'b' }]).catch(() => undefined)
      void tx.commit(IMPOSSIBLE)
    })
    await expect(careless).rejects.toThrow()
    expect(await stateOf(store)).toEqual(before)
  })

  test('a failing call that nobody awaited fails the read', async () => {
    const { store } = await open()
    const careless = store.read(async (tx) => {
      void tx.summary(undefined as never)
      return 1
    })
    await expect(careless).rejects.toThrow()
  })

  test('nothing that a write left running happens after it', async () => {
    const { store } = await open()
    const { nodes } = await addDocument(store, note('n'), [{ id: 'a', text: 'a' }])
    const key = nodes[0]?.key ?? 0
    let runaway: Promise<unknown> = Promise.resolve()
    await writing(store, async (tx) => {
      runaway = (async () => {
        for (let step = 1; step <= 500; step++) await setHeat(tx, [key], { value: step / 1000 })
      })().catch((error: unknown) => error)
    }).catch(() => undefined)
    const [atOnce] = await store.read((tx) => tx.nodes({ keys: [key] }, 'heat'))
    await runaway
    expect(await store.read((tx) => tx.nodes({ keys: [key] }, 'heat'))).toEqual([atOnce])
  })

  test('a transaction is refused after its end', async () => {
    const { store } = await open()
    let kept: { read?: ReadTx; write?: WriteTx; failed?: WriteTx } = {}
    await store.read(async (tx) => {
      kept = { ...kept, read: tx }
    })
    await writing(store, async (tx) => {
      kept = { ...kept, write: tx }
    })
    await writing(store, async (tx) => {
      kept = { ...kept, failed: tx }
      throw new Error('on purpose')
    }).catch(() => undefined)
    await expect((async () => kept.read?.state())()).rejects.toThrow('ended')
    await expect((async () => kept.write?.state())()).rejects.toThrow('ended')
    await expect((async () => kept.failed?.commit({}))()).rejects.toThrow('ended')
    expect((await store.read((tx) => tx.state())).head).toBeUndefined()
  })

  test('a call that nobody waited for fails the whole transaction', async () => {
    const { store } = await open()
    const failed = writing(store, async (tx) => {
      const row = { ...ABOUT, id: 1, parentId: null, cursorHash: '' }
      void tx.commit(IMPOSSIBLE)
      void tx.commit({ snapshot: { row, digest: 0n } })
    })
    await expect(failed).rejects.toThrow(/not stored/)
    expect((await store.read((tx) => tx.state())).head).toBeUndefined()
    await writing(store, async (tx) => {
      await (await openSnapshot(tx)).tx.finishSnapshot()
    })
    expect((await store.read((tx) => tx.state())).head).toBeDefined()
  })

  test('writes run one after the other, in the order they were asked for', async () => {
    const { store } = await open()
    const running = new Set<number>()
    const order: number[] = []
    await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        commit(store, async (tx) => {
          running.add(at)
          for (let step = 0; step < 3; step++) {
            await tx.state()
            expect([...running]).toEqual([at])
          }
          running.delete(at)
          order.push(at)
        }),
      ),
    )
    expect(order).toEqual(order.toSorted((a, b) => a - b))
    const snapshots = await store.read((tx) => tx.snapshots({ limit: 100 }))
    expect(snapshots.map((row) => row.parentId)).toEqual([...snapshots.slice(1).map((row) => row.id), null])
  })

  test('a write that fails does not hold up the next', async () => {
    const { store } = await open()
    const outcomes = await Promise.allSettled([
      writing(store, async () => {
        throw new Error('on purpose')
      }),
      commit(store, async () => 'worked'),
    ])
    expect(outcomes.map((outcome) => outcome.status)).toEqual(['rejected', 'fulfilled'])
  })

  test('of writes that wait together, one that fails takes nothing of the others along', async () => {
    const { store, maintenance } = await open()
    const addNote = (name: string, then: () => void = () => undefined) =>
      commit(store, async (tx, id) => {
        const document = await put(tx, id, note(name), 'the same text')
        await addNodes(tx, id, document.id, [{ id: name, text: 'the same text' }])
        await tx.finishSnapshot()
        then()
      })
    const fail = (): never => {
      throw new MemoryError('CONFLICT', 'on purpose')
    }
    const refuse = writing(store, async () => fail())
    const outcomes = await Promise.allSettled([
      ...[addNote('a', fail), addNote('b'), refuse, addNote('c', fail), addNote('d')],
      writing(store, (tx) => tx.commit(IMPOSSIBLE)),
      addNote('e'),
    ])
    expect(outcomes.map((outcome) => outcome.status === 'rejected')).toEqual([
      true,
      false,
      true,
      true,
      false,
      true,
      false,
    ])
    expect(outcomes[0]).toMatchObject({ reason: { code: 'CONFLICT' } })
    const { roots, snapshots } = await store.read(async (tx) => ({
      roots: await rootsOf(tx),
      snapshots: await tx.snapshots({ limit: 10 }),
    }))
    expect(roots.map(({ id }) => id)).toEqual(['b', 'd', 'e'])
    expect(snapshots.map(({ id, parentId }) => [id, parentId])).toEqual([
      [3, 2],
      [2, 1],
      [1, null],
    ])
    expect((await maintenance.check()).filter(({ status }) => status !== 'pass')).toEqual([])
  })

  test('of writes that wait together, those that are given up are not stored', async () => {
    const { store } = await open()
    const [started, finish] = [gate(), gate()]
    const callers = { running: new AbortController(), waiting: new AbortController() }
    const hold = (name: string, signal?: AbortSignal, work = async () => {}) =>
      writing(
        store,
        async (tx) => {
          await acquireLease(tx, { name, holder: 'a', ttlMs: 1000, now: 0 })
          await work()
        },
        { signal },
      )
    const block = (): Promise<void> => {
      started.resolve()
      return finish.promise
    }
    const [first, running, waiting, last] = [
      hold('first'),
      hold('running', callers.running.signal, block),
      hold('waiting', callers.waiting.signal),
      hold('last'),
    ]
    await started.promise
    callers.waiting.abort(new Error('not any more'))
    await expect(waiting).rejects.toThrow('not any more')
    callers.running.abort(new Error('given up'))
    finish.resolve()
    await expect(running).rejects.toThrow('given up')
    await Promise.all([first, last])
    const names = ['first', 'running', 'waiting', 'last']
    const held = await store.read((tx) => Promise.all(names.map((name) => findLease(tx, name, 0))))
    expect(held.map((lease) => lease?.name)).toEqual(['first', undefined, undefined, 'last'])
  })

  test('a read sees one state while writes commit', async () => {
    const { store } = await open()
    await addDocument(store, note('n'), [{ id: 'a', text: 'a' }])
    const [started, committed] = [gate(), gate()]
    const reading = store.read(async (tx) => {
      const before = [(await tx.state()).head, await rootsOf(tx)]
      started.resolve()
      await committed.promise
      const after = [(await tx.state()).head, await rootsOf(tx)]
      return { before, after, found: await findNode(tx, 'b') }
    })
    await started.promise
    await addDocument(store, note('m'), [{ id: 'b', text: 'b' }])
    committed.resolve()
    const { before, after, found } = await reading
    expect(after).toEqual(before)
    expect(found).toBeUndefined()
    expect(await store.read((tx) => findNode(tx, 'b'))).toMatchObject({ id: 'b' })
  })

  test('a read waits for no write and sees nothing that is not committed', async () => {
    const { store } = await open()
    const { value } = await commit(store, async (tx, id) => {
      await put(tx, id, note('n'), 'text')
      const inside = await documentAt(tx, note('n'), 'row')
      const outside = await store.read((reader) => documentAt(reader, note('n'), 'row'))
      return { inside, outside }
    })
    expect(value.inside).toMatchObject({ state: 'live' })
    expect(value.outside).toBeUndefined()
    expect(await store.read((tx) => documentAt(tx, note('n'), 'row'))).toEqual(value.inside)
  })

  test('takes more reads at once than it has handles', async () => {
    const { store } = await open()
    await addDocument(store, note('n'), [{ id: 'a', text: 'a' }])
    const reads = Array.from({ length: 50 }, () =>
      store.read(async (tx) => [(await findNode(tx, 'a'))?.digest, (await tx.state()).head]),
    )
    expect(new Set((await Promise.all(reads)).map((answer) => JSON.stringify(answer))).size).toBe(1)
  })

  test('a read has no way to write', async () => {
    const { store } = await open()
    await store.read(async (tx) => {
      for (const name of ['putDocuments', 'commit', 'setHeat', 'heal'])
        expect((tx as unknown as Record<string, unknown>)[name]).toBeUndefined()
    })
  })

  test('what a read gives is the caller’s own: changing it changes nothing that is stored', async () => {
    const { store } = await open()
    const given = { tags: ['a'] }
    const address = { kind: 'key', key: 'k' } as const
    await commit(store, (tx, id) =>
      tx.putDocuments([{ address, text: 'x', digest: contentDigest('x'), attributes: given }], id),
    )
    given.tags.push('later')
    const tagsOf = async () => (await store.read((tx) => documentAt(tx, address, 'head')))?.attributes.tags
    const read = await tagsOf()
    expect(read).toEqual(['a'])
    read?.push('mine')
    expect(await tagsOf()).toEqual(['a'])
  })

  test('a call that was given up before its turn never begins, and one that runs changes nothing', async () => {
    const { store } = await open()
    const [started, finish] = [gate(), gate()]
    const [running, waiting] = [new AbortController(), new AbortController()]
    let hasBegun = false
    const first = writing(
      store,
      async (tx) => {
        await acquireLease(tx, { name: 'tick', holder: 'a', ttlMs: 1000, now: 0 })
        started.resolve()
        await finish.promise
      },
      { signal: running.signal },
    )
    await started.promise
    const begin = async () => {
      hasBegun = true
    }
    const second = writing(store, begin, { signal: waiting.signal })
    waiting.abort(new Error('not any more'))
    await expect(second).rejects.toThrow('not any more')
    running.abort(new Error('given up'))
    finish.resolve()
    await expect(first).rejects.toThrow('given up')
    expect(hasBegun).toBe(false)
    expect(await store.read((tx) => findLease(tx, 'tick', 0))).toBeUndefined()
    const late = writing(store, async () => undefined, { signal: running.signal })
    await expect(late).rejects.toThrow('given up')
  })

  test('a query reads what is stored, and one that was given up before it began never begins', async () => {
    const { store } = await open()
    await addDocument(store, note('n'), [{ id: 'a', text: 'a' }])
    let times = 0
    const query: StoreQuery<string, boolean> = {
      name: 'test',
      run({ store, now }, id) {
        times += now > 0 ? 1 : 0
        return store.read(async (tx) => (await findNode(tx, id)) !== undefined)
      },
    }
    expect(await Promise.all([store.query(query, 'a'), store.query(query, 'b')])).toEqual([true, false])
    const signal = AbortSignal.abort(new Error('given up'))
    await expect(store.query(query, 'a', { signal })).rejects.toThrow('given up')
    expect(times).toBe(2)
  })

  test('what is thrown inside comes out as it is', async () => {
    const { store } = await open()
    const thrown = new Error('mine')
    await expect(store.read(() => Promise.reject(thrown))).rejects.toBe(thrown)
    await expect(writing(store, () => Promise.reject(thrown))).rejects.toBe(thrown)
  })
}
