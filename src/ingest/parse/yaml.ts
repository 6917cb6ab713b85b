import {
  boolCoreTag,
  constructFromEvents,
  defineMappingTag,
  defineScalarTag,
  defineSequenceTag,
  FAILSAFE_SCHEMA,
  mergeTag,
  nullCoreTag,
  parseEvents,
  realMapTag,
  seqTag,
  YAMLException,
} from 'js-yaml'
import { ParseError } from '../../core/parse-error.ts'
import { checkYamlExpansion } from './yaml-expansion.ts'

export interface YamlOptions {
  /** The file's line on which `source` begins, so that an error names the right one. */
  firstLine?: number
  maxLength?: number
}

export const MAX_YAML_DEPTH = 100
const DEFAULT_MAX_LENGTH = 16 * 1024 * 1024

/** A tag nobody knows here (`!secret`, `!!timestamp`) says nothing we need: the value stays what is written. */
const anyTag = ['!', 'tag:'].flatMap((prefix) => [
  defineScalarTag(prefix, { matchByTagPrefix: true, resolve: (source) => source, identify: () => false }),
  defineSequenceTag<unknown[]>(prefix, { ...seqTag, matchByTagPrefix: true }),
  defineMappingTag<Map<unknown, unknown>>(prefix, { ...realMapTag, matchByTagPrefix: true }),
])

/** No number types: `1.10` and a 20-digit id must come out as they were written. */
const schema = FAILSAFE_SCHEMA.withTags(nullCoreTag, boolCoreTag, mergeTag, realMapTag, anyTag)

/**
 * The first document of a YAML text: strings (numbers keep their spelling), booleans, null, arrays and Maps.
 * Null when there is no document. Throws ParseError, also for aliases that would expand beyond reason.
 */
export function loadYaml(source: string, options: YamlOptions = {}): unknown {
  const { firstLine = 1, maxLength = DEFAULT_MAX_LENGTH } = options
  if (source.length > maxLength) {
    throw new ParseError(`YAML of ${source.length} characters; at most ${maxLength} are read`, firstLine)
  }
  try {
    const events = parseEvents(source, { maxDepth: MAX_YAML_DEPTH })
    checkYamlExpansion(source, events, MAX_YAML_DEPTH)
    return constructFromEvents(events, { source, schema })[0] ?? null
  } catch (error) {
    throw asParseError(error, firstLine)
  }
}

function asParseError(error: unknown, firstLine: number): ParseError {
  if (error instanceof ParseError) {
    return new ParseError(error.reason, (error.line ?? 1) + firstLine - 1, { cause: error })
  }
  if (error instanceof YAMLException) {
    const line = error.mark ? error.mark.line + firstLine : firstLine
    return new ParseError(`invalid YAML: ${withoutContent(error.reason)}`, line, { cause: error })
  }
  return new ParseError('invalid YAML', firstLine, { cause: error })
}

/** Some reasons quote the file, and a reason is stored and shown where the file's text must not be. */
function withoutContent(reason: string): string {
  return reason.replace(/ "[^"]*"/g, '').replace(/:.*$/s, '')
}
