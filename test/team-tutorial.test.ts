import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { ask, callMcp, redeem, register, statusOf } from './support/attacker.ts'
import { ensureProgramIsBuilt } from './support/cli.ts'
import { readPages, replay } from './support/docs.ts'
import { temporaryFolder } from './support/engine.ts'
import { formFor, openPerson, PASSWORD } from './support/people.ts'
import { connectRaw } from './support/raw-client.ts'
import { serve } from './support/serving.ts'
import { blocksUnder } from './support/tutorials.ts'

const PAGE = readPages().get('docs/tutorials/team-memory.md') ?? ''
const SHOWN_URL = 'http://127.0.0.1:7474'
const SHOWN_FOLDER = '/home/ada/team'
const ENDPOINT = '/s/notes/mcp'
/** Claude Code is known by a document at claude.ai, which a test does not fetch: here it registers itself. */
const REDIRECT = 'http://localhost:58135/callback'

beforeAll(ensureProgramIsBuilt)

/** What the page shows in place of what is different each time. */
function createTranslation() {
  const pairs: { shown: string; real: string }[] = []
  return {
    add: (shown: string, real: string): void => void pairs.push({ shown, real }),
    toReal: (text: string): string =>
      pairs.reduce((one, { shown, real }) => one.replaceAll(shown, real), text),
    toShown: (text: string): string =>
      pairs.reduce((one, { shown, real }) => one.replaceAll(real, shown), text),
  }
}

/** Without times, and without the widths of columns. */
function comparable(text: string): string {
  return text.replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d(:\d\dZ)?/g, '<time>').replaceAll(/ {2,}/g, '  ')
}

const only = (text: string, pattern: RegExp): string => pattern.exec(text)?.[1] ?? ''

test('the tutorial for teams shows what people see who follow it', { timeout: 60_000 }, async () => {
  const folder = temporaryFolder()
  const here = join(folder, 'here')
  mkdirSync(here)
  const translation = createTranslation()
  translation.add('claude.ai', new URL(REDIRECT).host)

  /** Types what a step shows. `learn` reads from the answers what the page has another value for. */
  function type(step: string, learn: (shown: string, seen: string) => void = () => undefined): void {
    const typed = blocksUnder(PAGE, step).filter(({ info }) => info === 'console')
    expect(typed, step).not.toEqual([])
    for (const { content, line } of typed) {
      const seen = replay(folder, translation.toReal(content))
      learn(content, seen)
      expect(comparable(translation.toShown(seen)), `line ${line}`).toBe(comparable(content))
    }
  }

  type('1.')

  const [command, printed] = blocksUnder(PAGE, '2.')
  const args = only(command?.content ?? '', /^remindb serve (.+)$/m).split(' ')
  const server = await serve({ cwd: here, args, env: { REMINDB_LISTEN: '127.0.0.1:0' } })
  const { origin: url } = new URL(server.url)
  const started = await server.untilStdout(/Press Ctrl-C to stop/)
  const CODE = /\/auth\/setup#(\w+)/
  translation.add(SHOWN_URL, url)
  translation.add(SHOWN_FOLDER, join(here, 'team'))
  translation.add(only(printed?.content ?? '', CODE), only(started, CODE))
  expect(translation.toShown(started)).toContain(printed?.content)

  const ada = openPerson(url)
  const setup = formFor(await ada.go('/auth/setup'), '/auth/setup')
  const fields = { code: only(started, CODE), name: 'ada', password: PASSWORD, repeat: PASSWORD }
  const signedIn = await ada.send(setup, fields)
  expect(signedIn.url).toBe(`${url}/auth/clients`)
  expect(signedIn.html).toContain('<h1>Connected clients</h1>')
  expect(signedIn.html).toContain(`${url}${ENDPOINT}`)
  type('3.')

  const GENERATED = /^(\w{20})$/m
  type('4.', (shown, seen) => translation.add(only(shown, GENERATED), only(seen, GENERATED)))

  const [add] = blocksUnder(PAGE, '5.')
  expect(translation.toReal(add?.content ?? '')).toContain(` ${url}${ENDPOINT}\n`)
  const client = await register(url, { client_name: 'Claude Code', redirect_uris: [REDIRECT] })
  const asker = { client_id: String(client.body.client_id), redirect_uri: REDIRECT }
  const { href, verifier } = ask(url, { ...asker, resource: `${url}${ENDPOINT}` })
  // The browser in which ada is signed in.
  const asked = await ada.go(href)
  expect(asked.html).toContain('Signed in as <b><bdi>ada</bdi></b>')
  const login = await ada.send(formFor(asked, '/auth/logout'))
  const password = translation.toReal(only(blocksUnder(PAGE, '4.')[0]?.content ?? '', GENERATED))
  const consent = await ada.signIn(login, 'bob', password)
  const allowed = await ada.send(formFor(consent, '/auth/consent/'), { decision: 'allow' })
  const code = new URL(allowed.url).searchParams.get('code') ?? ''
  const { body } = await redeem(url, { code, verifier }, asker)
  const token = String(body.access_token)

  const agent = await connectRaw(
    { fetch: (request) => fetch(request) },
    { key: token, era: '2025-11-25', name: 'claude-code', path: ENDPOINT, origin: url },
  )
  const payload = 'We never deploy on a Friday.'
  const written = await agent.ask('tools/call', { name: 'MemoryWrite', arguments: { payload } })
  expect(written.text).toContain('snapshot 1')
  const AUTHOR = / by bob\/(\w+): /
  type('6.', (shown, seen) => translation.add(only(shown, AUTHOR), only(seen, AUTHOR)))

  expect(await statusOf(callMcp(url, token, ENDPOINT))).toBe(200)
  type('7.')
  expect(await statusOf(callMcp(url, token, ENDPOINT))).toBe(401)
})
