import { describe, expect, test } from 'vitest'
import type { Tool, ToolConfig } from './model/tool.ts'
import { toolsOf } from './toolsets.ts'

/** Those of the tree; the other doors test theirs. */
const tools = toolsOf(['tree'])

describe('the tools', () => {
  test('have the names that agents know, in a fixed order', () => {
    expect(tools.map(({ name }) => name)).toEqual([
      'MemoryTree',
      'MemorySearch',
      'MemoryFetch',
      'MemoryFetchBatch',
      'MemoryDelta',
      'MemoryDiff',
      'MemoryHistory',
      'MemoryRelated',
      'MemoryStats',
      'MemoryWrite',
      'MemorySummarize',
      'MemoryCompile',
      'MemoryRelate',
      'MemoryForget',
      'MemoryRollback',
      'MemoryRestore',
      'MemoryPin',
      'MemoryUnpin',
    ])
  })

  test('have the arguments that agents know', () => {
    const signatures = tools.map(({ input }) => {
      const { properties, required = [] } = input.json as {
        properties: Record<string, unknown>
        required?: string[]
      }
      return Object.keys(properties)
        .map((name) => (required.includes(name) ? name : `${name}?`))
        .join(' ')
    })
    expect(signatures).toEqual([
      'id? depth? budget? limit? after? as_of?',
      'query budget? limit? offset? as_of?',
      'id budget? depth? after? as_of?',
      'ids budget? as_of?',
      'since_snapshot? limit? after?',
      'from_snapshot_id to_snapshot_id limit? after?',
      'id depth? full? after?',
      'id direction? depth? budget? weight_min? limit? offset?',
      '',
      'payload id? parent? expected_version?',
      'id summary temperature? expected_version?',
      'path message?',
      'source_id target_id? target_label? target_source? weight?',
      'id mode?',
      'snapshot_id drop_after?',
      'id? snapshot? revert? checkpoint? force?',
      'id temperature?',
      'id',
    ])
  })

  test('are plain data where a client sees them', () => {
    for (const { input, output } of tools)
      for (const json of [input.json, output]) expect(JSON.parse(JSON.stringify(json))).toEqual(json)
  })
})

describe('toolsOf', () => {
  test('gives each tool once, whatever is said twice', () => {
    expect(toolsOf(['tree', 'tree'])).toEqual(tools)
    const named = (names: string[]) => toolsOf(names).map(({ name }) => name)
    expect(named(['files', 'all', 'tree'])).toEqual(named(['all']))
  })

  test.each([
    [['trees'], 'there is no toolset "trees"; there are tree, '],
    [['tree', ''], 'there is no toolset ""; there are tree, '],
    [[], 'no toolset is given; there are tree, '],
  ])('refuses %j', (names, beginning) => {
    const message = expect.stringContaining(beginning)
    expect(() => toolsOf(names)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT', message }))
  })

  test('offers the toolsets that have tools, and no others', () => {
    const [one, two] = tools as [Tool, Tool]
    const toolsets = { files: [two], tree: [one] }
    expect(toolsOf(['files', 'tree'], {}, toolsets)).toEqual([one, two])
    expect(() => toolsOf(['keys'], {}, toolsets)).toThrow('"keys"; there are tree, files, all')
  })

  test('makes tools from settings where a toolset does', () => {
    const toolsets = {
      files: (config: ToolConfig) =>
        (config['files.tools'] ?? []).map(({ name = '' }) => ({ ...tool, name })),
    }
    const [tool] = tools as [Tool]
    expect(
      toolsOf(['all'], { 'files.tools': [{ name: 'notes' }, { name: 'plans' }] }, toolsets).map(
        ({ name }) => name,
      ),
    ).toEqual(['notes', 'plans'])
    expect(() =>
      toolsOf(['all'], { 'files.tools': [{ name: 'notes' }, { name: 'notes' }] }, toolsets),
    ).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT', message: expect.stringContaining('called "notes"') }),
    )
  })
})
