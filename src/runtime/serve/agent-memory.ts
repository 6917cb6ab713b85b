import type { WriteCaller } from '../../core/access/principal.ts'
import type { UndoResult } from '../../core/history/undo.ts'
import { maskOverview } from '../../core/observe/mask.ts'
import type { AgentMemory } from '../../mcp/model/agent-memory.ts'
import type { Caller } from '../../mcp/model/caller.ts'
import type { Memory } from '../memory/open-memory.ts'
import type { Reads } from '../memory/reads.ts'
import type { Config } from '../settings/config.ts'
import type { SettingName } from '../settings/settings.ts'
import type { Temperature } from '../settings/temperature.ts'
import type { CompileRuns } from './compile-runs.ts'
import { restoreNamed } from './restore-named.ts'

export interface AgentMemoryParts {
  memory: Memory
  config: Config
  /** As the settings are now. */
  temperature: () => Temperature
  runs: Pick<CompileRuns, 'compile'>
}

/** Whose tools they are, and what that client may see. */
export interface AgentClient extends Pick<Caller, 'author'> {
  /** Threads of files exist only within it. Default: clients that name the same thread share it. */
  owner?: string | undefined
  /** Who the server knows it to be. */
  caller?: WriteCaller | undefined
  /** Stands for every path of the host, such as `space:acme`. Default: paths are shown. */
  mask?: string | undefined
}

/** The memory as a caller's tools reach it: with the server's budgets, inside the source folders, signed by the caller. */
export function agentMemories({ memory, config, temperature, runs }: AgentMemoryParts) {
  const within = <T extends { budget?: number }>(name: SettingName, input: T): T => {
    const budget = config[name]
    return input.budget !== undefined || budget === 'none' ? input : { ...input, budget: budget as number }
  }
  const readsOf = (reads: Reads, mask: string | undefined) =>
    ({
      tree: reads.tree,
      firstLook: reads.firstLook,
      search: (input) => reads.search(within('budgets.search', input)),
      fetch: (input) => reads.fetch(within('budgets.fetch', input)),
      fetchBatch: (input) => reads.fetchBatch(within('budgets.fetch_batch', input)),
      related: (input) => reads.related(within('budgets.related', input)),
      delta: reads.delta,
      diff: reads.diff,
      history: reads.history,
      async stats() {
        const { hot, cold } = temperature()
        const overview = await memory.overview()
        const shown = mask === undefined ? overview : maskOverview(overview, mask)
        return { overview: shown, thresholds: { hot, cold } }
      },
      // Advice that nobody can follow is none.
      worthShortening: async (page) => (config['server.read_only'] ? [] : memory.worthShortening(page)),
    }) satisfies Partial<AgentMemory>

  return ({ author, owner, caller, mask }: AgentClient, signal?: AbortSignal): AgentMemory => {
    const own = memory.by(author, { signal, owner, caller })
    const { write, summarize, forget, rollback, checkpoint, relate, records, keys, memoryNode } = own
    return {
      ...readsOf(own, mask),
      ...{ write, summarize, forget, rollback, checkpoint, relate, records, keys },
      restore: (input) => restoreNamed(memory, own, input),
      revert: async (input) => (await own.revert(input)) as UndoResult,
      pin: (input) => memory.pin(input, { signal, caller }),
      unpin: (id) => memory.unpin(id, { signal, caller }),
      files: { memoryNode },
      // Several callers may wait for one compile: it has a signal of its own.
      compile: async (path, { signal: waiting, ...options }) =>
        runs.compile(memory.namedPath(path), waiting, (run) =>
          memory.by(author).compile(path, { ...options, ...run, onlyNamed: true }),
        ),
    }
  }
}
