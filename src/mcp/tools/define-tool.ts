import { isMemoryError, MemoryError } from '../../core/errors.ts'
import type { Tool } from './tool.ts'

/**
 * What a call does to the memory; a client is told by annotations. Nothing but heat is changed by a tool that `warms`. A call
 * that can remove or overwrite what somebody wrote `replaces`, though every version is kept; `stores`: a second call does
 * something again; `rewinds`: so, and not every version may be kept. What `restores` loses nothing, but what it names is another
 * thing after it.
 */
export type Effect = keyof typeof ANNOTATIONS

const ANNOTATIONS = {
  looks: hints({ readOnly: true, destructive: false, idempotent: true }),
  warms: hints({ readOnly: true, destructive: false, idempotent: false }),
  adds: hints({ readOnly: false, destructive: false, idempotent: true }),
  restores: hints({ readOnly: false, destructive: false, idempotent: false }),
  replaces: hints({ readOnly: false, destructive: true, idempotent: true }),
  stores: hints({ readOnly: false, destructive: true, idempotent: false }),
  rewinds: hints({ readOnly: false, destructive: true, idempotent: false }),
}

export interface ToolDefinition<A> extends Omit<Tool<A>, 'annotations'> {
  effect: Effect
  /** How this tool says that there is no node, or snapshot, with an id. Default: as the memory says it. */
  missing?: (id: string) => string
}

export function defineTool<A>({ effect, missing, ...tool }: ToolDefinition<A>): Tool<A> {
  return {
    ...tool,
    annotations: ANNOTATIONS[effect],
    async call(context, args) {
      try {
        return await tool.call(context, args)
      } catch (error) {
        throw inToolWords(error, missing)
      }
    },
  }
}

/** The memory speaks to whoever has a terminal; an agent has tools. */
function inToolWords(error: unknown, missing?: (id: string) => string): unknown {
  if (!isMemoryError(error)) return error
  const message = error.message
    .replace(/^(?:node|snapshot) (.*) not found(?=; )/s, (said, id) => missing?.(id) ?? said)
    .replace('list the nodes with `remindb tree`', 'MemoryTree and MemorySearch show ids')
    .replace('list them with `remindb history`', 'MemoryDelta and MemoryHistory show snapshots')
  return message === error.message ? error : new MemoryError(error.code, message, { cause: error })
}

function hints(effect: {
  readOnly: boolean
  destructive: boolean
  idempotent: boolean
}): Tool['annotations'] {
  return {
    readOnlyHint: effect.readOnly,
    destructiveHint: effect.destructive,
    idempotentHint: effect.idempotent,
    openWorldHint: false,
  }
}
