import { isMemoryError, MemoryError } from '../../core/errors.ts'
import type { Access, Tool } from './tool.ts'

/**
 * What a call does to the memory: it decides who may make it (`access`) and what clients are shown (annotations). Nothing but
 * heat is changed by a tool that `warms`. A call that can overwrite what somebody wrote `replaces`, though every version is kept;
 * `stores`: a second call does something again; `rewinds`: so, for the whole memory. What `restores` loses nothing, but what it
 * names is another thing after it. What `removes` or `clears` takes away what somebody wrote.
 */
export type Effect = keyof typeof EFFECTS

const EFFECTS = {
  looks: effect('reads', { destructive: false, idempotent: true }),
  warms: effect('reads', { destructive: false, idempotent: false }),
  adds: effect('writes', { destructive: false, idempotent: true }),
  restores: effect('writes', { destructive: false, idempotent: false }),
  replaces: effect('writes', { destructive: true, idempotent: true }),
  stores: effect('writes', { destructive: true, idempotent: false }),
  rewinds: effect('writes', { destructive: true, idempotent: false }),
  removes: effect('removes', { destructive: true, idempotent: true }),
  clears: effect('removes', { destructive: true, idempotent: false }),
}

export interface ToolDefinition<A> extends Omit<Tool<A>, 'annotations' | 'access' | 'accessOf'> {
  effect: Effect
  /** Of a call with these arguments, where they decide. Default: `effect`. */
  effectOf?: (args: A) => Effect
  /** How this tool says that there is no node, or snapshot, with an id. Default: as the memory says it. */
  missing?: (id: string) => string
}

export function defineTool<A>({ effect, effectOf, missing, ...tool }: ToolDefinition<A>): Tool<A> {
  return {
    ...tool,
    ...EFFECTS[effect],
    ...(effectOf && { accessOf: (args: A) => EFFECTS[effectOf(args)].access }),
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

function effect(
  access: Access,
  { destructive, idempotent }: { destructive: boolean; idempotent: boolean },
): Pick<Tool, 'access' | 'annotations'> {
  return {
    access,
    annotations: {
      readOnlyHint: access === 'reads',
      destructiveHint: destructive,
      idempotentHint: idempotent,
      openWorldHint: false,
    },
  }
}
