import {
  boolCoreTag,
  constructFromEvents,
  defineMappingTag,
  defineScalarTag,
  defineSequenceTag,
  FAILSAFE_SCHEMA,
  mergeTag,
  NOT_RESOLVED,
  nullCoreTag,
  parseEvents,
  realMapTag,
  seqTag,
  YAMLException,
} from 'js-yaml'
import { ParseError } from '../../../core/parse-error.ts'
import { isNumberText, NumberLiteral } from './number-literal.ts'
import { checkYamlExpansion } from './yaml-expansion.ts'

export interface YamlOptions {
  /** The file's line on which `source` begins, so that an error names the right one. */
  firstLine?: number
  maxLength?: number
}

export const MAX_YAML_DEPTH = 100
const DEFAULT_MAX_LENGTH = 16 * 1024 * 1024

/** Numbers as keys are texts: two equal ones are the same key. */
const keyOf = (key: unknown): unknown => (key instanceof NumberLiteral ? key.text : key)
const map = {
  ...realMapTag,
  addPair: (carrier: Map<unknown, unknown>, key: unknown, value: unknown): string => {
    carrier.set(keyOf(key), value)
    return ''
  },
  has: (carrier: Map<unknown, unknown>, key: unknown): boolean => carrier.has(keyOf(key)),
}
const mapTag = defineMappingTag<Map<unknown, unknown>>(realMapTag.tagName, map)

/** `1.10` and a 20-digit id must be kept as written. A value that is not a number in JSON is a text. */
const numberTag = defineScalarTag<NumberLiteral | string>('tag:yaml.org,2002:int', {
  implicit: true,
  implicitFirstChars: [...'-0123456789'],
  resolve: (source, isExplicit) => {
    if (isNumberText(source)) return new NumberLiteral(source)
    return isExplicit ? source : NOT_RESOLVED
  },
  identify: () => false,
})

/** An unknown tag (`!secret`, `!!timestamp`) is ignored: the value stays as written. */
const anyTag = ['!', 'tag:'].flatMap((prefix) => [
  defineScalarTag(prefix, { matchByTagPrefix: true, resolve: (source) => source, identify: () => false }),
  defineSequenceTag<unknown[]>(prefix, { ...seqTag, matchByTagPrefix: true }),
  defineMappingTag<Map<unknown, unknown>>(prefix, { ...map, matchByTagPrefix: true }),
])

const schema = FAILSAFE_SCHEMA.withTags(nullCoreTag, boolCoreTag, numberTag, mergeTag, mapTag, anyTag)

/** The first document of a YAML text; null when there is none. Throws as `loadYamlDocuments` does. */
export function loadYaml(source: string, options: YamlOptions = {}): unknown {
  return loadYamlDocuments(source, options)[0] ?? null
}

/**
 * The documents of a YAML text: strings, NumberLiterals, booleans, null, arrays and Maps. Throws ParseError, also for
 * aliases that would expand beyond reason.
 */
export function loadYamlDocuments(source: string, options: YamlOptions = {}): unknown[] {
  const { firstLine = 1, maxLength = DEFAULT_MAX_LENGTH } = options
  if (source.length > maxLength) {
    throw new ParseError(`YAML of ${source.length} characters; at most ${maxLength} are read`, firstLine)
  }
  try {
    const events = parseEvents(source, { maxDepth: MAX_YAML_DEPTH })
    checkYamlExpansion(source, events, MAX_YAML_DEPTH)
    return constructFromEvents(events, { source, schema })
  } catch (error) {
    throw asParseError(error, firstLine)
  }
}

function asParseError(error: unknown, firstLine: number): ParseError {
  if (error instanceof ParseError) {
    return new ParseError(error.reason, (error.line ?? 1) + firstLine - 1)
  }
  if (error instanceof YAMLException) {
    const line = error.mark ? error.mark.line + firstLine : firstLine
    return new ParseError(`invalid YAML: ${withoutContent(error.reason)}`, line)
  }
  return new ParseError('invalid YAML', firstLine)
}

/** Some reasons end with the name of the tag, alias or handle they are about. */
function withoutContent(reason: string): string {
  return reason.replace(/\s*(?:["<!]|: ).*$/s, '')
}
