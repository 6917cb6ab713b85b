import { expect, test } from 'vitest'
import { verifyChain } from '../../src/core/audit/verify.ts'
import { toolsOf } from '../../src/mcp/toolsets.ts'
import { sha256 } from '../../src/util/text/sha256.ts'
import { all, auditOf } from '../support/audit.ts'
import { soon } from '../support/soon.ts'
import { connectTeam, keyFor, openTeam, type Team } from '../support/team.ts'
import { listenTo } from '../support/team-requests.ts'

const ADMIN = ['memories:admin'] as const
const MARKER = 'heliotropesecret'

const eventsOf = async (team: Team, space?: string): Promise<string[]> =>
  (await auditOf(team, space)).entries.map(({ event, subjectKind, subject }) =>
    `${event} ${subjectKind} ${subject}`.trim(),
  )

test('every write is in the audit of its space, with who made it, with which key and from where', async () => {
  const team = await openTeam()
  const { id, key } = await keyFor(team)
  const [ada] = await team.accounts.users.list()
  const { call } = await connectTeam(team, { key })
  await call('remember', { key: 'plan', value: 'Ship it.', tags: ['work'] })
  await call('remember', { key: 'plan', value: 'Ship it.', tags: ['work'] })
  await call('remember', { key: 'plan', value: 'Wait.' })
  await call('redact_memory', { key: 'plan' })
  await call('remember', { key: 'other', value: 'One.', tags: ['work'] })
  await call('remember', { key: 'third', value: 'Two.', tags: ['work'] })
  await call('forget', { key: 'other' })
  await call('forget_all', { tag: 'work' })
  const { entries, verified } = await auditOf(team)
  expect(entries.map(({ event, subject }) => [event, subject])).toEqual([
    ['memory_created', 'plan'],
    ['memory_updated', 'plan'],
    ['memory_redacted', 'plan'],
    ['memory_created', 'other'],
    ['memory_created', 'third'],
    ['memory_deleted', 'other'],
    ['memory_deleted', 'third'],
  ])
  for (const entry of entries)
    expect(entry).toMatchObject({
      userId: ada?.id,
      principalId: id,
      address: '127.0.0.1',
      subjectKind: 'key',
    })
  expect(verified).toEqual({ status: 'ok', entries: 7 })
})

test('what is done to nodes, records and files is in the audit too', async () => {
  const team = await openTeam()
  const { key } = await keyFor(team, { scopes: ADMIN })
  const { call } = await connectTeam(team, { key })
  const node =
    /[0-9A-Za-z]{11}/.exec(await call('MemoryWrite', { payload: 'The quay is closed.' }))?.[0] ?? ''
  await call('MemoryWrite', { payload: 'The quay is open.', id: node })
  await call('MemorySummarize', { id: node, summary: 'Open.' })
  await call('MemoryPin', { id: node })
  await call('MemoryUnpin', { id: node })
  await call('MemoryRelate', { source_id: node, target_label: 'harbour' })
  const { id: record } = JSON.parse(await call('store_memory', { type: 'core', content: 'Likes milk.' }))
  await call('delete_memory', { id: record, permanent: true })
  await call('memory', { command: 'append', path: '/log', content: 'Fog.' })
  await call('memory', { command: 'delete', path: '/log' })
  await call('MemoryForget', { id: node })
  await call('MemoryRollback', { snapshot_id: 1 })
  expect(await eventsOf(team)).toEqual([
    ...[`node_written node ${node}`, `node_written node ${node}`, `node_summarized node ${node}`],
    ...[`node_pinned node ${node}`, `node_unpinned node ${node}`, `nodes_related node ${node}`],
    ...[`memory_created record ${record}`, `memory_deleted record ${record}`],
    ...['memory_created file memory/log', 'memory_deleted file memory/log', `node_forgotten node ${node}`],
    'memory_rolled_back snapshot 1',
  ])
})

