import { MemoryError } from '../../core/errors.ts'
import type { Call } from './request.ts'
import { ACCESS, type Access, type Tool } from './tool.ts'

/** Why a call is refused, where no more than this is allowed. */
const REFUSALS: Record<Exclude<Access, 'removes'>, string> = {
  reads: 'this server is read-only (`serve --read-only`)',
  writes: 'this server removes nothing (`serve --no-destructive`)',
}

/** Whether what a call does is no more than what is allowed. */
export function isWithin(access: Access, allowed: Access): boolean {
  return ACCESS.indexOf(access) <= ACCESS.indexOf(allowed)
}

/** What a client is shown: no tool, and no argument of one, that would be refused. */
export function offeredTools(tools: readonly Tool[], allowed: Access): readonly Tool[] {
  if (allowed === 'removes') return tools
  return tools.filter(({ access }) => isWithin(access, allowed)).map((tool) => tool.within?.(allowed) ?? tool)
}

/** Throws FORBIDDEN for a call that does more than what is allowed. */
export function checkPermitted(
  { name, access }: Pick<Call<unknown>, 'name' | 'access'>,
  allowed: Access,
): void {
  if (allowed === 'removes' || isWithin(access, allowed)) return
  throw new MemoryError('FORBIDDEN', `this call of ${name} is not permitted: ${REFUSALS[allowed]}`)
}
