import { expect, test } from 'vitest'
import { dispatchTo, servedWith } from '../../test/support/served.ts'
import type { Caller } from './model/caller.ts'
import type { Access } from './model/tool.ts'
import { toolsOf } from './toolsets.ts'

const READER: Caller = { sessionId: '', author: 'reader' }
const WRITER: Caller = { sessionId: '', author: 'writer' }
const MOST: Record<string, Access> = { reader: 'reads', writer: 'writes' }

/** Whoever gets to the memory is written down. */
function serve() {
  const reached: string[] = []
  const served = servedWith({
    tools: toolsOf(['all']),
    allowed: ({ author }) => MOST[author] ?? 'removes',
    memory: {
      async as({ author }) {
        reached.push(author)
        return {} as never
      },
    },
  })
  return { served, reached }
}

test('what a call may do is decided by its caller, before it reaches the memory', async () => {
  const { served, reached } = serve()
  const write = { name: 'MemoryWrite', arguments: { payload: 'A note.' } }
  const forget = { name: 'MemoryForget', arguments: { id: 'AAAAAAAAAAA' } }
  for (const [caller, params] of [
    [READER, write],
    [READER, forget],
    [WRITER, forget],
  ] as const)
    expect(await dispatchTo(served, 'tools/call', params, { caller })).toMatchObject({ isError: true })
  expect(reached).toEqual([])
  await dispatchTo(served, 'tools/call', write, { caller: WRITER })
  expect(reached).toEqual(['writer'])
})

test('a call that is not permitted is refused, whether or not its arguments are right', async () => {
  const { served } = serve()
  const params = { name: 'MemoryWrite', arguments: { payload: 5, more: true } }
  const { content } = await dispatchTo(served, 'tools/call', params, { caller: READER })
  expect(content[0].text).toMatch(/^this call of MemoryWrite is not permitted/)
})

test('callers are shown what they may call', async () => {
  const { served } = serve()
  const shownTo = async (caller: Caller): Promise<string[]> => {
    const { tools } = await dispatchTo(served, 'tools/list', undefined, { caller })
    return tools.map(({ name }: { name: string }) => name)
  }
  const [reader, writer] = [await shownTo(READER), await shownTo(WRITER)]
  expect(reader).toContain('MemorySearch')
  expect(reader).not.toContain('MemoryWrite')
  expect(writer).toContain('MemoryWrite')
  expect(writer).not.toContain('MemoryForget')
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

test('prompts go with the tools that a caller may call', async () => {
  const { served } = serve()
  const names = async (caller: Caller) =>
    (await dispatchTo(served, 'prompts/list', undefined, { caller })).prompts.map(
      ({ name }: { name: string }) => name,
    )
  expect(await names(READER)).not.toContain('remember-this')
  const params = { name: 'remember-this', arguments: { key: 'k', value: 'v' } }
  await expect(dispatchTo(served, 'prompts/get', params, { caller: READER })).rejects.toThrow(
    'unknown prompt',
  )
})
