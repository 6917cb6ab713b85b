import { MemoryError, needs } from '../errors.ts'

/** Checks for callers without types. */

type Kind = 'text' | 'texts' | 'number' | 'flag' | 'weights'

const IS: Record<Kind, (value: unknown) => boolean> = {
  text: (value) => typeof value === 'string',
  texts: (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
  number: (value) => Number.isFinite(value),
  flag: (value) => typeof value === 'boolean',
  weights: (value) =>
    isObject(value) && Object.values(value).every((one) => one === undefined || Number.isFinite(one)),
}

const WORDS: Record<Kind, string> = {
  text: 'a string',
  texts: 'a list of strings',
  number: 'a number',
  flag: 'true or false',
  weights: 'an object with numbers: semantic, keyword, recency',
}

/** The required and the optional members of a call. */
interface Shape {
  must?: Record<string, 'text'>
  may?: Record<string, Kind>
}

const VALUE: Shape = { must: { key: 'text', value: 'text' }, may: { tags: 'texts', ttlSeconds: 'number' } }

const SHAPES = {
  remember: { ...VALUE, may: { ...VALUE.may, version: 'text' } },
  rememberIfAbsent: VALUE,
  rememberBlob: { must: { key: 'text', data: 'text', contentType: 'text' }, may: { tags: 'texts' } },
  redact: { must: { key: 'text' }, may: { reason: 'text' } },
  restore: { must: { key: 'text', versionTimestamp: 'text' } },
  list: {
    may: { tag: 'text', limit: 'number', cursor: 'text', includeRedacted: 'flag', maxLength: 'number' },
  },
  search: {
    must: { query: 'text' },
    may: {
      topK: 'number',
      minScore: 'number',
      filterTags: 'texts',
      weights: 'weights',
      includeRedacted: 'flag',
      offset: 'number',
      maxLength: 'number',
    },
  },
  relate: { must: { key: 'text' }, may: { topK: 'number', offset: 'number', maxLength: 'number' } },
  history: { may: { limit: 'number', cursor: 'text', maxLength: 'number' } },
  listTags: { may: { cursor: 'text', maxLength: 'number' } },
  summarize: { may: { offset: 'number', maxLength: 'number' } },
  pack: { must: { topic: 'text' }, may: { budgetTokens: 'number', ordering: 'text' } },
} as const satisfies Record<string, Shape>

/** Throws INVALID_INPUT with a message that names what the call needs. An undefined member is not given. */
export function checkInput(call: keyof typeof SHAPES, given: unknown): void {
  const { must = {}, may = {} }: Shape = SHAPES[call]
  if (!isObject(given)) throw refused(`${call} needs an object with ${names(must, may)}`)
  for (const name in must) checkText(call, name, given[name])
  for (const name in given) {
    const kind = Object.hasOwn(must, name) ? must[name] : Object.hasOwn(may, name) ? may[name] : undefined
    if (kind === undefined) throw refused(`${call} has no member ${name}; valid members: ${names(must, may)}`)
    const value = given[name]
    if (value !== undefined && !IS[kind](value)) throw refused(`${call}: ${name} must be ${WORDS[kind]}`)
  }
}

/** Checks the argument of a call, or a required member. */
export function checkText(call: string, name: string, value: unknown): void {
  needs(typeof value === 'string', `${call} needs ${name}: a text`)
}

function refused(message: string): MemoryError {
  return new MemoryError('INVALID_INPUT', message)
}

function names(must: object, may: object): string {
  return [...Object.keys(must), ...Object.keys(may)].join(', ')
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
