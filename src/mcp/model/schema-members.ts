import { byNearness } from '../../util/text/closest.ts'
import { echo, refusal } from './schema-refusals.ts'

export interface Value<T> {
  json: Record<string, unknown>
  /** Throws INVALID_INPUT with the expected form of `name`. */
  read(value: unknown, name: string): T
  isOptional?: boolean
  /** Names that it had before: accepted, and not shown. */
  formerNames?: readonly string[]
}

export interface Optional<T> extends Value<T> {
  isOptional: true
}

export type Members = Record<string, Value<unknown>>
type TypeOf<V> = V extends Value<infer T> ? T : never
type OptionalNames<M> = { [K in keyof M]: M[K] extends Optional<unknown> ? K : never }[keyof M]

/** The parsed arguments: optional members that were not given are missing. */
export type ArgumentsOf<M extends Members> = {
  [K in Exclude<keyof M, OptionalNames<M>>]: TypeOf<M[K]>
} & { [K in OptionalNames<M>]?: TypeOf<M[K]> }

/** As clients are shown it. Other names are not ruled out here: a client that checks would hide our error, which lists the right ones. */
export function membersJson(members: Members): Record<string, unknown> {
  const required = Object.keys(members).filter((name) => !members[name]?.isOptional)
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(members).map(([name, { json }]) => [name, json])),
    ...(required.length > 0 ? { required } : {}),
  }
}

/** `prefix` is put before each name in messages. */
export function readMembers<M extends Members>(
  members: M,
  given: Record<string, unknown>,
  prefix: string,
): ArgumentsOf<M> {
  checkNames(members, given, prefix)
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, member]) => {
      const sent = findSent(name, member, given)
      if (sent !== undefined) return [[name, member.read(given[sent], prefix + sent)]]
      if (member.isOptional) return []
      throw refusal(`${prefix}${name} is required: ${String(member.json.description).replace(/\.$/, '')}`)
    }),
  ) as ArgumentsOf<M>
}

function namesOf(name: string, { formerNames = [] }: Value<unknown>): string[] {
  return [name, ...formerNames]
}

function checkNames(members: Members, given: Record<string, unknown>, prefix: string): void {
  const all = Object.entries(members).map(([name, member]) => namesOf(name, member))
  const unknown = Object.keys(given).find((name) => !all.some((names) => names.includes(name)))
  if (unknown === undefined) return
  const valid = byNearness(unknown, all).map(([name]) => name)
  const words = valid.length === 0 ? 'this tool takes none' : `the arguments are ${valid.join(', ')}`
  throw refusal(`unknown argument ${echo(prefix + unknown)}; ${words}`)
}

/** Under which of its names an argument was sent. Null counts as not sent. */
function findSent(name: string, member: Value<unknown>, given: Record<string, unknown>): string | undefined {
  const [sent, ...others] = namesOf(name, member).filter(
    (one) => Object.hasOwn(given, one) && given[one] !== null && given[one] !== undefined,
  )
  const other = others.find((one) => JSON.stringify(given[one]) !== JSON.stringify(given[sent ?? '']))
  if (other !== undefined) throw refusal(`${sent} and ${other} are the same argument; give only ${name}`)
  return sent
}