test('what tools read is recorded within a second, without waiting for it', async () => {
  const team = await openTeam()
  const { key } = await keyFor(team)
  const { call } = await connectTeam(team, { key })
  await call('remember', { key: 'plan', value: 'Ship it.', tags: ['work'] })
  await call('recall', { key: 'plan' })
  await call('recall', { key: 'nothing' })
  await call('list_memories', { tag: 'work' })
  await call('search_memories', { query: 'ship' })
  await call('summarize_context', { topic: 'work' })
  await call('MemorySearch', { query: 'ship' })
  await call('ping')
  await call('memory', { command: 'read', path: '/nothing' })
  await call('memory', { command: 'list', path: '/nothing' })
  await call('MemoryFetchBatch', { ids: ['nothing'] })
  await soon(() => eventsOf(team)).toEqual([
    ...['memory_created key plan', 'memory_recalled key plan', 'memory_listed', 'memory_searched'],
    ...['context_summarized', 'memory_searched', 'memory_listed'],
  ])
})

test('every tool that reads says what the audit has of it', () => {
  const silent = toolsOf(['all']).filter(({ access, audited }) => access === 'reads' && !audited)
  expect(silent.map(({ name }) => name).toSorted()).toEqual([
    ...['MemoryStats', 'get_memory_stats', 'list_tags', 'ping'],
  ])
})

test('what was read is recorded when a server ends', async () => {
  const team = await openTeam()
  const { key } = await keyFor(team)
  const { call } = await connectTeam(team, { key })
  await call('remember', { key: 'plan', value: 'Ship it.' })
  await call('recall', { key: 'plan' })
  await team.spaces.close()
  expect(await eventsOf(team)).toEqual(['memory_created key plan', 'memory_recalled key plan'])
})

test('no content is in the audit: not what was stored, found or searched for, nor a secret in a name', async () => {
  const team = await openTeam()
  const { key } = await keyFor(team, { scopes: ADMIN })
  const { call, read } = await connectTeam(team, { key })
  const secret = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}`
  await call('remember', { key: 'plan', value: `About ${MARKER}.` })
  await call('remember', { key: 'plan', value: `More about ${MARKER}.` })
  await call('list_memories', { tag: secret })
  await call('MemoryWrite', { payload: `# ${MARKER}` })
  await call('store_memory', { type: 'core', content: MARKER, category: MARKER })
  await call('memory', { command: 'append', path: '/log', content: MARKER })
  for (const tool of ['MemorySearch', 'search_memories']) await call(tool, { query: MARKER })
  await call('pack_context', { topic: MARKER })
  await call('redact_memory', { key: 'plan', reason: MARKER })
  await soon(async () => (await auditOf(team)).entries.length).toBe(10)
  const { entries } = await auditOf(team)
  for (const text of [JSON.stringify(entries), await read('remindb://audit')]) {
    expect(text).not.toContain(MARKER)
    expect(text).not.toContain(secret)
  }
})

test('two spaces share no audit, and only admins read that of theirs', async () => {
  const team = await openTeam()
  const red = await connectTeam(team, await keyFor(team, { scopes: ADMIN }))
  const blue = await connectTeam(team, await keyFor(team, { user: 'bob', space: 'blue', scopes: ADMIN }))
  await red.call('remember', { key: 'of red', value: 'x' })
  await blue.call('remember', { key: 'of blue', value: 'x' })
  const subjects = async ({ read }: typeof red): Promise<unknown[]> =>
    JSON.parse(await read('remindb://audit')).entries.map(
      ({ subject }: { subject: { name: string } }) => subject.name,
    )
  expect(await subjects(red)).toEqual(['of red'])
  expect(await subjects(blue)).toEqual(['of blue'])
  const writer = await connectTeam(team, await keyFor(team, { user: 'eve' }))
  await expect(writer.read('remindb://audit')).rejects.toThrow('memories:admin')
})

test('admins are notified of new entries, and reading them makes none', async () => {
  const team = await openTeam()
  const admin = await keyFor(team, { scopes: ADMIN })
  const listening = await listenTo(team, { ...admin, revision: '2026-07-28' }, ['remindb://audit'])
  const { call, read } = await connectTeam(team, admin)
  await call('remember', { key: 'plan', value: 'x' })
  await soon(listening.heard).toContain('remindb://audit')
  const before = await read('remindb://audit?limit=10')
  expect(JSON.parse(before)).toMatchObject({ entries: [{ number: 1, event: 'memory_created' }] })
  expect(await read('remindb://audit?limit=10')).toBe(before)
})

