import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { coversScope, type NeededScope, type Scope, scopesUpTo } from '../../src/core/access/scopes.ts'
import { promptsOf } from '../../src/mcp/prompts/prompts.ts'
import { RESOURCES } from '../../src/mcp/resources/list.ts'
import { toolsOf } from '../../src/mcp/toolsets.ts'
import { ERAS, type Revision } from '../support/mcp.ts'
import { PUBLIC_URL, startTeam, type Team, WRITER } from '../support/team.ts'
import {
  GRANTED,
  type Granted,
  MISSING,
  makeKeys,
  REFUSED,
  type TeamKeys,
} from '../support/team-credentials.ts'
import { answerOf, bearer, beginSession, handMade, personWith, textIn } from '../support/team-requests.ts'
import { type Row, rowsOf } from '../support/team-rows.ts'
import { type Planted, plant, ROWS, surfacesOf } from '../support/team-surfaces.ts'

const PATHS = ['/mcp', '/s/red/mcp'] as const
type Path = (typeof PATHS)[number]
const EACH = PATHS.flatMap((path) => ERAS.map((revision) => [path, revision] as const))

const folder = mkdtempSync(join(tmpdir(), 'remindb-matrix-'))
let team: Team
let planted: Planted
let keys: TeamKeys

beforeAll(async () => {
  team = await startTeam(folder, { spaces: ['red', 'blue', 'attic'] })
  keys = await makeKeys(team)
  const admin = await personWith(team, { key: keys.admin, revision: '2026-07-28' })
  planted = await plant({
    call: async (tool, args) => textIn(await admin.call(tool, args)),
    read: async (uri) => textIn(await admin.read(uri)),
  })
})

afterAll(async () => {
  await team.team.close()
  rmSync(folder, { recursive: true, force: true })
})

test('the matrix has a row for every tool, resource and prompt', () => {
  const tools = toolsOf(['all'])
  expect(ROWS.tools.toSorted()).toEqual(tools.map(({ name }) => name).toSorted())
  expect(ROWS.resources).toEqual(RESOURCES.map(({ uri }) => uri))
  const prompts = promptsOf(tools, { access: 'removes' })
  expect(ROWS.prompts).toEqual(prompts.map(({ name }) => name))
})

test('every row has arguments that its tool accepts', () => {
  const tools = new Map(toolsOf(['all']).map((tool) => [tool.name, tool]))
  for (const { asked } of surfacesOf(planted).filter(({ asked }) => asked.method === 'tools/call'))
    expect(() => tools.get(asked.params?.name as string)?.input.parse(asked.params?.arguments)).not.toThrow()
})

function challenge(path: string, scopes: readonly string[], error?: string): string {
  const metadata = `${PUBLIC_URL}/.well-known/oauth-protected-resource${path}`
  const parts = [`resource_metadata="${metadata}"`, `scope="${scopes.join(' ')}"`]
  return `Bearer ${[...(error ? [`error="${error}"`] : []), ...parts].join(', ')}`
}

/** A response in one line, but for the id of the request. */
async function lineOf(response: Response): Promise<string> {
  const { error } = (await answerOf(response)) ?? {}
  return `${response.status} ${error?.message} ${response.headers.get('www-authenticate')}`
}

