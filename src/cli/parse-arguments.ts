import { parseArgs } from 'node:util'
import { SETTINGS } from '../runtime/settings/settings.ts'
import { closest } from '../util/text/closest.ts'
import {
  type Command,
  type Flag,
  type Flags,
  type Input,
  isAboutSpaces,
  type MemoryFlags,
  type Parameter,
  UsageError,
} from './base/command.ts'

/** Flags of the program itself: they may come before or after the command. */
export const GLOBAL_FLAGS: Flags = {
  db: {
    kind: 'text',
    value: 'PATH',
    help: 'The database file, or the folder that has it in its .remindb. Default: REMINDB_DB, else the nearest',
  },
  spaces: {
    kind: 'text',
    value: 'DIR',
    help: 'The folder of the spaces. Default: REMINDB_SPACES',
  },
  space: {
    kind: 'text',
    value: 'NAME',
    help: 'The memory is this space of that folder. Default: REMINDB_SPACE, else its only space',
  },
  help: { kind: 'switch', short: 'h', help: 'Explain the command' },
  version: { kind: 'switch', help: 'Print the version' },
}

export interface CommandLine {
  /** The first word that is not a flag. */
  name: string | undefined
  /** Everything else, in order. */
  rest: string[]
}

/** Finds the command. Only flags of the program may come before it. */
export function splitCommandLine(argv: readonly string[]): CommandLine {
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] as string
    if (!word.startsWith('-') || word === '-') return { name: word, rest: argv.toSpliced(at, 1) }
    if (!isGlobal(word)) throw new UsageError(unknownBefore(word))
    if (takesNext(word)) at++
  }
  return { name: undefined, rest: [...argv] }
}

function isGlobal(word: string): boolean {
  return word === '-h' || Object.hasOwn(GLOBAL_FLAGS, word.replace(/^--|=.*$/gs, ''))
}

/** A flag whose value is the next word. */
function takesNext(word: string): boolean {
  const flag = GLOBAL_FLAGS[word.slice('--'.length)]
  return flag !== undefined && flag.kind !== 'switch'
}

function unknownBefore(word: string): string {
  const name = word.replace(/=.*$/s, '')
  const known = suggestion(name.replace(/^-+/, ''), Object.keys(GLOBAL_FLAGS))
  return `unknown flag ${name} before the command${known || '; flags of a command come after it'}`
}

export interface ParsedLine {
  wants: 'help' | 'version' | 'run'
  named: MemoryFlags
  /** Absent unless the command is to be run. */
  input: Input
}

/** Reads the flags and arguments of a command, or of the program when there is no command. Throws `UsageError`. */
export function parseLine(rest: readonly string[], command: Command | undefined): ParsedLine {
  const flags: Flags = { ...GLOBAL_FLAGS, ...command?.flags }
  const { tokens, positionals } = parseArgs({
    args: rest.map(shield),
    options: Object.fromEntries(Object.entries(flags).map(([name, flag]) => [name, toOption(flag)])),
    allowPositionals: true,
    strict: false,
    tokens: true,
  })
  const options = tokens.filter((token) => token.kind === 'option')
  // Alone: an `h` in a text that was taken for flags does not ask for help.
  const isGiven = (name: string): boolean =>
    options.some((option) => option.name === name && option.rawName === rest[option.index])
  const empty: Input = { flags: {}, parameters: {} }
  const none: MemoryFlags = { db: undefined, spaces: undefined, space: undefined }
  if (isGiven('help')) return { wants: 'help', named: none, input: empty }
  if (isGiven('version')) return { wants: 'version', named: none, input: empty }
  const values = readFlags(options, flags, command ? dashHint(command) : '')
  const { db, spaces, space } = values as Partial<MemoryFlags>
  const named: MemoryFlags = { db, spaces, space }
  if (command && isAboutSpaces(command)) refuseOthers(named, command)
  const input = command
    ? { flags: values, parameters: readParameters(positionals.map(unshield), command) }
    : empty
  return { wants: 'run', named, input: input as Input }
}

/** It names no memory, so nothing may seem to. */
function refuseOthers(named: MemoryFlags, { flags }: Command): void {
  for (const [name, value] of Object.entries(named))
    if (value !== undefined && !(name in flags)) throw new UsageError(`this command takes no --${name}`)
}

/** A dash and a blank begin a list, not a flag. */
const LIST = /^-+\s/
/** Stands before such a text while flags are looked for. */
const SHIELD = '\0'

function shield(word: string): string {
  return LIST.test(word) ? SHIELD + word : word
}

function unshield(word: string): string {
  return word.startsWith(SHIELD) ? word.slice(SHIELD.length) : word
}

function toOption(flag: Flag): { type: 'boolean' | 'string'; short?: string } {
  const type = flag.kind === 'switch' ? 'boolean' : 'string'
  return flag.short === undefined ? { type } : { type, short: flag.short }
}

