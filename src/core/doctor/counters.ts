import { type CountedLink, countLinks } from '../links/counts.ts'
import type { ScannedNode, StoredRows } from '../port/scan.ts'
import type { WriteTx } from '../port/store.ts'
import { countNode } from '../rows/counters.ts'
import { amount, fail, pass, type RowChecks, type Seeing } from './check.ts'
import { seeRows } from './see-rows.ts'

/** Counters agree with the nodes and links. */
export function counterCheck(): RowChecks {
  const recount = recounting()
  return {
    see: recount.see,
    findings: {
      counters() {
        const names = [...recount.corrections().keys()]
        if (names.length === 0) return pass('counters agree with the nodes and links')
        return fail(`${names.length} counters are off: ${names.join(', ')}`)
      },
    },
  }
}

export async function healCounters(tx: WriteTx): Promise<void> {
  const recount = recounting()
  await seeRows(tx, recount.see)
  await tx.commit({ counters: recount.corrections() })
}

/** Recounts, and compares with the stored counters. */
export function recounting() {
  const stored = new Map<string, number>()
  const nodes = new Map<string, number>()
  const links = linkCounting()
  const see = {
    counters: ({ name, value }: StoredRows['counters']) => void stored.set(String(name), amount(value)),
    nodes({ type, tokens, removedIn }: Pick<ScannedNode, 'type' | 'tokens' | 'removedIn'>) {
      if (removedIn === null) countNode(nodes, { type, tokens: amount(tokens), mark: null }, 1)
    },
    links: links.see,
  } satisfies Seeing
  return {
    see,
    /** The correction of each counter, those of existing rows first. */
    corrections(): Map<string, number> {
      const expected = new Map([...inOrder(nodes), ...links.counts()])
      const names = new Set([...expected.keys(), ...stored.keys()])
      const changes = [...names].map((name): [string, number] => [
        name,
        (expected.get(name) ?? 0) - (stored.get(name) ?? 0),
      ])
      return new Map(changes.filter(([, by]) => by !== 0))
    },
  }
}

function inOrder(counted: ReadonlyMap<string, number>): [string, number][] {
  const { nodes = 0, tokens = 0, ...types } = Object.fromEntries(counted)
  const byType = Object.entries(types).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return [['nodes', nodes], ['tokens', tokens], ...byType]
}

/** Counts links, which come ordered by source: several to the same target are one edge. */
function linkCounting() {
  const counters = new Map([['relations_pending', 0]])
  let source: number | undefined
  let links: CountedLink[] = []
  function finishSource(): void {
    countLinks(counters, links, 1)
    links = []
  }
  return {
    see({ sourceKey, origin, targetKey, asleep }: CountedLink & { sourceKey: number }): void {
      if (sourceKey !== source) finishSource()
      source = sourceKey
      links.push({ origin, targetKey, asleep })
    },
    counts(): [string, number][] {
      finishSource()
      return [...counters].toSorted(([a], [b]) => (a < b ? -1 : 1))
    },
  }
}
