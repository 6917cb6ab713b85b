import { expect, test } from 'vitest'
import { allRows, fillAccounts, keyRow, memberRow, spaceRow, userRow } from '../support/account-rows.ts'
import type { OpenAccounts } from './accounts.ts'

export function accountRowContract(open: OpenAccounts): void {
  test('what is stored is read as it was, and lists are in the order of its making', async () => {
    const { store } = await open()
    const user = userRow('ada', { isAdmin: true, disabledAt: 7, limits: { memories: 0, bytes: 'none' } })
    const space = spaceRow('red', { archivedAt: 9 })
    const member = memberRow('red', 'ada', { role: 'owner', addedAt: 3 })
    const key = keyRow('k1', 'red', 'ada', {
      label: 'laptop “é” 🙂',
      scopes: ['memories:read', 'memories:admin'],
      expiresAt: 1_800_000_000_000,
      lastUsedAt: 1_700_000_000_001,
      revokedAt: 12,
      previous: { hash: 'old', until: 1_700_000_000_002 },
    })
    const child = keyRow('a-child', 'red', 'ada', { parentId: 'k1' })
    await store.write(async (tx) => {
      await tx.putUser(user)
      await tx.putUser(userRow('aaron'))
      await tx.putSpace(space)
      await tx.putSpace(spaceRow('amber'))
      await tx.putMember(member)
      await tx.putMember(memberRow('amber', 'aaron'))
      await tx.putKey(key)
      await tx.putKey(child)
    })
    expect(await allRows(store)).toEqual({
      users: [user, userRow('aaron')],
      spaces: [space, spaceRow('amber')],
      members: [member, memberRow('amber', 'aaron')],
      keys: [key, child],
    })
  })

  test('rows are found by id and by name, and what is not there is undefined', async () => {
    const { store } = await open()
    await fillAccounts(store)
    await store.read(async (tx) => {
      expect(await tx.user({ id: 'user-ada' })).toEqual(userRow('ada'))
      expect(await tx.user({ name: 'ada' })).toEqual(userRow('ada'))
      expect(await tx.space({ id: 'space-red' })).toEqual(spaceRow('red'))
      expect(await tx.space({ name: 'red' })).toEqual(spaceRow('red'))
      expect(await tx.member('space-blue', 'user-ada')).toEqual(memberRow('blue', 'ada'))
      expect(await tx.key('bobs')).toEqual(keyRow('bobs', 'red', 'bob'))
      expect(await tx.user({ name: 'user-ada' })).toBeUndefined()
      expect(await tx.user({ id: 'ada' })).toBeUndefined()
      expect(await tx.space({ name: 'RED' })).toBeUndefined()
      expect(await tx.member('space-blue', 'user-bob')).toBeUndefined()
      expect(await tx.key('nothing')).toBeUndefined()
      expect(await tx.keyAccess('nothing')).toBeUndefined()
    })
  })

  test('members and keys are listed by what they belong to', async () => {
    const { store } = await open()
    await fillAccounts(store)
    await store.read(async (tx) => {
      const ids = async (of: Parameters<typeof tx.keys>[0]) => (await tx.keys(of)).map(({ id }) => id)
      expect(await ids({})).toEqual(['first', 'child', 'grandchild', 'bobs', 'blues'])
      expect(await ids({ userId: 'user-ada' })).toEqual(['first', 'child', 'grandchild', 'blues'])
      expect(await ids({ spaceId: 'space-red', userId: 'user-bob' })).toEqual(['bobs'])
      expect(await ids({ parentId: 'first' })).toEqual(['child'])
      expect(await ids({ userId: 'nobody' })).toEqual([])
      expect((await tx.members({ spaceId: 'space-red' })).map(({ userId }) => userId)).toEqual([
        'user-ada',
        'user-bob',
      ])
      expect((await tx.members({ userId: 'user-ada' })).map(({ spaceId }) => spaceId)).toEqual([
        'space-red',
        'space-blue',
      ])
    })
  })

  test('keys that keys made are counted until they are revoked or expire', async () => {
    const { store } = await open()
    await fillAccounts(store)
    const count = (at: number, userId = 'user-ada', spaceId = 'space-red') =>
      store.read((tx) => tx.countLiveChildren({ userId, spaceId }, at))
    expect([await count(1), await count(1, 'user-bob'), await count(1, 'user-ada', 'space-blue')]).toEqual([
      2, 0, 0,
    ])
    await store.write(async (tx) => {
      await tx.putKey(keyRow('brief', 'red', 'ada', { parentId: 'first', expiresAt: 50 }))
      await tx.putKey(keyRow('child', 'red', 'ada', { parentId: 'first', revokedAt: 8 }))
    })
    expect([await count(49), await count(50)]).toEqual([2, 1])
  })

  test('a key comes with everything that decides whether it works', async () => {
    const { store } = await open()
    await fillAccounts(store)
    const access = await store.read((tx) => tx.keyAccess('grandchild'))
    expect(access).toEqual({
      key: keyRow('grandchild', 'red', 'ada', { parentId: 'child' }),
      user: userRow('ada'),
      space: spaceRow('red'),
      member: memberRow('red', 'ada', { role: 'owner' }),
      parents: [
        keyRow('child', 'red', 'ada', { parentId: 'first' }),
        keyRow('first', 'red', 'ada', { scopes: ['memories:read', 'memories:write'] }),
      ],
    })
    await store.write((tx) => tx.removeMember('space-red', 'user-ada'))
    expect((await store.read((tx) => tx.keyAccess('first')))?.member).toBeUndefined()
  })

  test('a row that is stored again is changed in its place', async () => {
    const { store } = await open()
    await fillAccounts(store)
    const before = await allRows(store)
    await store.write(async (tx) => {
      await tx.putUser(userRow('ada', { name: 'ada.l', disabledAt: 5 }))
      await tx.putSpace(spaceRow('red', { name: 'crimson' }))
      await tx.putMember(memberRow('red', 'ada', { role: 'reader' }))
      await tx.putKey(keyRow('first', 'red', 'ada', { revokedAt: 8 }))
    })
    const after = await allRows(store)
    expect(after.users.map(({ name, disabledAt }) => [name, disabledAt])).toEqual([
      ['ada.l', 5],
      ['bob', null],
    ])
    expect(after.spaces.map(({ name }) => name)).toEqual(['crimson', 'blue'])
    expect(after.members.map(({ role }) => role)).toEqual(['reader', 'writer', 'reader'])
    expect(after.keys.map(({ id }) => id)).toEqual(before.keys.map(({ id }) => id))
    expect(after.keys[0]).toEqual(keyRow('first', 'red', 'ada', { revokedAt: 8 }))
  })

  test('a name that is taken is a CONFLICT, and nothing is stored', async () => {
    const { store } = await open()
    await fillAccounts(store)
    const before = await allRows(store)
    const conflict = { name: 'MemoryError', code: 'CONFLICT' }
    const another = { id: 'another' }
    await expect(store.write((tx) => tx.putUser(userRow('ada', another)))).rejects.toMatchObject(conflict)
    await expect(store.write((tx) => tx.putSpace(spaceRow('red', another)))).rejects.toMatchObject(conflict)
    const rename = store.write((tx) => tx.putSpace(spaceRow('blue', { name: 'red' })))
    await expect(rename).rejects.toMatchObject(conflict)
    expect(await allRows(store)).toEqual(before)
  })

  test('members and keys of what is not there are refused', async () => {
    const { store } = await open()
    await fillAccounts(store)
    const before = await allRows(store)
    await expect(store.write((tx) => tx.putMember(memberRow('red', 'eve')))).rejects.toThrow()
    await expect(store.write((tx) => tx.putMember(memberRow('green', 'ada')))).rejects.toThrow()
    await expect(store.write((tx) => tx.putKey(keyRow('k', 'red', 'eve')))).rejects.toThrow()
    const orphan = keyRow('k', 'red', 'ada', { parentId: 'gone' })
    await expect(store.write((tx) => tx.putKey(orphan))).rejects.toThrow()
    expect(await allRows(store)).toEqual(before)
  })

  test('what belongs to a user goes with it, and nothing comes back with its name', async () => {
    const { store } = await open()
    await fillAccounts(store)
    await store.write((tx) => tx.removeUser('user-ada'))
    const after = await allRows(store)
    expect(after.users.map(({ name }) => name)).toEqual(['bob'])
    expect(after.members.map(({ userId }) => userId)).toEqual(['user-bob'])
    expect(after.keys.map(({ id }) => id)).toEqual(['bobs'])
    await store.write((tx) => tx.putUser(userRow('ada', { id: 'another ada' })))
    expect((await allRows(store)).keys).toEqual(after.keys)
    expect(await store.read((tx) => tx.members({ userId: 'another ada' }))).toEqual([])
  })

  test('what belongs to a space goes with it, and nothing comes back with its name', async () => {
    const { store } = await open()
    await fillAccounts(store)
    await store.write((tx) => tx.removeSpace('space-red'))
    const after = await allRows(store)
    expect(after.spaces.map(({ name }) => name)).toEqual(['blue'])
    expect(after.members).toEqual([memberRow('blue', 'ada')])
    expect(after.keys.map(({ id }) => id)).toEqual(['blues'])
    await store.write((tx) => tx.putSpace(spaceRow('red', { id: 'another red' })))
    expect(await store.read((tx) => tx.members({ spaceId: 'another red' }))).toEqual([])
    expect(await store.read((tx) => tx.keys({ spaceId: 'another red' }))).toEqual([])
  })

  test('keys below a key go with it', async () => {
    const { store } = await open()
    await fillAccounts(store)
    await store.write((tx) => tx.removeKey('child'))
    expect((await allRows(store)).keys.map(({ id }) => id)).toEqual(['first', 'bobs', 'blues'])
    await store.write((tx) => tx.removeKey('bobs'))
    expect(await store.read((tx) => tx.keyAccess('bobs'))).toBeUndefined()
    expect((await allRows(store)).members).toHaveLength(3)
  })

  test('removing what is not there changes nothing', async () => {
    const { store } = await open()
    await fillAccounts(store)
    const before = await allRows(store)
    await store.write(async (tx) => {
      await tx.removeUser('nobody')
      await tx.removeSpace('nowhere')
      await tx.removeMember('space-blue', 'user-bob')
      await tx.removeKey('nothing')
    })
    expect(await allRows(store)).toEqual(before)
  })

  test.each(["'; DROP TABLE users; --", '\u0000', '%', '_', 'a"b', '🙂'])(
    'the name %j is a value like any other',
    async (name) => {
      const { store } = await open()
      await fillAccounts(store)
      expect(await store.read((tx) => tx.user({ name }))).toBeUndefined()
      await store.write((tx) => tx.putUser(userRow('x', { name })))
      expect((await store.read((tx) => tx.user({ name })))?.name).toBe(name)
      expect(await store.read((tx) => tx.keys({ userId: name }))).toEqual([])
    },
  )
}