interface OptionToken {
  name: string
  rawName: string
  value: string | undefined
  inlineValue: boolean | undefined
}
type Value = string | string[] | number | boolean | undefined

function readFlags(options: OptionToken[], flags: Flags, hint: string): Record<string, Value> {
  const values: Record<string, Value> = {}
  for (const [name, flag] of Object.entries(flags)) values[name] = valueWithout(flag)
  const seen = new Set<string>()
  for (const { name, rawName, value, inlineValue } of options) {
    const flag = Object.hasOwn(flags, name) ? flags[name] : undefined
    if (!flag) throw new UsageError(`unknown flag ${rawName}${suggestion(name, Object.keys(flags)) || hint}`)
    if (seen.has(name) && !takesMany(flag)) throw new UsageError(`${rawName} is given twice`)
    seen.add(name)
    if (flag.kind !== 'switch') {
      const given = readValue(flag, rawName, value, inlineValue === true)
      values[name] = takesMany(flag) ? [...(values[name] as string[]), String(given)] : given
    } else if (value === undefined) values[name] = true
    else throw new UsageError(`${rawName} takes no value`)
  }
  return values
}

/** A command that takes free text may be given words that look like flags. */
function dashHint({ parameters }: Command): string {
  const takesText = 'query' in parameters || 'text' in parameters
  return takesText ? '; a text that begins with a dash comes after --' : ''
}

function takesMany(flag: Flag): boolean {
  return flag.kind === 'text' && flag.many === true
}

function valueWithout(flag: Flag): Value {
  if (flag.kind === 'switch') return false
  return takesMany(flag) ? [] : undefined
}

function readValue(
  flag: Exclude<Flag, { kind: 'switch' }>,
  rawName: string,
  value: string | undefined,
  isInline: boolean,
): Value {
  if (value === undefined || value === '')
    throw new UsageError(`${rawName} needs a value: ${rawName} ${flag.value}`)
  if (!isInline && value.length > 1 && value.startsWith('-') && !isNumber(flag, value))
    throw new UsageError(
      `${rawName} needs a value; one that begins with a dash is written ${rawName}=${value}`,
    )
  if (flag.kind === 'number') return wholeNumber(rawName, value, flag)
  if (flag.kind === 'fraction') return fraction(rawName, value)
  if (flag.kind === 'setting') checkSetting(flag.setting, rawName, value)
  return unshield(value)
}

/** One below zero is out of range: that is the message, not how to write it. */
function isNumber({ kind }: Flag, value: string): boolean {
  return (kind === 'number' || kind === 'fraction') && /^-[\d.]+$/.test(value)
}

interface Range {
  min: number
  max?: number
}

function wholeNumber(name: string, text: string, { min, max = Infinity }: Range): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (Number.isSafeInteger(value) && value >= min && value <= max) return value
  const range = max === Infinity ? `from ${min}` : `from ${min} to ${max}`
  throw new UsageError(`${name} must be a whole number ${range}, got ${JSON.stringify(text)}`)
}

function fraction(name: string, text: string): number {
  const value = /^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN
  if (value >= 0 && value <= 1) return value
  throw new UsageError(`${name} must be a number from 0 to 1, got ${JSON.stringify(text)}`)
}

function checkSetting(name: string, rawName: string, value: string): void {
  const parsed = SETTINGS.find((setting) => setting.name === name)?.parse(value)
  if (parsed && 'refused' in parsed)
    throw new UsageError(`${rawName} must be ${parsed.refused}, got ${JSON.stringify(value)}`)
}

function readParameters(given: string[], { parameters }: Command): Record<string, Value> {
  const names = Object.entries(parameters)
  const takesMany = names.at(-1)?.[1].many === true
  if (given.length > names.length && !takesMany) {
    const room = names.length === 0 ? 'no arguments' : names.map(([name]) => `<${name}>`).join(' ')
    throw new UsageError(
      `unexpected argument ${JSON.stringify(given[names.length])}; this command takes ${room}`,
    )
  }
  return Object.fromEntries(
    names.map(([name, parameter], at) => [name, readParameter(name, parameter, given.slice(at))]),
  )
}

/** Reads one parameter from the front of `given`. */
function readParameter(name: string, parameter: Parameter, given: string[]): Value {
  const [text] = given
  if (text === undefined && parameter.optional) return undefined
  if (text === undefined || (text === '' && !parameter.mayBeEmpty)) throw new UsageError(`missing <${name}>`)
  if (parameter.many) return given
  return parameter.kind === 'number' ? wholeNumber(`<${name}>`, text, { min: parameter.min ?? 0 }) : text
}

function suggestion(name: string, known: string[]): string {
  const meant = closest(name, known)
  return meant === undefined ? '' : `; did you mean --${meant}?`
}
