import type { AuditEvent } from '../../../core/audit/events.ts'
import { readEvent } from '../../../core/audit/reads.ts'
import { isMemoryError, MemoryError } from '../../../core/errors.ts'
import { type Envelope, invalidArguments, readCommandInput, runCommand } from '../../../core/files/command.ts'
import { FileError } from '../../../core/files/errors.ts'
import type { MemoryNodeConfig } from '../../../core/files/model.ts'
import {
  COMMAND_ACCESS,
  COMMANDS,
  defaultDescription,
  type FileCommand,
  type MemoryToolConfig,
} from '../../../core/files/tool-config.ts'
import { DEFAULT_ROOM } from '../../../core/find/budget.ts'
import { utf8Length } from '../../../core/tokens.ts'
import type { LogFields } from '../../../util/log.ts'
import { printableJson } from '../../../util/text/printable.ts'
import { ACCESS, type Access, type Allowance, isPermitted, SCOPE_OF_ACCESS } from '../../model/access.ts'
import { messageOf } from '../../model/errors.ts'
import { unquoteNumber } from '../../model/schema-unquote.ts'
import type { FailureAnswer, Tool } from '../../model/tool.ts'
import { annotationsOf } from '../define-tool.ts'
import { FLAG, INTEGER, OBJECT, TEXT } from '../output.ts'

/** Where a call says which thread it is made for. */
export const THREAD_META = 'remindb/threadId'

const OUTPUT = {
  type: 'object',
  properties: { command: TEXT, path: TEXT, ok: FLAG, result: OBJECT, error: OBJECT },
  required: ['command', 'path', 'ok'],
}

/** The tool on files: five commands on a path. Failures are part of its answer. */
export function memoryTool(config: MemoryToolConfig, node: MemoryNodeConfig): Tool {
  const { name, title, commands } = config
  const accesses = accessesOf(config)
  return {
    name,
    title,
    description: descriptionOf(config),
    hint: accesses.map((access) => SAYINGS[access].hint).join(', '),
    isMain: true,
    toolset: 'files',
    access: accesses[0] ?? 'reads',
    scope: SCOPE_OF_ACCESS[accesses[0] ?? 'reads'],
    scopeOf: (given) => SCOPE_OF_ACCESS[accessOf(commandOf(given))],
    // The tool itself refuses an unknown command.
    accessOf: (given) => accessOf(commandOf(given)),
    within: (allowance) => memoryTool(narrowed(config, allowance), node),
    annotations: annotationsOf(accesses.at(-1) ?? 'reads', isIdempotent(config)),
    input: { json: inputOf(config), parse: unquoted },
    output: OUTPUT,
    audited: (given, { structured }) => (structured.ok === true ? readsOf(given, node) : []),
    logged,

    async call({ memory, meta }, args) {
      const input = readCommandInput(args)
      if (!input) return answer(invalidArguments(args))
      const threadId = typeof meta[THREAD_META] === 'string' ? meta[THREAD_META] : undefined
      const service = () => memory.files.memoryNode(node).getMemoryService({ threadId })
      return answer(await runCommand({ service, allowed: commands, maxLength: DEFAULT_ROOM }, input))
    },
    fail: async (error, given) => answer(await failed(error, given, commands)),
  }
}

/** A memory that cannot be opened counts as unreachable: the earlier checks come first here too. */
async function failed(
  error: unknown,
  given: unknown,
  allowed: MemoryToolConfig['commands'],
): Promise<Envelope> {
  const input = readCommandInput(given)
  if (!input) return invalidArguments(given)
  const service = (): never => {
    if (!isMemoryError(error)) throw new MemoryError('UNAVAILABLE', messageOf(error))
    throw error.code === 'FORBIDDEN' ? new FileError('EINVAL', error.message, { cause: error }) : error
  }
  return runCommand({ service, allowed }, input)
}

/** An invalid call is an error to the client too; a missing file is an ordinary answer. */
function answer(envelope: Envelope): FailureAnswer {
  const isError = !envelope.ok && envelope.error.code === 'EINVAL'
  return { text: printableJson(JSON.stringify(envelope)), structured: envelope, isError }
}

