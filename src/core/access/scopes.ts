/** The uses a key or a token can be granted, from least to most. Each includes the ones before it. */
export const SCOPES = ['memories:read', 'memories:write', 'memories:admin'] as const
export type Scope = (typeof SCOPES)[number]

/** The scope that a call needs. `operator`: reserved for the person who runs the server; no key or token ever has it. */
export type NeededScope = Scope | 'operator'

/** Whether `granted` covers `needed`. */
export function coversScope(granted: readonly Scope[], needed: NeededScope): boolean {
  if (needed === 'operator') return false
  const level = SCOPES.indexOf(needed)
  return granted.some((scope) => SCOPES.indexOf(scope) >= level)
}

/** A scope with all that it includes, as clients should ask for it. That of the operator cannot be asked for: it has none. */
export function scopesUpTo(scope: NeededScope): Scope[] {
  return SCOPES.slice(0, SCOPES.indexOf(scope as Scope) + 1)
}

/** In a space, each with the highest scope that it gives. */
export const ROLES = {
  reader: 'memories:read',
  writer: 'memories:write',
  admin: 'memories:admin',
  owner: 'memories:admin',
} as const satisfies Record<string, Scope>
export type Role = keyof typeof ROLES

export function isRole(name: string): name is Role {
  return Object.hasOwn(ROLES, name)
}

/** The part of `scopes` that this role allows: a writer with an admin key has write. */
export function scopesWithin(role: Role, scopes: readonly Scope[]): Scope[] {
  const highest = SCOPES.indexOf(ROLES[role])
  const allowed = scopes.map((scope) => SCOPES[Math.min(SCOPES.indexOf(scope), highest)] as Scope)
  return [...new Set(allowed)]
}

export function isScope(name: string): name is Scope {
  return (SCOPES as readonly string[]).includes(name)
}

/** The role with the fewest rights that covers these scopes. */
export function smallestRole(scopes: readonly Scope[]): Role {
  if (scopes.includes('memories:admin')) return 'admin'
  return scopes.includes('memories:write') ? 'writer' : 'reader'
}
