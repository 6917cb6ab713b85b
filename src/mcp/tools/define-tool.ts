import type { NeededScope } from '../../core/access/scopes.ts'
import { type Hint, isMemoryError, MemoryError } from '../../core/errors.ts'
import type { Access } from '../model/access.ts'
import { SCOPE_OF_ACCESS } from '../model/access.ts'
import type { Tool } from '../model/tool.ts'

/**
 * What a call does to the memory: it decides who may make it (`access`) and what clients are shown (annotations). Nothing but
 * heat is changed by a tool that `warms`. What a call `sets` or `stores` another call can undo, since every version is kept; the
 * same call again changes nothing after the first, and something after the second. What `removes` or `clears` takes away what
 * somebody wrote, in the same two ways.
 */
export type Effect = keyof typeof EFFECTS

const EFFECTS = {
  looks: { access: 'reads', isIdempotent: true },
  warms: { access: 'reads', isIdempotent: false },
  sets: { access: 'writes', isIdempotent: true },
  stores: { access: 'writes', isIdempotent: false },
  removes: { access: 'removes', isIdempotent: true },
  clears: { access: 'removes', isIdempotent: false },
} as const satisfies Record<string, { access: Access; isIdempotent: boolean }>

export interface ToolDefinition<A> extends Omit<Tool<A>, 'annotations' | 'access' | 'accessOf' | 'scope'> {
  /** The least that a call does. */
  effect: Effect
  /** The most, where arguments decide. Default: `effect`. */
  most?: Effect
  /** Of a call with these arguments, where they decide. Default: `effect`. */
  effectOf?: (args: A) => Effect
  /** Default: the one that goes with `effect`. */
  scope?: NeededScope
  /** How this tool says that there is no node, or snapshot, with an id. Default: as the memory says it. */
  missing?: (id: string) => string
}

export function defineTool<A>(definition: ToolDefinition<A>): Tool<A> {
  const { effect, most = effect, effectOf, missing, ...tool } = definition
  return {
    ...tool,
    access: EFFECTS[effect].access,
    scope: tool.scope ?? SCOPE_OF_ACCESS[EFFECTS[effect].access],
    annotations: annotationsOf(EFFECTS[most].access, EFFECTS[most].isIdempotent),
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

const WHERE: Record<Hint['find'], string> = {
  node: 'MemoryTree and MemorySearch show ids',
  snapshot: 'MemoryDelta and MemoryHistory show snapshots',
}

/** An agent has tools where a person has commands. */
function inToolWords(error: unknown, missing?: (id: string) => string): unknown {
  if (!isMemoryError(error) || !error.hint) return error
  const { code, problem, hint } = error
  const said = hint.id === undefined ? problem : (missing?.(hint.id) ?? problem)
  return new MemoryError(code, `${said}; ${WHERE[hint.find]}`, { cause: error })
}

/**
 * By the most that a call of the tool does. Agents that work alone may not call what is destructive: that is what removes, and
 * nothing that another call can undo.
 */
export function annotationsOf(most: Access, isIdempotent: boolean): Tool['annotations'] {
  return {
    readOnlyHint: most === 'reads',
    destructiveHint: most === 'removes',
    idempotentHint: isIdempotent,
    openWorldHint: false,
  }
}
