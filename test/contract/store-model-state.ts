import type { NodeType } from '../../src/core/model.ts'
import type { NodeChange } from '../../src/core/rows/plan.ts'
import { estimateTokens } from '../../src/core/tokens.ts'
import { change, markOf, type TestNode } from '../support/store-changes.ts'

interface ModelNode extends TestNode {
  live: boolean
}
interface ModelDocument {
  id: number
  key: string
  state: 'live' | 'removed' | 'erased'
  text: string | null
}
interface Version<T> {
  snapshot: number
  value: T
}
type NodeStep =
  | { kind: 'edit'; text: string; type: NodeType }
  | { kind: 'move'; to: number }
  | { kind: 'remove' }
  | { kind: 'revive'; text: string }

/** What a store should hold, as plainly as it can be said: every version of everything, in memory. */
export function createModel() {
  const nodes = new Map<number, Version<ModelNode>[]>()
  const docs = new Map<number, { now: ModelDocument; versions: Version<ModelDocument>[] }>()
  const texts = new Set<string>()
  let snapshotIds: number[] = []
  const erasedKeys = new Set<number>()
  let serial = 0

  const current = (): ModelNode[] =>
    [...nodes.values()].map((versions) => (versions.at(-1) as Version<ModelNode>).value)
  const live = (): ModelNode[] => current().filter((node) => node.live)
  const seen = (snapshot: number): void => {
    if (snapshotIds.at(-1) !== snapshot) snapshotIds.push(snapshot)
  }
  function set(snapshot: number, node: ModelNode): void {
    seen(snapshot)
    texts.add(node.text)
    nodes.set(node.key, [...(nodes.get(node.key) ?? []), { snapshot, value: node }])
  }
  function setDocument(snapshot: number, now: ModelDocument): void {
    seen(snapshot)
    if (now.text !== null) texts.add(now.text)
    const versions = docs.get(now.id)?.versions.filter((version) => version.snapshot !== snapshot) ?? []
    docs.set(now.id, { now, versions: [...versions, { snapshot, value: now }] })
  }
  const isErased = (node: ModelNode): boolean => docs.get(node.documentId)?.now.state === 'erased'
  /** A node's versions of before its document's erasure are gone. */
  function forget(key: number): void {
    const last = nodes.get(key)?.at(-1) as Version<ModelNode>
    nodes.set(key, [{ ...last, value: { ...last.value, live: false, text: '' } }])
  }
  const below = (node: ModelNode): Set<number> => {
    const found = new Set([node.key])
    for (let size = 0; size !== found.size; ) {
      size = found.size
      for (const one of live()) if (one.parent && found.has(one.parent.key)) found.add(one.key)
    }
    return found
  }
  const refresh = (node: ModelNode): ModelNode => ({ ...node, live: true })

  return {
    live,
    snapshots: () => snapshotIds,
    documents: () => [...docs.values()].map((document) => document.now),
    liveDocuments: () => [...docs.values()].map(({ now }) => now).filter(({ state }) => state === 'live'),
    revivable: () => current().filter((node) => !node.live && !isErased(node) && !erasedKeys.has(node.key)),
    everyText: () => [...texts],

    newNode(key: number, documentId: number, text: string): ModelNode {
      serial++
      return {
        key,
        documentId,
        text,
        id: `n${String(serial).padStart(10, '0')}`,
        position: `a${serial}V`,
        type: 'text',
        parent: null,
        live: true,
      }
    },
    set,

    /** What a step does to a node; removing one leaves its children as roots. */
    change(node: ModelNode, step: NodeStep): { changes: NodeChange[]; nodes: ModelNode[] } | undefined {
      const one = (next: ModelNode, op: 'add' | 'mod') => ({ changes: [change(op, next)], nodes: [next] })
      switch (step.kind) {
        case 'edit':
          return one({ ...node, text: step.text, type: step.type }, 'mod')
        case 'revive':
          return one(refresh({ ...node, text: step.text, parent: null }), 'add')
        case 'move': {
          const excluded = below(node)
          const targets = live().filter(({ key }) => !excluded.has(key))
          const target = targets[step.to % Math.max(1, targets.length)]
          return target && one({ ...node, parent: { key: target.key, id: target.id } }, 'mod')
        }
        case 'remove': {
          const children = live().filter(({ parent }) => parent?.key === node.key)
          const moved = children.map((child) => ({ ...child, parent: null }))
          return {
            changes: [...moved.map((child) => change('mod', child)), { op: 'rem', key: node.key }],
            nodes: [...moved, { ...node, live: false }],
          }
        }
      }
    },

    put(snapshot: number, id: number, key: string, text: string): void {
      setDocument(snapshot, { id, key, state: 'live', text })
    },
    withdraw(snapshot: number, id: number): void {
      const { now } = docs.get(id) as { now: ModelDocument }
      setDocument(snapshot, { ...now, state: 'removed', text: null })
    },

    erase(snapshot: number, id: number): void {
      seen(snapshot)
      const gone = new Set(
        [...nodes].filter(([, [first]]) => first?.value.documentId === id).map(([key]) => key),
      )
      for (const node of live()) {
        if (!gone.has(node.key) && node.parent && gone.has(node.parent.key))
          set(snapshot, { ...node, parent: null })
      }
      for (const key of gone) {
        forget(key)
        erasedKeys.add(key)
      }
      const { now } = docs.get(id) as { now: ModelDocument }
      docs.set(id, { now: { ...now, state: 'erased', text: null }, versions: [] })
    },

    rollback(target: number, snapshot: number, dropAfter: boolean): void {
      seen(snapshot)
      const at = <T>(versions: Version<T>[]): T | undefined =>
        versions.findLast((version) => version.snapshot <= target)?.value
      for (const [key, versions] of nodes) {
        const now = (versions.at(-1) as Version<ModelNode>).value
        const then = erasedKeys.has(key) ? undefined : at(versions)
        const parent = then?.parent && !erasedKeys.has(then.parent.key) ? then.parent : null
        const next = then?.live ? { ...then, parent } : { ...now, live: false }
        if (JSON.stringify(next) !== JSON.stringify(now)) set(snapshot, next)
      }
      for (const { now, versions } of [...docs.values()]) {
        if (!versions.some((version) => version.snapshot > target)) continue
        const then = at(versions) ?? { ...now, state: 'removed' as const, text: null }
        if (now.state !== 'erased') setDocument(snapshot, then)
      }
      if (!dropAfter) return
      snapshotIds = [...snapshotIds.filter((id) => id <= target), snapshot]
      for (const [key, versions] of nodes) {
        const kept = versions.filter((version) => version.snapshot <= target)
        const now = versions.at(-1) as Version<ModelNode>
        if (kept.length > 0) nodes.set(key, kept)
        else if (erasedKeys.has(key)) nodes.set(key, [now])
        else nodes.delete(key)
      }
      for (const [id, { now, versions }] of docs)
        docs.set(id, { now, versions: versions.filter((version) => version.snapshot <= target) })
    },

    counts() {
      const byType: Record<string, number> = {}
      for (const { type = 'text' } of live()) byType[type] = (byType[type] ?? 0) + 1
      const tokens = live().reduce((sum, node) => sum + estimateTokens(node.text), 0)
      return { total: live().length, byType, tokens }
    },
    digest: (): string =>
      BigInt.asUintN(
        64,
        live().reduce((sum, node) => sum + markOf(node), 0n),
      )
        .toString(16)
        .padStart(16, '0'),
    /** Every text that something of now or of before still says. */
    heldTexts(): Set<string> {
      const held = new Set<string>()
      for (const [key, versions] of nodes)
        for (const { value } of versions) if (value.live && !erasedKeys.has(key)) held.add(value.text)
      for (const { now, versions } of docs.values())
        for (const { text } of [now, ...versions.map((version) => version.value)])
          if (text !== null) held.add(text)
      return held
    },
  }
}

export type Model = ReturnType<typeof createModel>
