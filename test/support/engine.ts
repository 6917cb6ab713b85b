import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished } from 'vitest'
import type { CompileResult } from '../../src/core/compile/compile.ts'
import type { ForestNode } from '../../src/core/observe/forest.ts'
import type { VersionRow } from '../../src/core/port/store.ts'
import { type Memory, type OpenOptions, openMemory } from '../../src/runtime/memory/open-memory.ts'

/** A memory beside the folder it remembers, both temporary. */
export interface Workspace extends AsyncDisposable {
  readonly folder: string
  /** Another one after `reopen`. */
  readonly memory: Memory
  file(path: string, text: string | Uint8Array): void
  remove(path: string): void
  /** Writes the files, then compiles the whole folder. */
  compile(files?: Record<string, string>): Promise<CompileResult>
  /** As a restart of the program. */
  reopen(others?: Partial<OpenOptions>): Promise<Memory>
}

export async function openWorkspace(
  files: Record<string, string> = {},
  options: Partial<OpenOptions> = {},
): Promise<Workspace> {
  const folder = temporaryFolder()
  let memory = await openIn(folder, options)
  const workspace: Workspace = {
    folder,
    get memory() {
      return memory
    },
    file(path, text) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    },
    remove: (path) => rmSync(join(folder, path), { recursive: true }),
    compile(changed = {}) {
      for (const [path, text] of Object.entries(changed)) workspace.file(path, text)
      return memory.compile(folder)
    },
    async reopen(others = {}) {
      await memory.close()
      memory = await openIn(folder, { ...options, ...others })
      return memory
    },
    async [Symbol.asyncDispose]() {
      await memory.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  if (Object.keys(files).length > 0) await workspace.compile(files)
  return workspace
}

/** A folder that is gone with the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'remindb-engine-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Not waiting for the disk: these tests do not pull the plug. */
export function openIn(folder: string, options: Partial<OpenOptions> = {}): Promise<Memory> {
  return openMemory({ db: folder, settings: { 'store.synchronous': 'normal' }, ...options })
}

/** A node with all that a snapshot versions, in a tree of its own kind. */
export interface StateNode {
  id: string
  type: string
  label: string
  text: string
  children: StateNode[]
}

/** Everything the memory says: ids, structure, order and texts. */
export async function stateOf(memory: Memory): Promise<StateNode[]> {
  const { roots } = await memory.forest()
  return Promise.all(roots.map((node) => withText(memory, node)))
}

async function withText(memory: Memory, { id, type, label, children }: ForestNode): Promise<StateNode> {
  const text = await textOf(memory, id)
  return {
    id,
    type,
    label,
    text,
    children: await Promise.all(children.map((child) => withText(memory, child))),
  }
}

/** What a node says now; undefined when it says nothing any more. */
export async function textOf(memory: Memory, id: string): Promise<string> {
  const [last] = (await memory.history({ id, limit: 1 })).items
  return last?.new?.text ?? `(no text: ${id})`
}

/** The state as an outline of texts: quick to read, and to write down. */
export async function outlineOf(memory: Memory): Promise<string[]> {
  return outline(await stateOf(memory))
}

export function outline(nodes: readonly StateNode[], indent = ''): string[] {
  return nodes.flatMap(({ text, children }) => [`${indent}${text}`, ...outline(children, `${indent}  `)])
}

export function flat(nodes: readonly StateNode[]): StateNode[] {
  return nodes.flatMap((node) => [node, ...flat(node.children)])
}

/** The id of the one node that says `text`. */
export async function idOf(memory: Memory, text: string): Promise<string> {
  const found = flat(await stateOf(memory)).filter((node) => node.text === text)
  if (found.length !== 1) throw new Error(`${found.length} nodes say ${JSON.stringify(text)}`)
  return (found[0] as StateNode).id
}

export async function idsByText(memory: Memory): Promise<Record<string, string>> {
  return Object.fromEntries(flat(await stateOf(memory)).map(({ id, text }) => [text, id]))
}

/** Heat, pin and accesses of live nodes, by id. */
export function heatOf(memory: Memory): Map<string, { value: number; pinned: number; accesses: number }> {
  const db = new Sqlite(memory.path, { readonly: true })
  try {
    const rows = db
      .prepare<[], { id: string; value: number; pinned: number; accesses: number }>(
        `SELECT n.id, h.value, h.pinned, h.accesses FROM nodes n JOIN heat h ON h.node_key = n.key
         WHERE n.removed_in IS NULL`,
      )
      .all()
    return new Map(rows.map(({ id, ...heat }) => [id, heat]))
  } finally {
    db.close()
  }
}

export async function historyOf(memory: Memory, id: string): Promise<VersionRow[]> {
  return (await memory.history({ id, limit: 1000 })).items
}

/** Every check of doctor passes, and the tree shows every node there is. */
export async function expectSound(memory: Memory): Promise<void> {
  const { checks } = await memory.doctor()
  expect(checks.filter((check) => check.status !== 'pass')).toEqual([])
  const shown = flat(await stateOf(memory))
  expect(shown.filter(({ text }) => text.startsWith('(no text'))).toEqual([])
  expect(shown.length).toBe((await memory.overview()).nodes.total)
}

/** Every page of a paged answer, one after the other. */
export async function allPages<T>(
  ask: (page: { limit: number; after?: string }) => Promise<{ items: T[]; next: string | null }>,
  limit: number,
): Promise<T[]> {
  const items: T[] = []
  for (let after: string | null | undefined; after !== null; ) {
    const page = await ask(after === undefined ? { limit } : { limit, after })
    expect(page.items.length).toBeLessThanOrEqual(limit)
    items.push(...page.items)
    after = page.next
  }
  return items
}
