import { expect, test } from 'vitest'
import { projectNote } from './project-note.ts'
import { TOOLSETS } from './tools/tool.ts'
import { toolsOf } from './tools/toolsets.ts'

test.each(TOOLSETS)('two lines for a project say when to use the memory, by tools of %s', (toolset) => {
  const [find = '', save = '', ...others] = projectNote([toolset], 'removes')
  expect(others).toEqual([])
  expect(find).toMatch(/before you start work/i)
  expect(save).toContain('worth knowing later')
  for (const line of [find, save]) {
    const [, named = ''] = line.match(/: (\w+)/) ?? []
    expect(toolsOf([toolset]).map(({ name }) => name)).toContain(named)
  }
})

test('of several toolsets the first is named, and of all of them the tree', () => {
  expect(projectNote(['keys', 'records'], 'writes')).toEqual(projectNote(['records'], 'removes'))
  expect(projectNote(['all'], 'removes')).toEqual(projectNote(['tree'], 'removes'))
})

test('nothing is to be saved in a memory that is read-only', () => {
  expect(projectNote(['tree'], 'reads')).toEqual(projectNote(['tree'], 'removes').slice(0, 1))
})
