import { needs } from '../errors.ts'
import { DEFAULT_MEMORY } from './model.ts'

/** In the order in which they are documented. */
export const COMMANDS = ['read', 'list', 'append', 'update', 'delete'] as const
export type FileCommand = (typeof COMMANDS)[number]

/** The effect of each command: reading changes only heat. */
export const COMMAND_ACCESS = {
  read: 'reads',
  list: 'reads',
  append: 'writes',
  update: 'writes',
  delete: 'removes',
} as const satisfies Record<FileCommand, string>

/** A tool on a memory node. */
export interface MemoryToolConfig {
  name: string
  description: string
  title: string
  /** Allowed commands; every other is rejected. */
  commands: readonly FileCommand[]
}

const NAME = /^[a-z0-9_]{1,64}$/
const MAX_TEXT = 8192

/** A tool in the settings: missing values get their defaults. */
export type FileToolSetting = Partial<MemoryToolConfig> & {
  /** The id of its memory node. */
  memory?: string
}

export const DEFAULT_TOOL = { name: 'memory', memory: DEFAULT_MEMORY.id } as const satisfies FileToolSetting

/** Missing values get their defaults. Throws INVALID_INPUT for invalid ones. */
export function readToolConfig(given: unknown): MemoryToolConfig {
  const isObject = typeof given === 'object' && given !== null && !Array.isArray(given)
  needs(isObject, invalid('it must be an object'))
  const {
    name = 'memory',
    title = 'Memory',
    commands,
    description,
    ...others
  } = given as Record<string, unknown>
  const [unknown] = Object.keys(others)
  needs(
    unknown === undefined,
    invalid(`unknown field "${unknown}"; valid fields: name, description, title, commands`),
  )
  needs(typeof name === 'string' && NAME.test(name), invalid(`name must be 1 to 64 of a-z, 0-9 and _`))
  const allowed = commands === undefined ? COMMANDS : readCommands(commands)
  const said = description ?? defaultDescription(allowed)
  needs(isText(said), invalid(`description must be a string of 1 to ${MAX_TEXT} characters`))
  needs(isText(title), invalid(`title must be a string of 1 to ${MAX_TEXT} characters`))
  return { name, description: said, title, commands: allowed }
}

export function defaultDescription(commands: readonly FileCommand[]): string {
  return `Unified Memory tool: ${commands.join(', ')}`
}

function readCommands(given: unknown): FileCommand[] {
  const isList = Array.isArray(given) && given.length > 0
  const wrong = isList ? given.find((one) => !COMMANDS.some((known) => known === one)) : given
  needs(isList && wrong === undefined, invalid(`commands must be a list of some of ${COMMANDS.join(', ')}`))
  return COMMANDS.filter((command) => given.includes(command))
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= MAX_TEXT
}

function invalid(reason: string): string {
  return `Invalid Memory tool config: ${reason}`
}
