import type { Envelope } from '../../src/core/files/command.ts'
import type { FileService } from '../../src/core/files/door.ts'
import { createMemoryTool, type MemoryTool } from '../../src/core/files/memory-tool.ts'
import { type MemoryNodeConfig, readMemoryConfig } from '../../src/core/files/model.ts'
import { openWorkspace, type Workspace } from './engine.ts'

export interface FilesWorkspace extends Workspace {
  tool: MemoryTool
  files: FileService
  /** The answer of the tool as an object, after it was a text. */
  run(args: unknown, threadId?: string): Promise<Envelope>
  /** What a file says; the code where it says nothing. */
  read(path: string, threadId?: string): Promise<string>
  append(path: string, content: string, threadId?: string): Promise<Envelope>
}

/** An empty memory and the tool on one node of it. */
export async function openFiles(
  config: Partial<MemoryNodeConfig> = {},
  options: Parameters<typeof openWorkspace>[1] = {},
): Promise<FilesWorkspace> {
  const at = await openWorkspace({}, options)
  const node = () => at.memory.memoryNode(readMemoryConfig({ id: 'memory', ...config }, 'node'))
  const tool = createMemoryTool()
  tool.setMemorySource((choice) => node().getMemoryService(choice))
  const run = async (args: unknown, threadId?: string): Promise<Envelope> =>
    JSON.parse(await tool.call(args, { threadId }))
  return Object.assign(at, {
    tool,
    get files() {
      return node().getMemoryService({ threadId: 't1' })
    },
    run,
    append: (path: string, content: string, threadId?: string) =>
      run({ path, command: 'append', content }, threadId),
    async read(path: string, threadId?: string) {
      const answer = await run({ path, command: 'read' }, threadId)
      if (!answer.ok) return String(answer.error.code)
      return (answer.result as { content: string }).content
    },
  })
}
