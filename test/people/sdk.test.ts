import { UnauthorizedError } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { ERAS, textOf } from '../support/mcp.ts'
import { addPerson, openPeople } from '../support/people.ts'
import { sdkClient } from '../support/sdk-client.ts'

const HOUR = 3_600_000
const FACT = { key: 'deploys', value: 'Never on a Friday.' }

test.each(ERAS)('the SDK finds the server, registers, and is let in (%s)', async (revision) => {
  const server = await openPeople()
  await addPerson(server)
  const sdk = sdkClient(server, { revision })
  const client = await sdk.connect()
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toContain('remember')
  expect(sdk.kept.asked).toHaveLength(1)
  expect(sdk.kept.tokens).toMatchObject({ scope: 'memories:read memories:write', token_type: 'Bearer' })
})

test.each(ERAS)('the SDK uses its metadata document where it has one (%s)', async (revision) => {
  const document = 'https://client.example/metadata.json'
  const server = await openPeople({
    documents: {
      [document]: {
        client_id: document,
        client_name: 'Example',
        redirect_uris: ['http://localhost/callback'],
        token_endpoint_auth_method: 'none',
      },
    },
  })
  await addPerson(server)
  const sdk = sdkClient(server, { revision, document })
  const client = await sdk.connect()
  expect((await client.listTools()).tools).not.toHaveLength(0)
  expect(sdk.kept.client?.client_id).toBe(document)
  expect(await server.accounts.clients.list()).toEqual([])
})

test.each(ERAS)(
  'the SDK goes on after its access token expired, without asking the person (%s)',
  async (revision) => {
    let passed = 0
    const server = await openPeople({ now: () => Date.now() + passed })
    await addPerson(server)
    const sdk = sdkClient(server, { revision })
    const client = await sdk.connect()
    await client.callTool({ name: 'remember', arguments: FACT })
    const before = sdk.kept.tokens
    passed = HOUR
    const answer = await client.callTool({ name: 'recall', arguments: { key: FACT.key } })
    expect(textOf(answer)).toContain(FACT.value)
    expect(sdk.kept.asked).toHaveLength(1)
    expect(sdk.kept.tokens?.access_token).not.toBe(before?.access_token)
    expect(sdk.kept.tokens?.refresh_token).not.toBe(before?.refresh_token)
  },
)

test.each(ERAS)(
  'the SDK asks for more when a call needs it, and goes on where it was (%s)',
  async (revision) => {
    const server = await openPeople()
    await addPerson(server)
    const sdk = sdkClient(server, { revision })
    const client = await sdk.connect({ changes: { scope: 'memories:read' } })
    expect(sdk.kept.tokens?.scope).toBe('memories:read')
    const session = sdk.transport().sessionId
    const write = () => client.callTool({ name: 'remember', arguments: FACT })
    await expect(write()).rejects.toThrow(UnauthorizedError)
    expect(sdk.kept.asked[1]?.searchParams.get('scope')).toBe('memories:read memories:write')
    await sdk.answer()
    expect((await write()).isError).toBeFalsy()
    expect(sdk.kept.tokens?.scope).toBe('memories:read memories:write')
    expect(sdk.transport().sessionId).toBe(session)
    expect(sdk.kept.asked).toHaveLength(2)
  },
)

test.each(ERAS)(
  'the SDK is asked to sign in again after the person disconnected it (%s)',
  async (revision) => {
    const server = await openPeople()
    await addPerson(server)
    const sdk = sdkClient(server, { revision })
    const client = await sdk.connect()
    const [grant] = await server.accounts.grants.list({ user: 'ada' })
    await server.accounts.grants.revoke(grant?.id ?? '')
    await expect(client.listTools()).rejects.toThrow()
    await client.close()
    const again = await sdk.connect()
    expect((await again.listTools()).tools).not.toHaveLength(0)
  },
)
