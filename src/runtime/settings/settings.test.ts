import { describe, expect, test } from 'vitest'
import { durationMs, sizeBytes } from './setting-values.ts'
import { SETTINGS, type SettingName } from './settings.ts'

function parse(name: SettingName, raw: unknown) {
  const parsed = SETTINGS.find((setting) => setting.name === name)?.parse(raw)
  if (!parsed || 'wrongPart' in parsed) return parsed?.wrongPart
  return 'value' in parsed ? parsed.value : parsed.refused
}

describe('compile.max_file_size', () => {
  test.each([
    ['none', 'none'],
    ['10MB', '10MB'],
    ['2048', '2048'],
    [2048, 2048],
  ])('accepts %j as written', (raw, value) => expect(parse('compile.max_file_size', raw)).toBe(value))

  test.each([
    ['10MB', 10 * 2 ** 20],
    ['1.5 KB', 1536],
    [2048, 2048],
  ])('%j is %i bytes', (value, bytes) => expect(sizeBytes(value)).toBe(bytes))

  test.each(['', '0', 0, -1, 1.5, 'big', null, true])('refuses %j', (raw) =>
    expect(parse('compile.max_file_size', raw)).toBe('a size such as "10MB" or a number of bytes, or "none"'),
  )
})

describe('compile.max_parallelism', () => {
  test.each([
    ['auto', 'auto'],
    ['3', 3],
    [1, 1],
  ])('takes %j', (raw, value) => expect(parse('compile.max_parallelism', raw)).toBe(value))

  test.each([0, '0', -1, 257, 1.5, 'all'])('refuses %j', (raw) =>
    expect(parse('compile.max_parallelism', raw)).toBe('a whole number from 1 to 256, or "auto"'),
  )
})

describe('compile.wall_clock_timeout', () => {
  test.each([
    ['0', 0],
    ['30s', 30_000],
    ['1m30s', 90_000],
  ])('accepts %j as written', (raw, ms) => {
    expect(parse('compile.wall_clock_timeout', raw)).toBe(raw)
    expect(durationMs(raw)).toBe(ms)
  })

  test.each([30, 0, '30', '-1s', ''])('refuses %j', (raw) =>
    expect(parse('compile.wall_clock_timeout', raw)).toBe('a duration such as "30s" or "1h30m"'),
  )
})
