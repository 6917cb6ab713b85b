import type { NeededScope } from '../../core/access/scopes.ts'
import { type Hint, isMemoryError, MemoryError } from '../../core/errors.ts'
import type { Access } from '../model/access.ts'
import { SCOPE_OF_ACCESS } from '../model/access.ts'
import type { Tool } from '../model/tool.ts'

/**
 * The effect of a call on the memory: it decides who may make it (`access`) and its annotations. A tool that `warms` changes only
 * heat. Another call can undo one that `sets` or `stores`, since every version is kept; repeating the
 * call changes nothing for the first, and something for the second. `removes` and `clears` take away
 * content, and differ in the same way.
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
  /** The effect of a call with these arguments, if they decide it. Default: `effect`. */
  effectOf?: (args: A) => Effect
  /** Default: the one that matches `effect`. */
  scope?: NeededScope
  /** How this tool says that there is no node, or snapshot, with an id. Default: as the memory says it. */
  missing?: MissingWords
}

type MissingWords = Partial<Record<Hint['find'], (id: string) => string>>

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

/** Agents have tools, people have commands. */
function inToolWords(error: unknown, missing: MissingWords = {}): unknown {
  if (!isMemoryError(error) || !error.hint) return error
  const { code, problem, hint } = error
  const said = hint.id === undefined ? problem : (missing[hint.find]?.(hint.id) ?? problem)
  return new MemoryError(code, `${said}; ${WHERE[hint.find]}`, { cause: error })
}

/**
 * By the strongest effect of the tool. Autonomous agents may not call destructive tools: those that remove, and
 * no tool that another call can undo.
 */
export function annotationsOf(most: Access, isIdempotent: boolean): Tool['annotations'] {
  return {
    readOnlyHint: most === 'reads',
    destructiveHint: most === 'removes',
    idempotentHint: isIdempotent,
    openWorldHint: false,
  }
}
