import { describe, expect, test } from 'vitest'
import { listedTool } from './listed-tool.ts'
import { TOOLSETS, type Tool } from './model/tool.ts'
import { toolsOf } from './toolsets.ts'

const each = toolsOf(['all']).map((tool) => [tool.name, tool] as const)

/** What a result of 2026-07-28 has beside the tools: what kind it is, for how long it is good, and who the server is. */
const AROUND = 45

/** Of the compact JSON, as clients pass it on: a token is four characters. */
function tokensListed(toolset: string): number {
  const tools = toolsOf([toolset]).map((tool) => listedTool(tool, false))
  return JSON.stringify({ tools }).length / 4 + AROUND
}

describe('the list of tools', () => {
  test('costs an agent at most 2,800 tokens by default', () => {
    expect(tokensListed('tree')).toBeLessThanOrEqual(2800)
  })

  test('names what is loaded at once: the main tools of each toolset', () => {
    const main = (toolset: string) =>
      toolsOf([toolset])
        .filter((tool) => listedTool(tool, false)._meta['anthropic/alwaysLoad'] === true)
        .map(({ name }) => name)
    expect(Object.fromEntries(TOOLSETS.map((toolset) => [toolset, main(toolset)]))).toEqual({
      tree: ['MemoryTree', 'MemorySearch', 'MemoryFetch', 'MemoryWrite'],
      records: ['store_memory', 'query_memories'],
      keys: ['remember', 'recall', 'search_memories'],
      files: ['memory'],
    })
  })

  test.each(each)('%s has words to be found by', (_, tool) => {
    expect(listedTool(tool, false)._meta['anthropic/searchHint']).toMatch(/^[a-z][a-z ,]+$/)
  })
})

describe('a description', () => {
  const PLAIN =
    /^(Remember|Save|Recall|Find|Search|Read|See|List|Show|Check|Count|Compare|Change|Shorten|Link|Keep|Let|Delete|Erase|Undo)\b/

  test.each(each)('%s begins with a plain word for what it does', (name, { description }) => {
    expect(description).toMatch(name === 'memory' ? /^Your long-term memory/ : PLAIN)
  })

  test.each(each)('%s has its first sentence within 150 characters', (_, { description }) => {
    expect(description.search(/[.:]( |$)/)).toBeLessThan(150)
  })

  test('of the main tools says when to use the memory, for agents that are not given the instructions', () => {
    const said = (name: string) => toolsOf(['all']).find((tool) => tool.name === name)?.description
    for (const name of ['MemorySearch', 'query_memories', 'search_memories', 'memory'])
      expect(said(name)?.slice(0, 150), name).toMatch(/before you (start )?work/i)
    for (const name of ['MemoryWrite', 'store_memory', 'remember', 'memory'])
      expect(said(name)?.slice(0, 150), name).toMatch(/worth knowing later/)
    for (const name of ['MemorySearch', 'MemoryTree', 'query_memories', 'search_memories', 'memory'])
      expect(said(name), name).toMatch(/your long-term memory/i)
  })
})

/** The greatest number that an argument may be, as the refusal of a greater one has it. */
function mostOf(tool: Tool, argument: string): string | undefined {
  const { required = [] } = tool.input.json as { required?: string[] }
  const others = Object.fromEntries(required.map((name) => [name, 'x']))
  try {
    tool.input.parse({ ...others, [argument]: Number.MAX_SAFE_INTEGER })
    return undefined
  } catch (error) {
    return String(error).match(new RegExp(`${argument} must be .* up to (\\d+)`))?.[1]
  }
}

test('the greatest number an argument may be stands in its description', () => {
  const limited = toolsOf(['all']).flatMap((tool) => {
    const { properties } = tool.input.json as { properties: Record<string, { description?: string }> }
    return Object.entries(properties).flatMap(([name, { description }]) => {
      const most = mostOf(tool, name)
      return most === undefined ? [] : [{ argument: `${tool.name} ${name}`, most, description }]
    })
  })
  expect(limited.map(({ argument }) => argument)).toContain('MemorySearch limit')
  for (const { argument, most, description } of limited) expect(description, argument).toContain(most)
})
