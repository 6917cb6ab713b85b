import { byNearness } from '../../util/text/closest.ts'
import { isMemoryError } from '../errors.ts'
import { beginningWithin } from '../fit-json.ts'
import { asOfJson } from '../past/as-of-text.ts'
import type { AsOf, MaybePast, MomentInput } from '../port/history.ts'
import type { Deleted } from './delete.ts'
import type { FileService } from './door.ts'
import { FileError } from './errors.ts'
import { type ContentPage, contentPage, type EntriesPage, entriesPage, quotedLength } from './page.ts'
import { normalizePath } from './path.ts'
import { COMMANDS, type FileCommand } from './tool-config.ts'

/** A call of the `memory` tool. */
export interface CommandInput {
  path: string
  /** Any word: an unknown command is reported in the answer. */
  command: string
  content?: string
  oldContent?: string
  /** The first character of a read, or the first entry of a list. */
  offset?: number
  /** Maximum number of characters or entries. */
  limit?: number
  /** read, list: the moment to read. */
  as_of?: MomentInput
}

/** `as_of`: the snapshot that was read, if it was asked for. */
export type CommandResult =
  | ((ContentPage | EntriesPage) & ReturnType<typeof asOfJson>)
  | { status: 'ok' }
  | { replaced: number }
  | Deleted

/** The shape of every answer; the keys and their order are locked. `code` is missing if the memory itself failed. */
export type Envelope = { command: string; path: string } & (
  | { ok: true; result: CommandResult }
  | { ok: false; error: { message: string; code?: string } }
)

export interface CommandParts {
  /** The files to work on: ENOTMEM if there are none. Called only after the path was checked. */
  service: () => FileService
  /** The allowed commands. Default: all. */
  allowed?: readonly FileCommand[]
  /** Maximum length of an answer to a call without `limit`, quoted as JSON. Default: whole files and folders. */
  maxLength?: number
}

/** Always answers: errors are part of the answer. Checks the path first. */
export async function runCommand(parts: CommandParts, input: CommandInput): Promise<Envelope> {
  const { command } = input
  let path = input.path.trim() === '' ? '/' : input.path
  try {
    path = command === 'list' && input.path.trim() === '' ? '/' : normalizePath(input.path)
    const service = parts.service()
    checkCommand(command, parts.allowed ?? COMMANDS)
    const room =
      (parts.maxLength ?? Number.POSITIVE_INFINITY) - quotedLength({ command, path, ok: true, result: {} })
    const result = await RUN[command](service, { ...input, path }, room)
    return { command, path, ok: true, result }
  } catch (error) {
    if (!isMemoryError(error)) throw error
    return failed({ command, path }, error)
  }
}

/** For invalid arguments: names them, and echoes what it can. */
export function invalidArguments(given: unknown): Envelope {
  const { command, path } = Object(given) as Record<string, unknown>
  return failed(
    {
      command: typeof command === 'string' ? command : 'unknown',
      path: typeof path === 'string' && path !== '' ? path : '/',
    },
    new FileError('EINVAL', problemOf(given)),
  )
}

const REQUIRED = ['path', 'command'] as const
const TEXTS = [...REQUIRED, 'content', 'oldContent'] as const
/** With their minimum values. */
const NUMBERS = { offset: 0, limit: 1 } as const
const ARGUMENTS: readonly string[] = [...TEXTS, ...Object.keys(NUMBERS), 'as_of']

/** The arguments of a call: path, command, contents, offset and limit, nothing else. Null counts as missing. */
export function readCommandInput(given: unknown): CommandInput | undefined {
  if (!isObject(given) || problemsOf(given).length > 0) return undefined
  return Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== null),
  ) as unknown as CommandInput
}

function isObject(given: unknown): given is Record<string, unknown> {
  return typeof given === 'object' && given !== null && !Array.isArray(given)
}

function problemOf(given: unknown): string {
  if (!isObject(given)) return `arguments must be an object with ${REQUIRED.join(' and ')}`
  return `${problemsOf(given).join('; ')}; the arguments are ${validNames(given).join(', ')}`
}

