import { beforeAll, describe, expect, test } from 'vitest'
import { ensureProgramIsBuilt, remindb } from '../support/cli.ts'
import { type Connected, connect, ERAS, noteFolder, type Revision, userSettings } from '../support/mcp.ts'
import { connectHttp, serve } from '../support/serving.ts'
import { soon } from '../support/soon.ts'

beforeAll(ensureProgramIsBuilt)

const QUICK = { server: { resources: { debounce: '10ms' } } }

async function open(schemes: string | undefined, revision: Revision): Promise<Connected> {
  const args = ['--source', noteFolder({ 'a.md': '# A\n' }), '--tools', 'tree,keys']
  return connect({
    args: [...args, ...(schemes === undefined ? [] : ['--schemes', schemes])],
    revision,
    env: userSettings(QUICK),
  })
}

async function offered({ client }: Connected): Promise<Set<string>> {
  const { resources } = await client.listResources()
  const { resourceTemplates } = await client.listResourceTemplates()
  const uris = [
    ...resources.map(({ uri }) => uri),
    ...resourceTemplates.map(({ uriTemplate }) => uriTemplate),
  ]
  return new Set(uris.map((uri) => uri.slice(0, uri.indexOf(':'))))
}

// biome-ignore lint/suspicious/noExplicitAny: what is sent is what others parse, untyped
const failureOf = async ({ client }: Connected, uri: string): Promise<any> =>
  client.readResource({ uri }).then(
    () => undefined,
    (error) => error,
  )

describe.each(ERAS)('a client of %s', (revision) => {
  test('is offered both schemes unless the operator chose', async () => {
    const both = new Set(['remindb', 'memory'])
    expect(await offered(await open(undefined, revision))).toEqual(both)
    expect(await offered(await open('memory, remindb', revision))).toEqual(both)
  })

  test.each([
    ['remindb', 'remindb://tree', 'memory://_index', 'memory://not/a/name'],
    ['memory', 'memory://core', 'remindb://tree', 'remindb://nothing'],
  ])(
    'is offered %s only: the other one is as unknown as what never was',
    async (scheme, own, other, none) => {
      const connected = await open(scheme, revision)
      expect(await offered(connected)).toEqual(new Set([scheme]))
      expect(await connected.read(own)).toBeTypeOf('object')
      const unserved = await failureOf(connected, other)
      const unknown = await failureOf(connected, none)
      const wordsFor = (error: { message: string; data: object }, uri: string) =>
        JSON.stringify([error.constructor.name, error.message, error.data]).replaceAll(uri, '…')
      expect(wordsFor(unserved, other)).toBe(wordsFor(unknown, none))
    },
  )

  test('hears only of what is served', async () => {
    const { client, call } = await open('memory', revision)
    const heard: string[] = []
    client.setNotificationHandler(
      'notifications/resources/updated',
      ({ params }) => void heard.push(params.uri),
    )
    const uris = ['remindb://tree', 'memory://_index']
    if (revision === '2026-07-28') {
      const { honoredFilter } = await client.listen({ resourceSubscriptions: uris })
      expect(honoredFilter).toEqual({ resourceSubscriptions: ['memory://_index'] })
    } else {
      const refused = await client.subscribeResource({ uri: 'remindb://tree' }).catch((error) => error)
      expect(refused.message).toMatch(/not subscribable; subscribable are memory:\/\/ views/)
      await client.subscribeResource({ uri: 'memory://_index' })
    }
    await call('remember', { key: 'k', value: 'v' })
    await soon(() => heard).toContain('memory://_index')
    expect(heard).not.toContain('remindb://tree')
  })

  test('with none has no resources at all, and everything else', async () => {
    const { client, call } = await open('none', revision)
    expect(client.getServerCapabilities()?.resources).toBeUndefined()
    expect(client.getServerCapabilities()?.tools).toBeDefined()
    expect((await client.listResources().catch(() => ({ resources: [] }))).resources).toEqual([])
    for (const uri of ['remindb://tree', 'memory://_index'])
      await expect(client.readResource({ uri })).rejects.toThrow()
    await call('remember', { key: 'k', value: 'v' })
    expect(await call('recall', { key: 'k' })).toContain('v')
    expect(await call('MemoryTree')).toContain('A')
  })

  test('over HTTP finds the same', async () => {
    const cwd = noteFolder({ 'a.md': '# A\n' })
    const args = ['--source', '.', '--listen', '127.0.0.1:0', '--schemes', 'memory']
    const { url } = await serve({ cwd, args })
    const { client, read } = await connectHttp(url, revision, 'ada')
    const { resources } = await client.listResources()
    expect(resources.filter(({ uri }) => !uri.startsWith('memory://'))).toEqual([])
    await expect(read('remindb://tree')).rejects.toThrow()
    expect(await read('memory://core')).toMatchObject({ count: 0 })
  })
})

test.each(['remindb,remindb', 'file', 'remindb,none', ','])('--schemes %s is refused by name', (schemes) => {
  const { code, stderr } = remindb(['serve', '--db', '.', '--schemes', schemes], { cwd: noteFolder({}) })
  expect(code).toBe(2)
  expect(stderr).toContain('--schemes must be a list of remindb, memory, each at most once, or "none"')
})