describe.each(EACH)('at %s, over %s', (path, revision) => {
  let session: string | undefined

  beforeAll(async () => {
    session = revision === '2025-11-25' ? await beginSession(team, keys.admin, path) : undefined
  })

  test.each(Object.entries(REFUSED))('%s: nothing is answered, and no body is read', async (_, refusedBy) => {
    const { headers = {}, query = '', meta, text } = refusedBy(keys)
    const expected = `401 ${text} ${challenge(path, WRITER, text === MISSING ? undefined : 'invalid_token')}`
    for (const row of rowsOf(planted, revision)) {
      const made = row.make({ session, meta })
      const request = handMade({ ...made, path: `${path}${query}`, headers: { ...made.headers, ...headers } })
      expect(await lineOf(await team.fetch(request)), row.name).toBe(expected)
      expect(request.bodyUsed, row.name).toBe(false)
    }
  })

  test.each(Object.entries(GRANTED))(
    '%s: as much is answered, and nothing that needs more',
    async (_, grantedTo) => {
      const granted = grantedTo(keys)
      const own = revision === '2025-11-25' ? await beginSession(team, granted.key, path) : undefined
      const rows = rowsOf(planted, revision)
      const before = await stateOf()
      for (const row of rows.filter(({ needs }) => !isCovered(granted.scope, needs))) {
        const response = await ask(row, { ...granted, session: own, path })
        expect(await lineOf(response), row.name).toBe(insufficient(row.needs as Scope, path))
      }
      expect(await stateOf()).toEqual(before)
      for (const row of rows.filter(({ needs }) => isCovered(granted.scope, needs)))
        await expectAnswer(row, { ...granted, session: own, path, revision })
    },
  )
})

/** What only the operator may do is not there for anybody else. */
function isCovered(scope: Scope, needs: NeededScope): boolean {
  return needs === 'operator' || coversScope([scope], needs)
}

function insufficient(scope: Scope, path: Path): string {
  return `403 Insufficient scope: '${scope}' required ${challenge(path, scopesUpTo(scope), 'insufficient_scope')}`
}

interface AskedBy {
  key: string
  session: string | undefined
  path: string
}

async function ask(row: Row, { key, session, path }: AskedBy): Promise<Response> {
  const made = row.make({ session: row.endsSession ? await beginSession(team, key, path) : session })
  return team.fetch(handMade({ ...made, path, headers: { ...made.headers, ...bearer(key) } }))
}

async function expectAnswer(row: Row, asked: AskedBy & Granted & { revision: Revision }): Promise<void> {
  const response = await ask(row, asked)
  expect([401, 403], row.name).not.toContain(response.status)
  if (row.isStream) return response.body?.cancel()
  const answer = await answerOf(response)
  expect(JSON.stringify(answer) ?? '', row.name).not.toMatch(/Unauthorized|Insufficient scope/)
  const { answers = ERAS, goesWith = row.needs } = row
  if (answers.includes(asked.revision) && isCovered(asked.scope, goesWith))
    expect(answer, row.name).toHaveProperty('result')
}

/** All that the memory holds, as its admin sees it. Heat is stored later: what was read before still gets warmer. */
async function stateOf(): Promise<string[]> {
  const admin = await personWith(team, { key: keys.admin, revision: '2026-07-28' })
  const uris = ['remindb://snapshots', 'remindb://tree', 'remindb://temperature', 'remindb://graph']
  const texts = await Promise.all(uris.map(async (uri) => textIn(await admin.read(uri))))
  return texts.map((text) => text.replaceAll(/"(temperature|avg|median|hot|cold)":[\d.]+/g, ''))
}

test.each(ERAS)('a space of others is as one that is not there, over %s', async (revision) => {
  const session = revision === '2025-11-25' ? await beginSession(team, keys.admin) : undefined
  for (const row of rowsOf(planted, revision)) {
    const [others, nobodys] = await Promise.all(
      ['/s/red/mcp', '/s/nowhere/mcp'].map(async (path) => {
        const made = row.make({ session })
        const request = handMade({ ...made, path, headers: { ...made.headers, ...bearer(keys.blue) } })
        return wholeOf(await team.fetch(request), request)
      }),
    )
    expect(others, row.name).toEqual(nobodys)
    expect(others, row.name).toMatchObject({ status: 404, isRead: false })
  }
})

async function wholeOf(response: Response, request: Request) {
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: await response.text(),
    isRead: request.bodyUsed,
  }
}

/** What the server answers beside MCP. Who adds a route adds a row. */
const ROUTES = {
  '/s/:space/mcp': ['POST', 'GET', 'DELETE'],
  '/.well-known/oauth-protected-resource': ['GET', 'HEAD'],
  '/.well-known/oauth-protected-resource/mcp': ['GET', 'HEAD'],
  '/.well-known/oauth-protected-resource/s/:space/mcp': ['GET', 'HEAD'],
  '/s/:space/keys': ['POST', 'GET'],
  '/s/:space/keys/:id': ['DELETE'],
}

