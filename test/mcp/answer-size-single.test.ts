import { expect, test } from 'vitest'
import { DEFAULT_CHARACTERS } from '../../src/core/find/budget.ts'
import { toolsOf } from '../../src/mcp/toolsets.ts'
import { largestTask, openLargestItems } from '../support/largest-items.ts'

const TIMEOUT_MS = 120_000

/** What takes one character in every answer, what is escaped in JSON, and what is spelled out as several characters. */
const FILLINGS = { letters: 'x', quotes: '"', 'control characters': '\u0007', emoji: '\u{1f600}' }

test.each(Object.entries(FILLINGS))(
  'every default answer fits when the items are as large as they may be, of %s',
  { timeout: TIMEOUT_MS },
  async (_name, filling) => {
    await using at = await openLargestItems(filling)
    const called = new Set<string>()
    const tooLong: string[] = []
    for await (const [tool, args = {}] of at.steps()) {
      const { length } = await at.text(tool, args)
      called.add(tool)
      if (length > DEFAULT_CHARACTERS) tooLong.push(`${tool}: ${length} (${Object.keys(args).join(', ')})`)
    }
    expect(tooLong).toEqual([])
    const names = toolsOf(['all']).map(({ name }) => name)
    expect([...called].sort()).toEqual(names.sort())
  },
)

/** The call that an answer names for what it leaves out. */
function namedCall(said: string): [tool: string, args: Record<string, unknown>] {
  const [, tool = '', words = ''] = /: (\w+) ((?:\w+=\S+ ?)+)$/.exec(said) ?? []
  const args = words.split(' ').map((word) => word.split('=') as [string, string])
  return [tool, Object.fromEntries(args.map(([name, value]) => [name, value === 'true' ? true : value]))]
}

test('what is left out of a record is counted, and the call that is named shows all of it', async () => {
  await using at = await openLargestItems('x')
  const largest = largestTask((length) => 'word '.repeat(length).slice(0, length).trim())
  const task = { ...largest, task_metadata: { ...Object(largest.task_metadata), outcome: 'Late' } }
  const { id, memory } = JSON.parse(await at.text('store_memory', { type: 'task', ...task }))
  expect(memory.content).toBe(largest.content)
  expect(memory.task_metadata.blockers.length).toBeGreaterThan(0)
  expect(memory.left_out).toMatch(/^\d+ blockers; whole: query_memories id=\S+ limit=1$/)
  for (const isArchived of [false, true]) {
    if (isArchived) await at.text('delete_memory', { id })
    const shown = JSON.parse(await at.text('query_memories', { archived: true })).memories[0]
    const [tool, args] = namedCall(shown.left_out)
    const [whole] = JSON.parse(await at.text(tool, args)).memories
    expect(whole).toMatchObject({ id, ...task })
    expect(whole).not.toHaveProperty('left_out')
  }
})

test('a conflict with a long value names the call that reads it', async () => {
  await using at = await openLargestItems('x')
  const value = 'word '.repeat(10_000)
  await at.text('remember', { key: 'long', value })
  const text = await at.text('remember', { key: 'long', value: 'mine', version: 'old' })
  const { key, current_version: version, ...conflict } = JSON.parse(text.slice(text.indexOf('{')))
  expect(conflict).toEqual({
    ...{ conflict: true, attempted_version: 'old', current_value: null },
    ...{ characters: value.length, more: 'recall with this key and offset=0' },
  })
  expect(value.startsWith((await at.text('recall', { key, offset: 0 })).split('\n')[0] ?? '?')).toBe(true)
  expect(await at.text('remember', { key, value: 'merged', version })).toBe("Updated memory 'long'.")
})