/** Descriptions of commands, by their effect. */
const SAYINGS: Record<Access, { intent: string; hint: string }> = {
  reads: { intent: 'Before you work, recall what is known', hint: 'recall, read a note' },
  writes: {
    intent: 'Save or change what is worth knowing later',
    hint: 'remember a fact for later, save a note',
  },
  removes: { intent: 'Delete a note', hint: 'delete a note' },
}

/** The description of the settings is theirs; ours says when to use which command. */
function descriptionOf(config: MemoryToolConfig): string {
  if (!isOurs(config)) return config.description
  const uses = accessesOf(config).map((access) => {
    const commands = config.commands.filter((command) => COMMAND_ACCESS[command] === access)
    return `${SAYINGS[access].intent} (${commands.join(', ')}).`
  })
  return ['Your long-term memory, as files by path.', ...uses].join(' ')
}

/** The effects of its commands, the smallest first. */
function accessesOf({ commands }: MemoryToolConfig): Access[] {
  return ACCESS.filter((access) => commands.some((command) => COMMAND_ACCESS[command] === access))
}

function isOurs({ description, commands }: MemoryToolConfig): boolean {
  return description === defaultDescription(commands)
}

/** Reading warms, and appending a text twice stores it twice. */
function isIdempotent({ commands }: MemoryToolConfig): boolean {
  return !commands.includes('read') && !commands.includes('append')
}

/** A client sees the existing commands; an unknown one is refused in the answer. */
function inputOf({ commands }: MemoryToolConfig): Record<string, unknown> {
  const has = (...some: string[]) => commands.some((command) => some.includes(command))
  return {
    type: 'object',
    properties: {
      path: { ...TEXT, description: 'Such as /notes/today; / is the top' },
      command: { ...TEXT, enum: commands },
      ...(has('append', 'update') && {
        content: { ...TEXT, description: 'append: the text to add on a new line; update: the new text' },
      }),
      ...(has('update') && {
        oldContent: { ...TEXT, description: 'update: the text to replace, everywhere it occurs' },
      }),
      ...(has('read', 'list') && {
        offset: { ...INTEGER, description: 'read, list: continue at next_offset of the last answer' },
        limit: {
          ...INTEGER,
          description: 'read: max characters; list: max entries. Default: as many as fit',
        },
        as_of: { ...TEXT, description: 'read, list: the past: snapshot, checkpoint, date or "2h ago"' },
      }),
    },
    required: ['path', 'command'],
  }
}

/** Some clients send numbers as texts. */
function unquoted(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given
  const numbers = Object.entries(given).filter(([name]) => name === 'offset' || name === 'limit')
  return { ...given, ...Object.fromEntries(numbers.map(([name, value]) => [name, unquoteNumber(value)])) }
}

/** The tool as offered to clients that are limited to `allowed`. */
function narrowed(config: MemoryToolConfig, allowance: Allowance): MemoryToolConfig {
  const commands = config.commands.filter((command) => {
    const access = COMMAND_ACCESS[command]
    return isPermitted({ access, scope: SCOPE_OF_ACCESS[access] }, allowance)
  })
  return { ...config, commands, ...(isOurs(config) && { description: defaultDescription(commands) }) }
}

function commandOf(given: unknown): FileCommand | undefined {
  const { command } = Object(given) as Record<string, unknown>
  return COMMANDS.find((one) => one === command)
}

const accessOf = (command: FileCommand | undefined): Access => (command ? COMMAND_ACCESS[command] : 'reads')

/** Commands that write record themselves. A folder that is listed need not be there. */
function readsOf(given: unknown, { id }: MemoryNodeConfig): AuditEvent[] {
  const command = commandOf(given)
  if (command === 'list') return [readEvent('memory_listed')]
  if (command !== 'read') return []
  const path = String(Object(given).path)
  return [readEvent('memory_recalled', { file: `${id}${path.startsWith('/') ? '' : '/'}${path}` })]
}

function logged(given: unknown): LogFields {
  const { path, content, oldContent, offset, limit } = Object(given) as Record<string, unknown>
  return {
    command: commandOf(given) ?? 'unknown',
    path_bytes: bytesOf(path),
    content_bytes: bytesOf(content),
    old_content_bytes: bytesOf(oldContent),
    offset: numberOf(offset),
    limit: numberOf(limit),
  }
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}

function bytesOf(value: unknown): number | undefined {
  return typeof value === 'string' ? utf8Length(value) : undefined
}
