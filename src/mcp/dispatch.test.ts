import { expect, test } from 'vitest'
import { dispatchTo, servedWith } from '../../test/support/served.ts'
import type { Scope } from '../core/access/scopes.ts'
import { MemoryError } from '../core/errors.ts'
import { createGate } from '../util/gate.ts'
import { createDispatcher, missingScope } from './dispatch.ts'
import type { Allowance } from './model/access.ts'
import { MAX_RUNNING } from './model/running.ts'
import { toolsOf } from './toolsets.ts'

/** A call that gets to the memory is written down. */
function serve(allowance: Allowance) {
  const reached: string[] = []
  const served = servedWith({
    tools: toolsOf(['all']),
    allowed: () => allowance,
    memory: {
      async as({ author }) {
        reached.push(author)
        return {} as never
      },
    },
  })
  return { served, reached }
}

const WRITE = { name: 'MemoryWrite', arguments: { payload: 'A note.' } }
const FORGET = { name: 'MemoryForget', arguments: { id: 'AAAAAAAAAAA' } }
const DROP = { name: 'MemoryRollback', arguments: { snapshot_id: 1, drop_after: true } }
const COMPILE = { name: 'MemoryCompile', arguments: { path: '/notes' } }
const READ = { access: 'removes', scopes: ['memories:read'] } as const
const WRITING = { access: 'removes', scopes: ['memories:write'] } as const
const ADMIN = { access: 'removes', scopes: ['memories:admin'] } as const

test.each([
  ['a read-only server', { access: 'reads' }, WRITE],
  ['a read-only server', { access: 'reads' }, FORGET],
  ['a server that removes nothing', { access: 'writes' }, FORGET],
  ['a client that may only read', READ, WRITE],
  ['a client that may only read', READ, FORGET],
  ['a client that may write', WRITING, DROP],
  ['an admin, who is not the operator', ADMIN, COMPILE],
  ['a client that was granted nothing', { access: 'removes', scopes: [] }, { name: 'MemoryTree' }],
  ['an admin of a read-only server', { ...ADMIN, access: 'reads' }, WRITE],
] as const)('%s is refused %#, before the memory is reached', async (_, allowance, params) => {
  const { served, reached } = serve(allowance)
  expect(await dispatchTo(served, 'tools/call', params)).toMatchObject({ isError: true })
  expect(reached).toEqual([])
})

test.each([
  [{ access: 'writes' }, WRITE],
  [WRITING, WRITE],
  [WRITING, FORGET],
  [ADMIN, DROP],
  [READ, { name: 'MemoryTree' }],
  [{ access: 'removes' }, COMPILE],
] as const)('%o reaches the memory with %o', async (allowance, params) => {
  const { served, reached } = serve(allowance)
  await dispatchTo(served, 'tools/call', params)
  expect(reached).toEqual(['test'])
})

test('a missing scope is named in the words of the contract', async () => {
  const answer = await dispatchTo(serve(READ).served, 'tools/call', WRITE)
  expect(answer.content).toEqual([{ type: 'text', text: "Insufficient scope: 'memories:write' required" }])
  const uri = 'remindb://logs'
  await expect(dispatchTo(serve(WRITING).served, 'resources/read', { uri })).rejects.toThrow(
    "Insufficient scope: 'memories:admin' required",
  )
  await expect(dispatchTo(serve(WRITING).served, 'resources/subscribe', { uri })).rejects.toThrow(
    "Insufficient scope: 'memories:admin' required",
  )
})

test('a call that is not permitted is refused, whether or not its arguments are right', async () => {
  const { served } = serve({ access: 'reads' })
  const params = { name: 'MemoryWrite', arguments: { payload: 5, more: true } }
  const { content } = await dispatchTo(served, 'tools/call', params)
  expect(content[0].text).toMatch(/^this call of MemoryWrite is not permitted/)
})

