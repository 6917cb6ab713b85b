import { expect, test } from 'vitest'
import type { Access } from './model/access.ts'
import { offeredTools } from './model/permissions.ts'
import { TOOLSETS, type ToolConfig } from './model/tool.ts'
import { projectNote } from './project-note.ts'
import { toolsOf } from './toolsets.ts'

/** The lines where these toolsets are served. */
function noteOf(toolsets: readonly string[], allowed: Access = 'removes', config: ToolConfig = {}): string[] {
  return projectNote(offeredTools(toolsOf(toolsets, config), { access: allowed }))
}

test.each(TOOLSETS)('two lines for a project say when to use the memory, by tools of %s', (toolset) => {
  const [find = '', save = '', ...others] = noteOf([toolset])
  expect(others).toEqual([])
  expect(find).toMatch(/before you start work/i)
  expect(save).toContain('worth knowing later')
  for (const line of [find, save]) {
    const [, named = ''] = line.match(/: (\w+)/) ?? []
    expect(toolsOf([toolset]).map(({ name }) => name)).toContain(named)
  }
})

test('of several toolsets the first is named, and of all of them the tree', () => {
  expect(noteOf(['keys', 'records'], 'writes')).toEqual(noteOf(['records']))
  expect(noteOf(['all'])).toEqual(noteOf(['tree']))
})

test.each(TOOLSETS)('nothing is to be saved in a memory of %s that is read-only', (toolset) => {
  expect(noteOf([toolset], 'reads')).toEqual(noteOf([toolset]).slice(0, 1))
})

test('tools on files are named as the settings name them, with the commands that they have', () => {
  const note = (...tools: object[]): string[] =>
    noteOf(['files'], 'removes', { 'files.tools': tools }).map((line) => line.replace(/^.*: /, ''))
  expect(note({ name: 'notebook' })).toEqual(['notebook (read, list).', 'notebook (append, update).'])
  expect(note({ name: 'team', commands: ['read'] }, { name: 'log', commands: ['append'] })).toEqual([
    'team (read).',
    'log (append).',
  ])
  expect(note({ name: 'team', commands: ['list'] })).toEqual(['team (list).'])
  expect(noteOf(['files'], 'removes', { 'files.tools': [{ name: 'log', commands: ['append'] }] })).toEqual([
    'Save in your long-term memory (the MCP server remindb) what is worth knowing later, one fact at a time: log (append).',
  ])
  const many = ['a', 'b', 'c', 'd'].map((name) => ({ name, commands: ['read'] }))
  expect(note(...many)).toEqual(['a (read), b (read), c (read).'])
})
