import { expect, test } from 'vitest'
import { clientTexts } from '../src/cli/layout/clients.ts'
import { projectNote } from '../src/mcp/project-note.ts'
import { toolsOf } from '../src/mcp/toolsets.ts'
import { compareNames, headingsUnder, parsePage, readPages } from './support/docs.ts'
import { listExamples, replayExamples } from './support/docs-tools.ts'

const pages = readPages()
const text = pages.get('docs/reference/tools.md') ?? ''
/** The page of each toolset, with its headings that are no tools. */
const PAGES = {
  tree: { path: 'docs/reference/tools.md', general: ['Calling', 'Answers', 'When it fails'] },
  records: {
    path: 'docs/reference/records.md',
    general: ['A record', 'Calling', 'Archived records', 'Resources'],
  },
}
const toolsets = Object.entries(PAGES).map(([toolset, { path, ...others }]) => ({
  ...{ toolset, ...others, page: parsePage(pages.get(path) ?? ''), tools: toolsOf([toolset]) },
}))
const names = toolsOf(['tree']).map(({ name }) => name)

test.each(toolsets)('every tool of $toolset has a heading, and every heading is a tool', (one) => {
  const headings = headingsUnder(one.page, 2).filter((heading) => !one.general.includes(heading))
  const known = one.tools.map(({ name }) => name)
  expect(compareNames('tool', headings, known)).toEqual([])
})

test('every tool of the tree has an example, and its answer is what one gets', async () => {
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

const CONNECT = 'docs/how-to/connect-an-agent.md'

test.each(['README.md', CONNECT, 'docs/tutorials/agent-that-remembers.md'])(
  '%s has the lines for AGENTS.md that the server prints',
  (path) => {
    expect(pages.get(path)).toContain(projectNote(toolsOf(['tree'])).join('\n'))
  },
)

test('the page that connects agents has what the server prints for each of them', () => {
  const reach = { command: 'remindb', args: ['serve', '--source', '/home/me/notes'] }
  const plain = (shown: string) => shown.replaceAll(/\s/g, '')
  const page = pages.get(CONNECT) ?? ''
  for (const { where, text } of clientTexts(reach)) {
    expect(page).toContain(where)
    expect(plain(page)).toContain(plain(text))
  }
})
