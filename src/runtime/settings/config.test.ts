import { describe, expect, test } from 'vitest'
import { type ConfigFiles, loadConfig } from './config.ts'
import type { Setting } from './setting-values.ts'
import { SETTINGS } from './settings.ts'

const LISTS = SETTINGS.filter((setting) => Array.isArray(setting.default)) as Setting[]

function refusalOf(config: unknown, env: NodeJS.ProcessEnv = {}): string {
  try {
    loadConfig({ stateFolder: null, files: filesOf(config), env })
  } catch (error) {
    return (error as Error).message
  }
  return 'accepted'
}

function filesOf(config: unknown): ConfigFiles {
  return { folder: () => JSON.stringify(config), user: () => '', trusted: () => '' }
}

/** A value under the name of a setting, as the file nests it. */
function nested(name: string, value: unknown): unknown {
  return name
    .split('.')
    .reverse()
    .reduce((inner, key) => ({ [key]: inner }), value)
}

describe('an object instead of a list', () => {
  test.each(LISTS)('$name: the message asks for a list, with an example', ({ name, example }) => {
    for (const value of [{}, { name: 'x' }, { x: { name: 'x' } }]) {
      const message = refusalOf(nested(name, value))
      expect(message).toMatch(new RegExp(`^invalid \\.remindb/config\\.json: ${name} must be a list of `))
      expect(message).toContain(`, got ${JSON.stringify(value)}; for example ${example}`)
      expect(message).not.toContain('unknown key')
    }
  })

  test.each(LISTS)('$name: the example can be used', ({ name, example }) => {
    expect(refusalOf(nested(name, JSON.parse(example ?? '')))).toBe('accepted')
  })
})

test('an object instead of a plain value is refused', () => {
  expect(refusalOf({ author: { name: 'ada' } })).toBe(
    'invalid .remindb/config.json: author must be a text of 1 to 200 characters on one line, got {"name":"ada"}',
  )
})

test('a value instead of a group of settings is refused with the names in it', () => {
  expect(refusalOf({ keys: 5 })).toBe(
    '"keys" in .remindb/config.json must be an object with max_value_bytes, max_blob_bytes, resources',
  )
  expect(refusalOf({ keys: [] })).toContain('must be an object with max_value_bytes')
  expect(refusalOf({ keys: {} })).toBe('accepted')
})

test('a long value is not quoted whole', () => {
  const message = refusalOf({ author: 'x'.repeat(5000) })
  expect(message).toMatch(/, got "x+…$/)
  expect(message.length).toBeLessThan(400)
})

describe('a view that cannot be used', () => {
  const good = { name: 'good' }
  test.each([
    [[good, { name: 'a', filter: { typ: 'core' } }], '[1] ("a"): unknown field "filter.typ"; '],
    [[good, { name: 'a', description: 'one\ntwo' }], '[1] ("a"): description must be a string of 1 to 200 '],
    [Array.from({ length: 101 }, (_, at) => ({ name: `v${at}` })), ' must have at most 100 views, got 101'],
    [[good, 3], '[1] must be an object, got 3; for example {"name": '],
  ])('%.60j is reported by its position and its name, without the others', (views, problem) => {
    const message = refusalOf({ records: { views } })
    expect(message.startsWith(`invalid .remindb/config.json: records.views${problem}`), message).toBe(true)
    expect(message).not.toContain('good')
    const fromEnv = refusalOf({}, { REMINDB_RECORDS_VIEWS: JSON.stringify(views) })
    expect(fromEnv.startsWith(`REMINDB_RECORDS_VIEWS${problem}`), fromEnv).toBe(true)
  })
})

test('an empty variable that decides who is let in is refused', () => {
  expect(refusalOf({}, { REMINDB_AUTH: '' })).toBe('REMINDB_AUTH is empty; unset it, or give it a value')
  expect(refusalOf({}, { REMINDB_LISTEN: '' })).toBe('accepted')
})
