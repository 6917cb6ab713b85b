import fc from 'fast-check'
import { expect, test } from 'vitest'
import { filledAccounts, sha256 } from '../../../test/support/test-accounts.ts'
import { coversScope, SCOPES, type Scope } from '../access/scopes.ts'

const READ: readonly Scope[] = ['memories:read']
const DAY = 24 * 3_600_000

test('a child has at most the scopes of its parent', async () => {
  const some = fc.subarray([...SCOPES], { minLength: 1 })
  await fc.assert(
    fc.asyncProperty(some, some, async (of, asked) => {
      const { accounts } = await filledAccounts()
      const parent = await accounts.keys.create({ user: 'ada', space: 'red', scopes: of })
      const made = accounts.keys.createChild(parent.id, { scopes: asked })
      const isCovered = asked.every((scope) => coversScope(of, scope))
      if (!isCovered) {
        await expect(made).rejects.toMatchObject({ code: 'INVALID_INPUT' })
        return
      }
      const found = await accounts.authenticate((await made).key)
      expect(found).toMatchObject({ kind: 'ok', principal: { scopes: asked, space: 'red' } })
    }),
    { numRuns: 40 },
  )
})

test('a child expires no later than its parent, and by default together with it', async () => {
  const { accounts, clock } = await filledAccounts()
  const expiresAt = clock.now + DAY
  const { id } = await accounts.keys.create({ user: 'ada', space: 'red', scopes: READ, expiresAt })
  const child = async (end?: number | null) => {
    const grant = end === undefined ? { scopes: READ } : { scopes: READ, expiresAt: end }
    const made = await accounts.keys.createChild(id, grant)
    return (await accounts.keys.list()).find((key) => key.id === made.id)?.expiresAt
  }
  expect(await child()).toBe(expiresAt)
  expect(await child(expiresAt - 1)).toBe(expiresAt - 1)
  for (const end of [expiresAt + 1, null])
    await expect(child(end)).rejects.toMatchObject({ code: 'INVALID_INPUT' })
})

test('a child expires with the secret that made it', async () => {
  const { accounts, clock, id, hash: secretHash } = await filledAccounts()
  const next = await accounts.keys.rotate(id, { graceMs: DAY })
  const made = await accounts.keys.createChild(id, { scopes: READ }, { secretHash })
  expect(await accounts.authenticate(made.key)).toMatchObject({ principal: { until: clock.now + DAY } })
  for (const expiresAt of [clock.now + DAY + 1, null])
    await expect(
      accounts.keys.createChild(id, { scopes: READ, expiresAt }, { secretHash }),
    ).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  clock.now += DAY
  await expect(accounts.keys.createChild(id, { scopes: READ }, { secretHash })).rejects.toMatchObject({
    code: 'INVALID_INPUT',
  })
  expect(await accounts.authenticate(made.key)).toEqual({ kind: 'revoked' })
  expect((await accounts.authenticate(next.key)).kind).toBe('ok')
})

test('a child has at most the scopes that the role of its user allows now', async () => {
  const { accounts, id } = await filledAccounts()
  await accounts.members.add({ user: 'ada', space: 'red', role: 'reader' })
  const made = accounts.keys.createChild(id, { scopes: ['memories:write'] })
  await expect(made).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  expect((await accounts.keys.createChild(id, { scopes: READ })).id).toBeDefined()
})

test('a member has 1000 working keys that keys made, at any depth', async () => {
  const { accounts, id } = await filledAccounts()
  const child = await accounts.keys.createChild(id, { scopes: READ })
  const other = await accounts.keys.createChild(id, { scopes: READ })
  for (let count = 0; count < 998; count++) await accounts.keys.createChild(child.id, { scopes: READ })
  for (const parent of [id, child.id, other.id])
    await expect(accounts.keys.createChild(parent, { scopes: READ })).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
    })
  await accounts.keys.revoke(other.id)
  expect((await accounts.keys.createChild(child.id, { scopes: READ })).id).toBeDefined()
  const bob = await accounts.keys.create({ user: 'bob', space: 'red', scopes: READ })
  expect((await accounts.keys.createChild(bob.id, { scopes: READ })).id).toBeDefined()
})

test('revoking a key revokes every key below it, and none beside it', async () => {
  const { accounts, id, key } = await filledAccounts()
  const child = await accounts.keys.createChild(id, { scopes: READ })
  const grandchild = await accounts.keys.createChild(child.id, { scopes: READ })
  const sibling = await accounts.keys.createChild(id, { scopes: READ })
  expect(await accounts.keys.revoke(child.id)).toEqual([child.id, grandchild.id])
  const kinds = async () =>
    Promise.all(
      [key, child.key, grandchild.key, sibling.key].map(
        async (one) => (await accounts.authenticate(one)).kind,
      ),
    )
  expect(await kinds()).toEqual(['ok', 'revoked', 'revoked', 'ok'])
  expect(await accounts.keys.revoke(id)).toEqual([id, sibling.id])
  expect(await kinds()).toEqual(['revoked', 'revoked', 'revoked', 'revoked'])
  expect(await accounts.keys.revoke(id)).toEqual([])
})

test('a child does not outlive a parent that was revoked alone', async () => {
  const { accounts, store, id } = await filledAccounts()
  const child = await accounts.keys.createChild(id, { scopes: READ })
  await store.write(async (tx) => {
    const parent = await tx.key(id)
    if (parent) await tx.putKey({ ...parent, revokedAt: 1 })
  })
  expect(await accounts.authenticate(child.key)).toEqual({ kind: 'revoked' })
  expect(await accounts.current(child.id, sha256(child.key))).toBeUndefined()
})

test('a key that does not work makes no child and is not rotated', async () => {
  const { accounts, id } = await filledAccounts()
  await accounts.keys.revoke(id)
  await expect(accounts.keys.createChild(id, { scopes: READ })).rejects.toMatchObject({
    code: 'INVALID_INPUT',
  })
  await expect(accounts.keys.rotate(id)).rejects.toMatchObject({ code: 'INVALID_INPUT' })
})

test('children of children end somewhere', async () => {
  const { accounts, id } = await filledAccounts()
  let last = id
  for (let at = 0; at < 8; at++) last = (await accounts.keys.createChild(last, { scopes: READ })).id
  const tooDeep = accounts.keys.createChild(last, { scopes: READ })
  await expect(tooDeep).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' })
})
