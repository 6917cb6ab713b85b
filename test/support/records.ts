import type { RecordJson } from '../../src/core/records/model.ts'
import type { StoreRecordInput } from '../../src/core/records/store.ts'
import type { ViewEnvelope, ViewName, ViewOptions } from '../../src/core/records/views.ts'
import type { OpenOptions } from '../../src/runtime/memory/open-memory.ts'
import { callTool } from './agent-memory.ts'
import { openWorkspace, type Workspace } from './engine.ts'

export const DAY_MS = 86_400_000
/** As in the examples of the contract. */
export const START = Date.parse('2026-01-01T10:00:00Z')

export interface RecordWorkspace extends Workspace {
  /** Lets time pass. */
  pass(ms: number): void
  setTime(iso: string): void
  store(content: string, others?: Partial<StoreRecordInput>): Promise<RecordJson>
  view(name: ViewName, options?: ViewOptions): Promise<ViewEnvelope>
  /** As it is now; looking is no access. */
  find(id: string): Promise<RecordJson | undefined>
  /** What a tool answers, as data. */
  tool<T = Record<string, unknown>>(name: string, args?: unknown): Promise<T>
}

/** A memory of records, whose clock stands still unless it is moved. */
export async function openRecords(options: Partial<OpenOptions> = {}): Promise<RecordWorkspace> {
  let now = START
  const settings = { 'store.synchronous': 'normal', ...options.settings }
  const at = await openWorkspace({}, { now: () => now, ...options, settings })
  const view = async (name: ViewName, options?: ViewOptions): Promise<ViewEnvelope> =>
    JSON.parse(await at.memory.observer.recordView(name, options))
  return Object.assign(at, {
    pass(ms: number) {
      now += ms
    },
    setTime(iso: string) {
      now = Date.parse(iso)
    },
    async store(content: string, others: Partial<StoreRecordInput> = {}) {
      return (await at.memory.records.store({ type: 'core', content, ...others })).memory
    },
    view,
    async find(id: string) {
      const all = await Promise.all(
        (['recent', 'core', 'learnings', 'tasks/active', 'tasks/completed'] as const).map((name) =>
          view(name, { limit: 1000 }),
        ),
      )
      return all.flatMap(({ memories }) => memories).find((memory) => memory.id === id)
    },
    tool: async <T>(name: string, args?: unknown) => (await callTool(at.memory, name, args)).structured as T,
  })
}

export const contentsOf = ({ memories }: { memories: readonly RecordJson[] }): string[] =>
  memories.map(({ content }) => content)
