import { describe, expect, test } from 'vitest'
import { jsonLength } from '../fit-json.ts'
import { fitRecord } from './fit.ts'
import type { RecordJson } from './model.ts'

const ID = '6f1d8c1e-9d0a-4c55-8a0b-0f6c2d0f3a51'
const TIME = '2026-01-01T10:00:00Z'
const texts = (count: number, length: number) =>
  Array.from({ length: count }, (_, at) => `${at}`.padEnd(length))

function record(changes: Partial<RecordJson> = {}): RecordJson {
  return {
    ...{ id: ID, type: 'task', content: 'Ship it', created_at: TIME, updated_at: TIME, accessed_at: TIME },
    ...{ access_count: 0, tags: ['release'], importance: 'medium', archived: false },
    task_metadata: { status: 'blocked', blockers: texts(20, 500), outcome: 'Late' },
    ...changes,
  }
}

describe('fitRecord', () => {
  test('leaves a record unchanged if it fits', () => {
    const whole = record()
    expect(fitRecord(whole, jsonLength(whole))).toBe(whole)
  })

  test('keeps as many whole blockers as fit, and counts the others', () => {
    const shown = fitRecord(record(), 3000)
    expect(shown).toMatchObject({ content: 'Ship it', tags: ['release'] })
    expect(shown.task_metadata).toEqual({ status: 'blocked', blockers: texts(4, 500), outcome: 'Late' })
    expect(shown.left_out).toBe(`16 blockers; whole: query_memories id=${ID} limit=1`)
  })

  test('keeps the beginning of the content, up to the end of a word, before blockers', () => {
    const shown = fitRecord(record({ content: 'word '.repeat(1000) }), 2000)
    expect(shown.content).toMatch(/^word( word){100,}…$/)
    expect(shown.task_metadata).toEqual({ status: 'blocked', blockers: [] })
    expect(shown.left_out).toMatch(/^\d+ characters of the content, the outcome, 20 blockers; whole: /)
  })

  test('names a call that finds an archived record', () => {
    expect(fitRecord(record({ archived: true }), 3000).left_out).toContain(`id=${ID} archived=true limit=1`)
  })

  test('never exceeds the maximum, for any record', () => {
    for (const filling of ['x', '"', '\u0007', '\u{1f600}']) {
      const tags = texts(100, 30).map((tag) => tag.replaceAll(' ', filling))
      const long = record({ content: filling.repeat(5000), category: filling.repeat(50), tags })
      for (const maxLength of [1500, 3000, 7500])
        expect(jsonLength(fitRecord(long, maxLength))).toBeLessThanOrEqual(maxLength)
    }
  })
})
