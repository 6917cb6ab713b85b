import { isMemoryError } from '../../core/errors.ts'
import { DEFAULT_MEMORY, type MemoryNodeConfig, readMemoryConfig } from '../../core/files/model.ts'
import { DEFAULT_TOOL, type FileToolSetting, readToolConfig } from '../../core/files/tool-config.ts'
import { jsonOf, type ParseSetting, type Setting, size } from './setting-values.ts'

/** Which files agents have, and the tools on them. Part of `SETTINGS`. */
export const FILES_SETTINGS = [
  {
    name: 'files.memories',
    flag: null,
    env: 'REMINDB_FILES_MEMORIES',
    default: [DEFAULT_MEMORY],
    scope: 'operator',
    help: 'Memory nodes: groups of files, shared by all threads or separate for each',
    example: '[{"id": "memory", "scope": "global"}]',
    parse: memories(),
  },
  {
    name: 'files.tools',
    flag: null,
    env: 'REMINDB_FILES_TOOLS',
    default: [DEFAULT_TOOL],
    scope: 'operator',
    help: 'Tools of the toolset files: the name, memory node and permissions of each',
    example: '[{"name": "memory", "memory": "memory"}]',
    parse: tools(),
  },
  {
    name: 'files.max_file_bytes',
    flag: null,
    env: 'REMINDB_FILES_MAX_FILE_BYTES',
    default: 10_485_760,
    scope: 'operator',
    help: 'The maximum size of a file of the files door, in bytes of UTF-8',
    parse: size(),
  },
] as const satisfies readonly Setting[]

function memories(): ParseSetting<readonly MemoryNodeConfig[]> {
  return listOf('a list of {"id": …, "scope": …, "thread": …}, each id once', (items) => {
    const read = items.map((item, at) => readMemoryConfig(item, `[${at}]`))
    return hasTwice(read.map(({ id }) => id)) ? undefined : read
  })
}

function tools(): ParseSetting<readonly FileToolSetting[]> {
  return listOf(
    'a list of {"name": …, "title": …, "description": …, "memory": …, "commands": […]}, each name once',
    (items) => {
      const names = items.map((item) => {
        const { memory, ...tool } = Object(item) as FileToolSetting
        return memory === undefined || typeof memory === 'string' ? readToolConfig(tool).name : ''
      })
      return hasTwice(names) || names.includes('') ? undefined : (items as FileToolSetting[])
    },
  )
}

/** In the environment as JSON. */
function listOf<T>(
  expected: string,
  read: (items: unknown[]) => T[] | undefined,
): ParseSetting<readonly T[]> {
  return (raw) => {
    const list = typeof raw === 'string' ? jsonOf(raw) : raw
    if (!Array.isArray(list) || list.length === 0) return { refused: expected }
    try {
      const value = read(list)
      return value ? { value } : { refused: expected }
    } catch (error) {
      if (isMemoryError(error)) return { refused: `${expected} (${error.message})` }
      throw error
    }
  }
}

function hasTwice(names: readonly string[]): boolean {
  return new Set(names).size < names.length
}
