import type { NeededScope } from '../../core/access/scopes.ts'
import { MemoryError } from '../../core/errors.ts'
import { type Access, type Allowance, hasScope, isPermitted, isWithin, type Needs } from './access.ts'
import type { Call } from './request.ts'
import type { Tool } from './tool.ts'

/** Why a call is refused, if at most this is allowed. */
const REFUSALS: Record<Exclude<Access, 'removes'>, string> = {
  reads: 'this server is read-only (`serve --read-only`)',
  writes: 'this server removes nothing (`serve --no-destructive`)',
}

/** Lists no tool, and no argument of one, that would be refused. */
export function offeredTools(tools: readonly Tool[], allowance: Allowance): readonly Tool[] {
  if (allowance.access === 'removes' && allowance.scopes === undefined) return tools
  return tools.filter((tool) => isPermitted(tool, allowance)).map((tool) => tool.within?.(allowance) ?? tool)
}

/** Throws FORBIDDEN for a call that exceeds the allowed effect, or the granted scopes. */
export function checkPermitted(call: Needs & Pick<Call<unknown>, 'name'>, allowance: Allowance): void {
  const { name, access, scope } = call
  if (!hasScope(allowance, scope)) throw new MemoryError('FORBIDDEN', insufficientScope(scope))
  if (allowance.access === 'removes' || isWithin(access, allowance.access)) return
  throw new MemoryError('FORBIDDEN', `this call of ${name} is not permitted: ${REFUSALS[allowance.access]}`)
}

/** The text is part of the contract. */
export function insufficientScope(scope: NeededScope): string {
  return `Insufficient scope: '${scope}' required`
}
