import type { ApiKey, Member, Space, User } from '../../src/core/accounts/model.ts'
import type { AccountStore } from '../../src/core/accounts/port.ts'

/** Rows as core would make them, each with an id that its name tells. */
export function userRow(name: string, given: Partial<User> = {}): User {
  return { id: `user-${name}`, name, isAdmin: false, createdAt: 1, disabledAt: null, limits: {}, ...given }
}

export function spaceRow(name: string, given: Partial<Space> = {}): Space {
  return { id: `space-${name}`, name, createdAt: 1, archivedAt: null, ...given }
}

export function memberRow(space: string, user: string, given: Partial<Member> = {}): Member {
  return { spaceId: `space-${space}`, userId: `user-${user}`, role: 'reader', addedAt: 1, ...given }
}

export function keyRow(id: string, space: string, user: string, given: Partial<ApiKey> = {}): ApiKey {
  return {
    id,
    userId: `user-${user}`,
    spaceId: `space-${space}`,
    parentId: null,
    label: '',
    scopes: ['memories:read'],
    createdAt: 1,
    expiresAt: null,
    lastUsedAt: null,
    revokedAt: null,
    hash: `hash of ${id}`,
    previous: null,
    ...given,
  }
}

/** Ada and Bob, the spaces red and blue, Ada in both, and a key of hers with two below it in red. */
export async function fillAccounts(store: AccountStore): Promise<void> {
  await store.write(async (tx) => {
    for (const name of ['ada', 'bob']) await tx.putUser(userRow(name))
    for (const name of ['red', 'blue']) await tx.putSpace(spaceRow(name))
    await tx.putMember(memberRow('red', 'ada', { role: 'owner' }))
    await tx.putMember(memberRow('red', 'bob', { role: 'writer' }))
    await tx.putMember(memberRow('blue', 'ada'))
    await tx.putKey(keyRow('first', 'red', 'ada', { scopes: ['memories:read', 'memories:write'] }))
    await tx.putKey(keyRow('child', 'red', 'ada', { parentId: 'first' }))
    await tx.putKey(keyRow('grandchild', 'red', 'ada', { parentId: 'child' }))
    await tx.putKey(keyRow('bobs', 'red', 'bob'))
    await tx.putKey(keyRow('blues', 'blue', 'ada'))
  })
}

/** Everything that is stored. */
export function allRows(store: AccountStore) {
  return store.read(async (tx) => ({
    users: await tx.users(),
    spaces: await tx.spaces(),
    members: await tx.members({}),
    keys: await tx.keys(),
  }))
}