test('clients are shown the tools that they may call', async () => {
  const shownTo = async (allowance: Allowance): Promise<string[]> => {
    const { tools } = await dispatchTo(serve(allowance).served, 'tools/list', undefined)
    return tools.map(({ name }: { name: string }) => name)
  }
  for (const allowance of [{ access: 'reads' }, READ] as const) {
    const reader = await shownTo(allowance)
    expect(reader).toContain('MemorySearch')
    expect(reader).not.toContain('MemoryWrite')
  }
  const writer = await shownTo({ access: 'writes' })
  expect(writer).toContain('MemoryWrite')
  expect(writer).not.toContain('MemoryForget')
  expect(await shownTo(ADMIN)).not.toContain('MemoryCompile')
})

test('clients are shown the arguments and commands that they may use', async () => {
  const listed = async (allowance: Allowance): Promise<string> =>
    JSON.stringify((await dispatchTo(serve(allowance).served, 'tools/list', undefined)).tools)
  expect(await listed(ADMIN)).toContain('drop_after')
  expect(await listed(WRITING)).not.toContain('drop_after')
  expect(await listed(WRITING)).toContain('append')
  expect(await listed(READ)).not.toContain('append')
})

test('what a read of a resource has not begun is given up with its request', async () => {
  const given: (AbortSignal | undefined)[] = []
  const { signal } = new AbortController()
  const served = servedWith({
    memory: {
      async observer(until) {
        given.push(until)
        return { overview: async () => ({}) } as never
      },
    },
  })
  await dispatchTo(served, 'resources/read', { uri: 'remindb://overview' }, { signal })
  expect(given).toEqual([signal])
})

test.each([[5], [null], [['remindb://tree']], [undefined]])(
  'a URI that is not a string is refused: %j',
  async (uri) => {
    for (const method of ['resources/read', 'resources/subscribe'] as const)
      await expect(dispatchTo(servedWith(), method, { uri })).rejects.toMatchObject({
        code: -32602,
        message: 'uri must be a string',
      })
  },
)

test.each([[{ access: 'reads' }], [READ]] as const)(
  'prompts go with the tools that a client may call: %o',
  async (allowance) => {
    const { served } = serve(allowance)
    const { prompts } = await dispatchTo(served, 'prompts/list', undefined)
    expect(prompts.map(({ name }: { name: string }) => name)).not.toContain('remember-this')
    const params = { name: 'remember-this', arguments: { key: 'k', value: 'v' } }
    await expect(dispatchTo(served, 'prompts/get', params)).rejects.toThrow('unknown prompt')
  },
)

test('a call that waited is refused if its client may no longer make it', async () => {
  let scopes: readonly Scope[] = ['memories:write']
  const held = Promise.withResolvers<never>()
  const reached: string[] = []
  const served = servedWith({
    tools: toolsOf(['all']),
    allowed: () => ({ access: 'removes', scopes }),
    memory: {
      as() {
        reached.push('memory')
        return held.promise
      },
    },
  })
  const subscribed = { add: async () => undefined, delete: () => undefined }
  const dispatch = createDispatcher(served, { subscribed, audience: { canSubscribe: () => false } })
  const caller = { sessionId: '', author: 'test', address: '' }
  const request = { params: WRITE, caller, protocol: '2025-11-25', signal: new AbortController().signal }
  const calls = Array.from({ length: MAX_RUNNING + 1 }, () => dispatch('tools/call', request))
  scopes = []
  held.reject(new MemoryError('UNAVAILABLE', 'gone'))
  const answers = (await Promise.all(calls)) as { content: { text: string }[] }[]
  expect(answers.at(-1)?.content[0]?.text).toBe("Insufficient scope: 'memories:write' required")
  expect(reached).toHaveLength(MAX_RUNNING)
})

test('a batch names the highest scope that it needs', () => {
  const message = (params: object) => ({ method: 'tools/call', params })
  expect(missingScope(serve(READ).served, [message(WRITE), message(DROP)])).toBe('memories:admin')
  expect(missingScope(serve(READ).served, message(WRITE))).toBe('memories:write')
  expect(missingScope(serve(WRITING).served, message(WRITE))).toBeUndefined()
})

test('calls of tools that there are not count too', async () => {
  let counted = 0
  const rate = { count: () => void counted++, figures: () => ({}), gate: createGate(1) }
  await expect(
    dispatchTo(servedWith({ tools: toolsOf(['all']), rate }), 'tools/call', { name: 'Nothing' }),
  ).rejects.toThrow('unknown tool')
  expect(counted).toBe(1)
})
