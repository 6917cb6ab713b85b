import { expect, test } from 'vitest'
import { placeMessage } from './connector.ts'

const memory = { role: 'system', content: 'Memory\n/\n' } as const
const system = { role: 'system', content: 'You are …' }
const summary = { role: 'user', content: 'So far: …', isSummary: true }
const said = [
  { role: 'user', content: 'hello' },
  { role: 'system', content: 'the clock struck' },
]

test.each([
  ['after the system prompt', [system, ...said], [system, memory, ...said]],
  ['after the summary', [system, summary, ...said], [system, summary, memory, ...said]],
  [
    'after a summary that is a system message',
    [system, { ...summary, role: 'system' }, ...said],
    [system, { ...summary, role: 'system' }, memory, ...said],
  ],
  ['at the beginning without a system prompt', said, [memory, ...said]],
  ['after a system prompt without further messages', [system], [system, memory]],
  ['alone', [], [memory]],
])('placeMessage with after_system places the memory %s', (_where, messages, placed) => {
  expect(placeMessage(messages, memory, 'after_system')).toEqual(placed)
})

test('placeMessage with last_message places the memory at the end', () => {
  expect(placeMessage([system, summary, ...said], memory, 'last_message')).toEqual([
    system,
    summary,
    ...said,
    memory,
  ])
})
