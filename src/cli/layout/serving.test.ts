import { expect, test } from 'vitest'
import { createPalette } from '../../util/terminal/color.ts'
import type { Context } from '../base/command.ts'
import { listeningLines, stdioLines } from './serving.ts'

const palette = createPalette(false)
const note = ['Search it first: MemorySearch.', 'Save there: MemoryWrite.']
const context = { script: '/opt/remindb', palette } as Context

test('the pasted configuration starts the server with the given flags', () => {
  const settings = { 'server.tools': 'records,keys', 'rescan.interval': '5s', 'server.listen': undefined }
  const text = stdioLines(context, { db: '/a/memory.db', source: '/notes', settings, note }).join('\n')
  expect(text).toContain('"--source","/notes","--tools","records,keys","--rescan-interval","5s"]')
})

test('the pasted configuration has no flag that was not given', () => {
  const text = stdioLines(context, { db: '/a/memory.db', source: undefined, settings: {}, note }).join('\n')
  expect(text).toContain('"serve","--db","/a/memory.db"]')
})

test.each([
  [['tree'], 'Tools: tree. There are also records, keys, files: choose with --tools.'],
  [['tree', 'keys'], 'Tools: tree, keys. There are also records, files: choose with --tools.'],
  [['all'], 'Tools: all.'],
])('with %j the output names the other toolsets', (tools, line) => {
  const lines = listeningLines(
    'http://127.0.0.1:7474/mcp',
    { db: 'a.db', source: undefined, note, tools },
    palette,
  )
  expect(lines[1]).toBe(line)
})

test('both print the note for a project', () => {
  const added = [
    'Every agent, in AGENTS.md or CLAUDE.md of your project:',
    ...note.map((line) => `  ${line}`),
  ].join('\n')
  const choice = { db: 'a.db', source: undefined, settings: {}, note }
  expect(stdioLines(context, choice).join('\n')).toContain(added)
  expect(
    listeningLines('http://127.0.0.1:7474/mcp', { ...choice, tools: ['tree'] }, palette).join('\n'),
  ).toContain(added)
})
