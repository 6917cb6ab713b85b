import { expect, test } from 'vitest'
import { toolsOf } from '../src/mcp/tools/toolsets.ts'
import { compareNames, headingsUnder, parsePage, readPages, tableUnder } from './support/docs.ts'
import { listExamples, replayExamples } from './support/docs-tools.ts'

const text = readPages().get('docs/tools.md') ?? ''
const page = parsePage(text)
const GENERAL = ['Calling', 'Answers', 'When it fails']
/** The other doors have pages of their own. */
const tools = toolsOf(['tree'])
const names = tools.map(({ name }) => name)

test('every tool has a heading and a line in the table', () => {
  const headings = headingsUnder(page, 2).filter((heading) => !GENERAL.includes(heading))
  expect(compareNames('tool', headings, names)).toEqual([])
  expect(tableUnder(page, 'Tools').map(([name]) => name)).toEqual(names)
})

test.each(tools.map((tool) => [tool.name, tool] as const))(
  'arguments of %s are in its table',
  (name, { input }) => {
    const { properties, required = [] } = input.json as { properties: object; required?: string[] }
    const rows = tableUnder(page, name)
    expect(rows.map(([argument]) => argument)).toEqual(Object.keys(properties))
    const isRequired = rows.filter(([, , value]) => value === 'required').map(([argument]) => argument)
    expect(isRequired).toEqual(required)
  },
)

test('every tool has an example, and its answer is what one gets', async () => {
  const examples = listExamples(text)
  expect(
    compareNames(
      'example of',
      examples.map(({ tool }) => tool),
      names,
    ),
  ).toEqual([])
  expect(await replayExamples(text)).toEqual(examples.map(({ tool, answer }) => ({ tool, answer })))
})