/** Nearest first, if one is misspelt. */
function validNames(given: Record<string, unknown>): readonly string[] {
  const [unknown] = unknownNames(given)
  const names = ARGUMENTS.map((name) => [name])
  return unknown === undefined ? ARGUMENTS : byNearness(unknown, names).flat()
}

function unknownNames(given: Record<string, unknown>): string[] {
  return Object.keys(given).filter((name) => !ARGUMENTS.some((known) => known === name))
}

function problemsOf(given: Record<string, unknown>): string[] {
  const isGiven = (name: string): boolean => (given[name] ?? null) !== null
  return [
    listed(
      'missing',
      REQUIRED.filter((name) => !isGiven(name)),
    ),
    listed('unknown', unknownNames(given)),
    ...TEXTS.filter((name) => isGiven(name) && typeof given[name] !== 'string').map(
      (name) => `${name} must be a string`,
    ),
    ...(isGiven('as_of') && !['string', 'number'].includes(typeof given.as_of)
      ? ['as_of must be a string or a number']
      : []),
    ...Object.entries(NUMBERS)
      .filter(([name, least]) => isGiven(name) && !isWholeNumber(given[name], least))
      .map(([name, least]) => `${name} must be a whole number from ${least}`),
  ].filter((problem) => problem !== '')
}

function isWholeNumber(value: unknown, least: number): boolean {
  return Number.isSafeInteger(value) && (value as number) >= least
}

function listed(kind: string, names: readonly string[]): string {
  if (names.length === 0) return ''
  return `${kind} ${names.length === 1 ? 'argument' : 'arguments'}: ${names.join(', ')}`
}

type Run = (service: FileService, input: CommandInput, room: number) => Promise<CommandResult>

const RUN: Record<FileCommand, Run> = {
  async read(service, input, room) {
    const at = await pastOf(service, input)
    return { ...contentPage(await service.read(input.path, at), input, room), ...asOfJson(at) }
  },
  async list(service, input, room) {
    const at = await pastOf(service, input)
    return { ...entriesPage(await service.list(input.path, at), input, room), ...asOfJson(at) }
  },
  async append(service, { path, content }) {
    if (content === undefined) throw new FileError('EINVAL', 'content is required for append')
    await service.append(path, content)
    return { status: 'ok' }
  },
  async update(service, { path, oldContent, content }) {
    if (oldContent === undefined || content === undefined)
      throw new FileError('EINVAL', 'oldContent and content are required for update')
    return { replaced: await service.update(path, oldContent, content) }
  },
  delete: (service, { path }) => service.delete(path),
}

async function pastOf(service: FileService, { as_of }: CommandInput): Promise<AsOf & MaybePast> {
  if (as_of === undefined) return {}
  const readAt = await service.snapshotAt(as_of)
  return { asOf: readAt.id, readAt }
}

function checkCommand(given: string, allowed: readonly FileCommand[]): asserts given is FileCommand {
  const command = COMMANDS.find((known) => known === given)
  if (command === undefined) throw new FileError('EINVAL', `unknown command: ${given}`)
  if (allowed.includes(command)) return
  throw new FileError('EINVAL', `command not allowed: ${command}; this tool allows ${allowed.join(', ')}`)
}

/** Maximum length of echoed values as JSON. A valid path is no longer than this. */
const MAX_ECHO = { path: 4096, command: 500, message: 2000 }

function echo(given: string, max: number): string {
  const shown = beginningWithin(given, max)
  return shown === given ? given : `${shown}…`
}

function failed({ command, path }: { command: string; path: string }, error: Error): Envelope {
  const code = error instanceof FileError ? { code: error.fileCode } : {}
  return {
    command: echo(command, MAX_ECHO.command),
    path: echo(path, MAX_ECHO.path),
    ok: false,
    error: { message: echo(error.message, MAX_ECHO.message), ...code },
  }
}
