import { expect, test } from 'vitest'
import { promptsOf } from '../src/mcp/prompts/prompts.ts'
import { KEY_TOOLS } from '../src/mcp/tools/keys/tools.ts'
import { readPages } from './support/docs.ts'
import { listExamples, replayExamples } from './support/docs-tools.ts'

const text = readPages().get('docs/reference/keys.md') ?? ''

test('every prompt is named', () => {
  for (const { name } of promptsOf(KEY_TOOLS, { access: 'removes' })) expect(text).toContain(`\`${name}\``)
})

test('the examples give what they say', async () => {
  const examples = listExamples(text)
  expect(examples.length).toBeGreaterThan(7)
  expect(await replayExamples(text)).toEqual(examples.map(({ tool, answer }) => ({ tool, answer })))
})
