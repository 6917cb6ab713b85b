import { describe, expect, test } from 'vitest'
import { estimateTokens } from '../../core/tokens.ts'
import type { Tool, ToolConfig } from './tool.ts'
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
      'root? depth? budget? limit? after?',
      'query budget? limit? offset?',
      'anchor budget? depth? after?',
      'node_ids budget?',
      'since_snapshot? limit? after?',
      'from_snapshot_id to_snapshot_id limit? after?',
      'anchor depth? after?',
      'anchor direction? depth? budget? weight_min? limit? offset?',
      '',
      'payload anchor? parent? expected_version?',
      'node_id summary temperature? expected_version?',
      'path message?',
      'source_id target_id? target_label? target_source? weight?',
      'node_id mode?',
      'snapshot_id drop_after?',
      'node_id temperature?',
      'node_id',
    ])
  })

  test('cost an agent little before it has used one', () => {
    const listed = tools.map(({ name, title, description, input, annotations }) => ({
      name,
      title,
      description,
      inputSchema: input.json,
      annotations,
    }))
    expect(estimateTokens(JSON.stringify({ tools: listed }))).toBeLessThan(4300)
  })

  test('say what they do to the memory', () => {
    const said = (hint: 'readOnlyHint' | 'destructiveHint' | 'idempotentHint') =>
      tools.filter(({ annotations }) => annotations[hint]).map(({ name }) => name.slice('Memory'.length))
    expect(said('readOnlyHint').join(' ')).toBe(
      'Tree Search Fetch FetchBatch Delta Diff History Related Stats',
    )
    expect(said('destructiveHint').join(' ')).toBe('Write Summarize Compile Forget Rollback')
    expect(said('idempotentHint').join(' ')).toBe(
      'Delta Diff History Stats Write Summarize Compile Relate Forget Pin Unpin',
    )
    expect(tools.filter(({ annotations }) => annotations.openWorldHint)).toEqual([])
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
      files: (config: ToolConfig) => (config['files.tools'] as string[]).map((name) => ({ ...tool, name })),
    }
    const [tool] = tools as [Tool]
    expect(toolsOf(['all'], { 'files.tools': ['notes', 'plans'] }, toolsets).map(({ name }) => name)).toEqual(
      ['notes', 'plans'],
    )
    expect(() => toolsOf(['all'], { 'files.tools': ['notes', 'notes'] }, toolsets)).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT', message: expect.stringContaining('called "notes"') }),
    )
  })
})
