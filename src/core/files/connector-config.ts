import { needs } from '../errors.ts'

export const PLACEMENTS = ['after_system', 'last_message'] as const
export type Placement = (typeof PLACEMENTS)[number]

export const CONTENTS = ['full', 'tree'] as const
export type ConnectorContent = (typeof CONTENTS)[number]

export interface ConnectorConfig {
  /** Where the memory goes in a prompt. Default: after_system. */
  placement: Placement
  /** Every text, or the entries of the root. Default: tree. */
  content: ConnectorContent
  /**
   * Maximum length of the message, in UTF-16 units: longer texts are replaced by a tree, and a longer tree is cut.
   * Default: 4000.
   */
  maxChars: number
}

const DEFAULTS: ConnectorConfig = { placement: 'after_system', content: 'tree', maxChars: 4000 }
const MAX_CHARS = 20_000

/** Missing values get their defaults. Throws INVALID_INPUT for invalid ones. */
export function readConnectorConfig(given: unknown = {}): ConnectorConfig {
  const isObject = typeof given === 'object' && given !== null && !Array.isArray(given)
  needs(isObject, invalid('it must be an object'))
  const { placement, content, maxChars, ...others } = { ...DEFAULTS, ...withoutGaps(given) }
  const [unknown] = Object.keys(others)
  needs(
    unknown === undefined,
    invalid(`unknown field "${unknown}"; valid fields: placement, content, maxChars`),
  )
  needs(PLACEMENTS.includes(placement), invalid(`placement must be ${PLACEMENTS.join(' or ')}`))
  needs(CONTENTS.includes(content), invalid(`content must be ${CONTENTS.join(' or ')}`))
  const isCount = Number.isInteger(maxChars) && maxChars >= 1 && maxChars <= MAX_CHARS
  needs(isCount, invalid(`maxChars must be a whole number from 1 to ${MAX_CHARS}`))
  return { placement, content, maxChars }
}

function withoutGaps(given: object): Partial<ConnectorConfig> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

function invalid(reason: string): string {
  return `Invalid Memory connector config: ${reason}`
}
