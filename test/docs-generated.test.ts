import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { GENERATED_PAGES, regenerate } from '../scripts/reference/pages.ts'
import { withTable } from '../scripts/reference/table.ts'
import * as library from '../src/index.ts'
import { parsePage, ROOT, tableUnder } from './support/docs.ts'

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

test.each(Object.keys(GENERATED_PAGES))('the generated tables of %s are up to date', async (path) => {
  const text = read(path)
  expect(await regenerate(path, text), 'run npm run docs').toBe(text)
})

test('the table of exported names has every value that the library exports', () => {
  const rows = tableUnder(parsePage(read('docs/reference/library.md')), 'Exported names')
  const values = rows.filter(([, kind]) => kind !== 'type').map(([name]) => name)
  expect(values).toEqual(Object.keys(library).sort())
})

const table = { heading: 'One', columns: ['a', 'b'], rows: [['`x|y`', 'longer']] }
const WRITTEN = '| a      | b      |\n| ------ | ------ |\n| `x\\|y` | longer |\n'

test('a generated table takes the place of the one with its columns, and leaves the rest of the page', () => {
  const page = '# One\n\nText.\n\n| c |\n| - |\n| 1 |\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\nMore.\n'
  const expected = `# One\n\nText.\n\n| c |\n| - |\n| 1 |\n\n${WRITTEN}\nMore.\n`
  expect(withTable(page, table)).toBe(expected)
  expect(withTable(expected, table)).toBe(expected)
})

test('a generated table that is missing is added at the end of its section', () => {
  expect(withTable('# One\n\nText.\n\n## Two\n', table)).toBe(`# One\n\nText.\n\n${WRITTEN}\n## Two\n`)
  expect(withTable('# One\n\n```md\n# Two\n```\n', table)).toBe(
    `# One\n\n\`\`\`md\n# Two\n\`\`\`\n\n${WRITTEN}`,
  )
})

test('a generated table without rows is not written, and one without a heading is refused', () => {
  expect(withTable('# One\n', { ...table, rows: [] })).toBe('# One\n')
  expect(() => withTable('# Two\n', table)).toThrow('there is no heading "One"')
})