test('where nobody says who they are nothing is recorded', async () => {
  const team = await openTeam({ auth: 'off', defaultSpace: 'red' })
  const { call } = await connectTeam(team, {})
  await call('remember', { key: 'plan', value: 'x' })
  await call('recall', { key: 'plan' })
  await team.spaces.close()
  expect(await eventsOf(team)).toEqual([])
})

test('what is done to accounts is in an audit of its own, with the key that did it', async () => {
  const team = await openTeam({ spaces: ['red'] })
  const { accounts } = team
  const { id, key } = await keyFor(team)
  const response = await team.fetch(
    new Request('http://localhost/s/red/keys', {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'content-length': '2' },
      body: '{}',
    }),
    '192.0.2.7',
  )
  const child = (await response.json()) as { id: string }
  await accounts.keys.rotate(id)
  await accounts.users.disable('ada')
  await accounts.users.enable('ada')
  await accounts.members.remove({ user: 'ada', space: 'red' })
  await accounts.users.delete('ada')
  await accounts.spaces.rename('red', 'green')
  await accounts.spaces.delete('green')
  const entries = await accounts.audit.read((chain) => all(chain.entries))
  expect(entries.map(({ event }) => event)).toEqual([
    ...['space_created', 'account_created', 'member_added', 'key_created', 'key_created', 'key_rotated'],
    ...['account_disabled', 'account_enabled', 'member_removed', 'key_revoked', 'key_revoked'],
    ...['key_removed', 'key_removed', 'account_deleted', 'space_renamed', 'space_deleted'],
  ])
  expect(entries[4]).toMatchObject({ principalId: id, address: '192.0.2.7', subject: child.id })
  expect(entries[3]).toMatchObject({ userId: '', principalId: '', subject: id })
  expect(await accounts.audit.read((chain) => verifyChain({ ...chain, sha256 }))).toEqual({
    ...{ status: 'ok', entries: 16 },
  })
})

test('what a server removes itself is in the audit, without a user, and counts for nobody', async () => {
  const team = await openTeam()
  const { key } = await keyFor(team)
  const { call } = await connectTeam(team, { key })
  await call('remember', { key: 'plan', value: 'Ship it.', ttl_seconds: 1 })
  await soon(() => eventsOf(team)).toEqual(['memory_created key plan', 'memory_expired key plan'])
  const { entries } = await auditOf(team)
  expect(entries[1]).toMatchObject({ userId: '', principalId: '', address: '' })
})

test('keys and members that go with a user or a space are in the audit of accounts', async () => {
  let time = Date.UTC(2026, 0, 1)
  const team = await openTeam({ spaces: ['red', 'blue'], time: () => time })
  const { accounts } = team
  const { id: old } = await keyFor(team, { user: 'eve' })
  await accounts.keys.revoke(old)
  const { id } = await keyFor(team)
  const { id: child } = await accounts.keys.createChild(id, { scopes: ['memories:read'] })
  const [eve, ada] = await accounts.users.list()
  const [red, blue] = await accounts.spaces.list()
  await accounts.users.delete('ada')
  // What stopped working long ago is removed with the next key that is made.
  time += 31 * 24 * 3_600_000
  const { id: last } = await keyFor(team, { user: 'eve', space: 'blue' })
  await accounts.spaces.delete('blue')
  const entries = await accounts.audit.read((chain) => all(chain.entries))
  const from = entries.findIndex(({ subject }) => subject === child) + 1
  expect(entries.slice(from).map(({ event, subject }) => `${event} ${subject}`)).toEqual([
    ...[`key_removed ${id}`, `key_removed ${child}`, `member_removed ${red?.id} ${ada?.id}`],
    ...[`account_deleted ${ada?.id}`, `member_added ${blue?.id} ${eve?.id} writer`],
    ...[`key_removed ${old}`, `key_created ${last}`, `key_removed ${last}`],
    ...[`member_removed ${blue?.id} ${eve?.id}`, `space_deleted ${blue?.id}`],
  ])
})
