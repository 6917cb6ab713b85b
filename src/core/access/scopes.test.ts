import { expect, test } from 'vitest'
import { coversScope, ROLES, type Role, SCOPES, type Scope, scopesWithin, smallestRole } from './scopes.ts'

const [READ, WRITE, ADMIN] = SCOPES

test.each<[Scope[], Scope | 'operator', boolean]>([
  [[READ], READ, true],
  [[READ], WRITE, false],
  [[WRITE], READ, true],
  [[ADMIN], WRITE, true],
  [[READ, WRITE], ADMIN, false],
  [[], READ, false],
  [[READ, WRITE, ADMIN], 'operator', false],
])('%j covers %s: %s', (granted, needed, expected) => {
  expect(coversScope(granted, needed)).toBe(expected)
})

test.each<[Role, Scope[], Scope[]]>([
  ['reader', [READ, WRITE], [READ]],
  ['reader', [ADMIN], [READ]],
  ['writer', [READ, ADMIN], [READ, WRITE]],
  ['writer', [WRITE], [WRITE]],
  ['admin', [ADMIN], [ADMIN]],
  ['owner', [READ, ADMIN], [READ, ADMIN]],
  ['owner', [], []],
])('a %s has of %j: %j', (role, scopes, expected) => {
  expect(scopesWithin(role, scopes)).toEqual(expected)
})

test('the smallest role gives the scopes, and no smaller one does', () => {
  const roles = Object.keys(ROLES) as Role[]
  for (const scope of SCOPES) {
    const role = smallestRole([scope])
    const fitting = roles.filter((one) => coversScope([ROLES[one]], scope))
    expect(role).toBe(fitting[0])
  }
})
