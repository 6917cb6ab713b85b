import { expect, test } from 'vitest'
import { promptsOf } from '../src/mcp/prompts/prompts.ts'
import { KEY_TOOLS } from '../src/mcp/tools/keys/tools.ts'
import { parsePage, readPages, tableUnder } from './support/docs.ts'
import { listExamples, replayExamples } from './support/docs-tools.ts'

const text = readPages().get('docs/reference/keys.md') ?? ''

test('the table has every tool with its arguments', () => {
  const rows = tableUnder(parsePage(text), 'Keys').map(([tool, args]) => [tool, args])
  const known = KEY_TOOLS.map(({ name, input }) => {
    const { properties, required = [] } = input.json as { properties: object; required?: string[] }
    const args = Object.keys(properties).map((one) => (required.includes(one) ? one : `${one}?`))
    return [name, args.join(', ')]
  })
  expect(rows).toEqual(known)
})

test('every prompt is named', () => {
  for (const { name } of promptsOf(KEY_TOOLS)) expect(text).toContain(`\`${name}\``)
})

test('the examples give what they say', async () => {
  const examples = listExamples(text)
  expect(examples.length).toBeGreaterThan(7)
  expect(await replayExamples(text)).toEqual(examples.map(({ tool, answer }) => ({ tool, answer })))
})
