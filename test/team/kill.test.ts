import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { ensureProgramIsBuilt } from '../support/cli.ts'
import { ERAS, type RawClient } from '../support/raw-client.ts'
import { start } from '../support/store-children.ts'
import { WRITER } from '../support/team.ts'
import { createTeamFolder, type ServedTeam, serveTeam } from '../support/team-process.ts'

beforeAll(ensureProgramIsBuilt)

test('a running server holds to what a process that was killed acknowledged', async () => {
  const { dir } = await createTeamFolder()
  let server = await serveTeam(dir)
  for (const [round, count] of [3, 14, 8, 5].entries()) {
    const input = { file: join(dir, 'auth.db'), name: `round${round}` }
    const child = start('change-forever', input, { of: 'accounts' })
    const said = createSaid()
    const hear = async (line: string): Promise<void> => {
      said.hear(line)
      // From the acknowledgement on, whatever the process does meanwhile.
      for (const token of said.ended) expect(await server.statusOf(token)).toBe(401)
    }
    for (let at = 0; at < count; at++) await hear((await child.next()) ?? 'too early')
    child.kill()
    for (let line = await child.next(); line !== undefined; line = await child.next()) await hear(line)
    await checkSaid(server, said)
    await server.kill()
    server = await serveTeam(dir)
    await checkSaid(server, said)
  }
})

/** What a process acknowledged of the keys that it makes, rotates and revokes, a user after the other. */
function createSaid() {
  const working = new Map<string, { user: string; token: string }>()
  const ended = new Set<string>()
  const state = { user: '' }
  const end = (id: string): void => {
    const token = working.get(id)?.token
    if (token !== undefined) ended.add(token)
    working.delete(id)
  }
  return {
    working,
    ended,
    /** Of whom one more change may have been made, and not acknowledged. */
    unfinished: () => state.user,
    hear(line: string): void {
      const [what, user = '', id = '', more = ''] = line.split(' ')
      state.user = user
      end(id)
      if (what === 'works') working.set(id, { user, token: more })
      else end(more)
    },
  }
}

async function checkSaid(
  { statusOf }: ServedTeam,
  { working, ended, unfinished }: ReturnType<typeof createSaid>,
): Promise<void> {
  for (const token of ended) expect(await statusOf(token)).toBe(401)
  for (const { user, token } of working.values())
    expect(user === unfinished() ? [200, 401] : [200]).toContain(await statusOf(token))
}

test('a server that is killed while its clients make and revoke keys holds to what it acknowledged', async () => {
  const { dir, accounts } = await createTeamFolder()
  await accounts.users.create({ name: 'ada' })
  const { key } = await accounts.keys.create({ user: 'ada', space: 'red', scopes: WRITER })
  for (const count of [4, 25, 11]) {
    const server = await serveTeam(dir)
    const holder = await server.connect(key)
    const made = new Map<string, Made>()
    const acknowledged = Promise.withResolvers<void>()
    const changing = Array.from({ length: 4 }, () =>
      changeKeys(holder, made, () => made.size >= count && acknowledged.resolve()).catch(ignoreGone),
    )
    await acknowledged.promise
    await server.kill()
    await Promise.all(changing)
    const again = await serveTeam(dir)
    for (const { token, state } of made.values()) expect(STATUS[state]).toContain(await again.statusOf(token))
    await again.kill()
  }
})

/** The connection broke: what else goes wrong is not to be missed. */
function ignoreGone(error: unknown): void {
  if (!(error instanceof TypeError)) throw error
}

interface Made {
  token: string
  state: 'made' | 'revoking' | 'revoked'
}

const STATUS: Record<Made['state'], number[]> = { made: [200], revoking: [200, 401], revoked: [401] }

/** Until the server is gone: makes keys, and revokes every second one. */
async function changeKeys(holder: RawClient, made: Map<string, Made>, onMade: () => void): Promise<never> {
  for (let at = 0; ; at++) {
    const { status, text } = await holder.http('POST', '/s/red/keys', { body: {} })
    expect(status).toBe(201)
    const { id, key: token } = JSON.parse(text)
    const one: Made = { token, state: 'made' }
    made.set(id, one)
    onMade()
    if (at % 2 === 0) continue
    one.state = 'revoking'
    expect((await holder.http('DELETE', `/s/red/keys/${id}`)).status).toBe(204)
    one.state = 'revoked'
  }
}

type Change = (team: Awaited<ReturnType<typeof createTeamFolder>>, id: string) => Promise<unknown>

const CHANGES: Record<string, Change> = {
  'is revoked': ({ accounts }, id) => accounts.keys.revoke(id),
  'is rotated': ({ accounts }, id) => accounts.keys.rotate(id),
  'is of a user who is disabled': ({ accounts }) => accounts.users.disable('ada'),
  'is of a user who is deleted': ({ accounts }) => accounts.users.delete('ada'),
  'is of a member who is removed': ({ accounts }) => accounts.members.remove({ user: 'ada', space: 'red' }),
}

test.each(Object.entries(CHANGES))(
  'sessions and streams end in a running server when their key %s elsewhere',
  async (what, change) => {
    const team = await createTeamFolder()
    const { keys, users } = team.accounts
    for (const name of ['ada', 'bob']) await users.create({ name })
    const ada = await keys.create({ user: 'ada', space: 'red', scopes: WRITER })
    const child = await keys.createChild(ada.id, { scopes: ['memories:read'] })
    const bob = await keys.create({ user: 'bob', space: 'red', scopes: WRITER })
    const server = await serveTeam(team.dir)
    // A key that is rotated stays the same key, and so do those below it.
    const tokens = what === 'is rotated' ? [ada.key] : [ada.key, child.key]
    const ending = await listenAll(server, tokens)
    const [other] = await listenAll(server, [bob.key])
    await change(team, ada.id)
    const begin = performance.now()
    for (const { client } of ending) expect((await client.ask('ping')).status).toBe(401)
    await Promise.all(ending.map(({ ended }) => ended))
    console.log(`a key ${what}: streams end after ${Math.round(performance.now() - begin)} ms`)
    const heard = other?.heard.promise
    await other?.client.ask('tools/call', { name: 'MemoryWrite', arguments: { payload: '# Still here' } })
    await heard
  },
)

/** A session with its stream, and a stream without a session, for each key. */
async function listenAll(server: ServedTeam, tokens: readonly string[]) {
  const pairs = tokens.flatMap((token) => ERAS.map((era) => ({ token, era })))
  return Promise.all(
    pairs.map(async ({ token, era }) => {
      const client = await server.connect(token, era)
      const heard = Promise.withResolvers<void>()
      const { ended, status } = await client.listen(['remindb://tree'], (data) => {
        if (data.includes('notifications/resources/updated')) heard.resolve()
      })
      expect(status).toBe(200)
      return { client, ended, heard }
    }),
  )
}