test('the matrix has a row for every route', () => {
  const routes = team.team.routes.map((route) => [
    route.path,
    'methods' in route ? Object.keys(route.methods) : ['any'],
  ])
  expect(Object.fromEntries(routes)).toEqual(ROUTES)
})

const KEY_REQUESTS = [
  { method: 'POST', path: '/keys', message: { scopes: ['memories:read'] } },
  { method: 'GET', path: '/keys' },
  { method: 'DELETE', path: '/keys/unknown1' },
]

describe.each(KEY_REQUESTS)('$method /s/:space$path', ({ path, ...made }) => {
  const asked = (space: string, { headers = {}, query = '' }) =>
    handMade({ ...made, path: `/s/${space}${path}${query}`, headers })

  test.each(Object.entries(REFUSED))('%s: nothing is answered, and no body is read', async (_, refusedBy) => {
    const { headers = {}, query = '', text } = refusedBy(keys)
    const request = asked('red', { headers, query })
    const error = text === MISSING ? undefined : 'invalid_token'
    expect(await lineOf(await team.fetch(request))).toBe(
      `401 ${text} ${challenge('/s/red/mcp', WRITER, error)}`,
    )
    expect(request.bodyUsed).toBe(false)
  })

  test('a space of others is as one that is not there', async () => {
    const [others, nobodys] = await Promise.all(
      ['red', 'nowhere'].map(async (space) => {
        const request = asked(space, { headers: bearer(keys.blue) })
        return wholeOf(await team.fetch(request), request)
      }),
    )
    expect(others).toEqual(nobodys)
    expect(others).toMatchObject({ status: 404, isRead: false })
  })

  test.each(Object.entries(GRANTED))('%s: the holder of the key is answered', async (_, grantedTo) => {
    const response = await team.fetch(asked('red', { headers: bearer(grantedTo(keys).key) }))
    expect([401, 403]).not.toContain(response.status)
  })
})

test.each([
  ['', '/mcp'],
  ['/mcp', '/mcp'],
  ['/s/red/mcp', '/s/red/mcp'],
  ['/s/nowhere/mcp', '/s/nowhere/mcp'],
])('the metadata at the well-known path%s are for everybody', async (at, resource) => {
  for (const headers of [{}, bearer(keys.unknown), bearer(keys.blue), { authorization: 'Bearer' }]) {
    const path = `/.well-known/oauth-protected-resource${at}`
    const response = await team.fetch(handMade({ method: 'GET', path, headers }))
    expect([response.status, await response.json()]).toEqual([
      200,
      {
        resource: `${PUBLIC_URL}${resource}`,
        resource_name: 'remindb',
        scopes_supported: WRITER,
        bearer_methods_supported: ['header'],
      },
    ])
  }
})

test('the root takes messages as /mcp does, and no more', async () => {
  for (const row of rowsOf(planted, '2026-07-28')) {
    const made = row.make({ session: undefined })
    const request = handMade({ ...made, path: '/' })
    expect(await lineOf(await team.fetch(request)), row.name).toBe(
      `401 ${MISSING} ${challenge('/mcp', WRITER)}`,
    )
    expect(request.bodyUsed).toBe(false)
  }
})

test('nothing else is answered, with a key or without one', async () => {
  for (const headers of [{}, bearer(keys.admin)])
    for (const path of [
      '/keys',
      '/s',
      '/s/red',
      '/s/red/',
      '/spaces',
      '/users',
      '/s/red/mcp/keys',
      '/auth.db',
    ])
      for (const method of ['GET', 'POST', 'DELETE', 'PUT'])
        expect((await team.fetch(handMade({ method, path, headers }))).status, `${method} ${path}`).toBe(404)
  const health = await team.fetch(handMade({ method: 'GET', path: '/healthz' }))
  expect([health.status, await health.text()]).toEqual([200, 'ok'])
})
