import { coversScope, type NeededScope, type Scope } from '../../core/access/scopes.ts'

/** The effect of a call on the memory, each level more than the one before: only heat, changes that a later call can undo, or removal. */
export const ACCESS = ['reads', 'writes', 'removes'] as const
export type Access = (typeof ACCESS)[number]

/** The effect of a call, and the scope that its client needs. */
export interface Needs {
  access: Access
  scope: NeededScope
}

/** The most that a client's calls may do. */
export interface Allowance {
  /** As the server was started. */
  access: Access
  /** The scopes of the client. Undefined: the server has no accounts, and its clients are its operator's. */
  scopes?: readonly Scope[] | undefined
}

/** The scope that a call with at most this effect needs. */
export const SCOPE_OF_ACCESS: Record<Access, Scope> = {
  reads: 'memories:read',
  writes: 'memories:write',
  removes: 'memories:write',
}

export function isPermitted({ access, scope }: Needs, allowance: Allowance): boolean {
  return isWithin(access, allowance.access) && hasScope(allowance, scope)
}

export function hasScope({ scopes }: Pick<Allowance, 'scopes'>, scope: NeededScope): boolean {
  return scopes === undefined || coversScope(scopes, scope)
}

/** The most that any call of the client can do. */
export function mostAccess(allowance: Allowance): Access {
  return hasScope(allowance, 'memories:write') ? allowance.access : 'reads'
}

export function isWithin(access: Access, allowed: Access): boolean {
  return ACCESS.indexOf(access) <= ACCESS.indexOf(allowed)
}
