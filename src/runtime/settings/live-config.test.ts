import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openLiveConfig } from './live-config.ts'

function liveConfig(first?: string) {
  const stateFolder = mkdtempSync(join(tmpdir(), 'remindb-live-'))
  onTestFinished(() => rmSync(stateFolder, { recursive: true, force: true }))
  const file = join(stateFolder, 'config.json')
  const edit = (text: string): void => writeFileSync(file, text)
  if (first !== undefined) edit(first)
  const problems: string[] = []
  const onInvalid = (error: unknown): void => void problems.push(String(error))
  const open = () => {
    const flags = { 'temperature.hot_threshold': 0.75 }
    return openLiveConfig({ stateFolder, env: {}, flags, onInvalid })
  }
  return { file, edit, problems, open }
}

const config = (cold: unknown): string => JSON.stringify({ temperature: { cold_threshold: cold } })

test('follows the file, but flags and environment still win', () => {
  const { edit, open, file } = liveConfig()
  const live = open()
  expect(live()['temperature.cold_threshold']).toBe(0.1)
  edit(config(0.2))
  expect(live()['temperature.cold_threshold']).toBe(0.2)
  edit(JSON.stringify({ temperature: { cold_threshold: 0.3, hot_threshold: 0.4 } }))
  expect(live()).toMatchObject({ 'temperature.cold_threshold': 0.3, 'temperature.hot_threshold': 0.75 })
  rmSync(file)
  expect(live()['temperature.cold_threshold']).toBe(0.1)
})

test.each(['{ "temperature": ', config(7), '{ "temperatures": 1 }', '[]'])(
  'keeps the last good values when the file contains %s, and reports it once',
  (text) => {
    const { edit, open, problems } = liveConfig(config(0.2))
    const live = open()
    edit(text)
    expect(live()['temperature.cold_threshold']).toBe(0.2)
    expect(live()['temperature.cold_threshold']).toBe(0.2)
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain('.remindb/config.json')
    edit(`${text} `)
    live()
    expect(problems).toHaveLength(2)
    edit(config(0.25))
    expect(live()['temperature.cold_threshold']).toBe(0.25)
    expect(problems).toHaveLength(2)
  },
)

test('a file that cannot be used is refused at the start', () => {
  expect(liveConfig(config(7)).open).toThrow(/cold_threshold must be a number from 0 to 1, got 7/)
})

test('an unreadable file is reported once', () => {
  const { open, problems, file } = liveConfig(config(0.2))
  const live = open()
  rmSync(file)
  mkdirSync(file)
  expect(live()['temperature.cold_threshold']).toBe(0.2)
  live()
  expect(problems).toEqual(['MemoryError: .remindb/config.json is not a file; repair or remove it'])
})

test('a file that is not JSON is refused by its line, and none of it is quoted', () => {
  expect(liveConfig('{\n  "author": hunter2\n}').open).toThrow(
    'failed to parse .remindb/config.json: line 2: invalid JSON: expected a value',
  )
})
