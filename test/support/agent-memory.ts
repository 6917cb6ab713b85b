import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv'
import { expect } from 'vitest'
import type { UndoResult } from '../../src/core/history/undo.ts'
import type { AgentMemory } from '../../src/mcp/model/agent-memory.ts'
import type { ToolAnswer } from '../../src/mcp/model/tool.ts'
import { toolsOf } from '../../src/mcp/toolsets.ts'
import type { Memory } from '../../src/runtime/memory/open-memory.ts'
import { restoreNamed } from '../../src/runtime/serve/restore-named.ts'
import { openWorkspace, type Workspace } from './engine.ts'

/** What tools can do, straight to a memory. */
export function agentMemoryOf(memory: Memory): AgentMemory {
  const thresholds = { hot: 0.6, cold: 0.1 }
  const { tree, firstLook, search, fetch, fetchBatch, related, delta, diff, history, worthShortening } =
    memory
  const { write, summarize, compile, relate, forget, rollback, checkpoint, pin, unpin, records, keys } =
    memory
  return {
    ...{ tree, firstLook, search, fetch, fetchBatch, related, delta, diff, history, worthShortening },
    ...{ write, summarize, compile, relate, forget, rollback, checkpoint, pin, unpin, records, keys },
    restore: (input) => restoreNamed(memory, memory, input),
    revert: async (input) => (await memory.revert(input)) as UndoResult,
    files: { memoryNode: memory.memoryNode },
    stats: async () => ({ overview: await memory.overview(), thresholds }),
  }
}

const validator = new AjvJsonSchemaValidator()

/**
 * Calls a tool as the server does: arguments are checked by its schema, and the structured result must fit the schema that
 * clients are shown.
 */
export async function callTool(
  memory: Memory,
  name: string,
  args: unknown = {},
  signal = new AbortController().signal,
): Promise<ToolAnswer> {
  const tool = toolsOf(['all']).find((known) => known.name === name)
  if (!tool) throw new Error(`there is no tool ${name}`)
  const answer = await tool.call(
    { memory: agentMemoryOf(memory), isCompiling: false, signal, meta: {} },
    tool.input.parse(args),
  )
  const sent = JSON.parse(JSON.stringify(answer.structured))
  expect(answer.structured).toStrictEqual(sent)
  expect(validator.getValidator(tool.output)(sent)).toMatchObject({ valid: true })
  return answer
}

export interface ToolWorkspace extends Workspace {
  call(name: string, args?: unknown, signal?: AbortSignal): Promise<ToolAnswer>
  text(name: string, args?: unknown): Promise<string>
}

/** A memory of some files, and its tools. */
export async function openTools(
  files: Record<string, string> = {},
  options: Parameters<typeof openWorkspace>[1] = {},
): Promise<ToolWorkspace> {
  const at = await openWorkspace(files, options)
  return Object.assign(at, {
    call: (name: string, args?: unknown, signal?: AbortSignal) => callTool(at.memory, name, args, signal),
    text: async (name: string, args?: unknown) => (await callTool(at.memory, name, args)).text,
  })
}

/** The id that a line of an outline gives to a label. */
export async function idsOf(memory: Memory): Promise<Record<string, string>> {
  const { nodes } = await memory.tree({ depth: 128, limit: 1000, warm: false })
  return Object.fromEntries(nodes.map(({ label, id }) => [label, id]))
}
