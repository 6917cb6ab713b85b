import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { MESSAGES } from '../src/http/pages/message.ts'
import { openAccountRoutes } from '../src/runtime/oauth/account-routes.ts'
import { parsePage, ROOT, tableUnder } from './support/docs.ts'
import { recordingLog } from './support/recording-log.ts'
import { testAccounts } from './support/test-accounts.ts'

const page = parsePage(readFileSync(join(ROOT, 'docs/reference/oauth.md'), 'utf8'))

test('the reference lists every path of people and of OAuth, with its methods', () => {
  const { accounts } = testAccounts()
  const parts = {
    accounts,
    publicUrl: () => 'https://memory.example',
    now: Date.now,
    log: recordingLog().log,
  }
  const { routes, close } = openAccountRoutes(parts)
  close()
  const rows = tableUnder(page, 'Paths')
  const served = routes.map(({ path }) => path.replaceAll(/:(\w+)/g, '{$1}'))
  expect(rows.map(([path]) => path).toSorted()).toEqual(served.toSorted())
  for (const route of routes) {
    if (!('methods' in route)) continue
    const row = rows.find(([path]) => path === route.path.replaceAll(/:(\w+)/g, '{$1}'))
    expect(row?.[1], route.path).toBe(Object.keys(route.methods).join(' '))
  }
})

test('the reference lists every message that a page can be, with its status', () => {
  const { signedOut: _, unexpected: __, ...errors } = MESSAGES
  const listed = tableUnder(page, 'Errors of pages').map(([status, title]) => `${status} ${title}`)
  const shown = Object.values(errors).map(({ status, title }) => `${status} ${title}`)
  expect(listed).toEqual(expect.arrayContaining(shown))
})
