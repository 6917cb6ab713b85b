import { describe, expect, test } from 'vitest'
import type { FileCommand } from '../core/files/tool-config.ts'
import type { Access } from './model/access.ts'
import { offeredTools } from './model/permissions.ts'
import type { Tool } from './model/tool.ts'
import { toolsOf } from './toolsets.ts'

const tools = toolsOf(['all'])
const each = tools.map((tool) => [tool.name, tool] as const)

function offered({ name }: Tool, allowed: Access): Tool | undefined {
  return offeredTools(tools, { access: allowed }).find((one) => one.name === name)
}

/** Whether a server that allows no more than this has to leave something of the tool out. */
function isRestricted(tool: Tool, allowed: Access): boolean {
  return JSON.stringify(offered(tool, allowed)?.input.json) !== JSON.stringify(tool.input.json)
}

const named = (is: (tool: Tool) => boolean) => tools.filter(is).map(({ name }) => name)

describe('what a tool says of itself', () => {
  test.each(each)('%s is destructive if it can remove something, and only then', (_, tool) => {
    expect(tool.annotations.destructiveHint).toBe(isRestricted(tool, 'writes'))
  })

  test.each(each)('%s is read-only if a server that only reads offers all of it', (_, tool) => {
    expect(tool.annotations.readOnlyHint).toBe(!isRestricted(tool, 'reads'))
  })

  test.each(each)('%s reaches nothing outside the memory', (_, { annotations }) => {
    expect(annotations.openWorldHint).toBe(false)
  })

  test('what removes is destructive; what another call undoes is not', () => {
    expect(named(({ annotations }) => annotations.destructiveHint)).toEqual([
      'MemoryForget',
      'MemoryRollback',
      'MemoryRestore',
      'delete_memory',
      'forget',
      'forget_all',
      'redact_memory',
      'memory',
    ])
    expect(
      named(({ annotations }) => !annotations.destructiveHint && !annotations.readOnlyHint).join(' '),
    ).toBe(
      'MemoryWrite MemorySummarize MemoryCompile MemoryRelate MemoryPin MemoryUnpin store_memory update_memory remember remember_if_absent remember_blob restore_memory',
    )
  })

  test('a call can be repeated without a further effect, but where it adds, restores or counts', () => {
    const writing = tools.filter(({ annotations }) => !annotations.readOnlyHint)
    expect(writing.filter(({ annotations }) => !annotations.idempotentHint).map(({ name }) => name)).toEqual([
      'MemoryRollback',
      'store_memory',
      'forget_all',
      'restore_memory',
      'memory',
    ])
  })

  test('nothing is destructive where nothing can be removed', () => {
    for (const { name, annotations } of offeredTools(tools, { access: 'writes' }))
      expect(annotations.destructiveHint, name).toBe(false)
  })

  test('a memory tool is what its commands are', () => {
    const hints = (commands: readonly FileCommand[]) =>
      toolsOf(['files'], { 'files.tools': [{ commands }] })[0]?.annotations
    expect(hints(['read', 'list'])).toMatchObject({ readOnlyHint: true, destructiveHint: false })
    expect(hints(['append', 'update'])).toMatchObject({ readOnlyHint: false, destructiveHint: false })
    expect(hints(['read', 'delete'])).toMatchObject({ readOnlyHint: false, destructiveHint: true })
  })
})
