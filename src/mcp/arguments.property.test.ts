import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isMemoryError } from '../core/errors.ts'
import { toolsOf } from './toolsets.ts'

const validator = new AjvJsonSchemaValidator()

const member = fc.oneof(
  fc.string({ maxLength: 80 }),
  fc.constantFrom('', 'both', 'cascade', '12'),
  fc.integer({ min: -5, max: 2000 }),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -2, max: 2 }),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.oneof(fc.string({ maxLength: 12 }), fc.integer()), { maxLength: 4 }),
  fc.constant({}),
)

// `memory` takes everything, and says in its own answer what is wrong with it.
const tools = toolsOf(['all']).filter(({ name }) => name !== 'memory')

test.each(tools.map((tool) => [tool.name, tool] as const))(
  '%s takes nothing that its schema rules out, but for quotes and nulls',
  (_, { input }) => {
    const { properties, required = [] } = input.json as Shown
    const isAllowed = validator.getValidator(input.json)
    const names = fc.constantFrom(...Object.keys(properties), 'other')
    fc.assert(
      fc.property(
        fc.dictionary(names, member),
        fc.dictionary(fc.constantFrom('', ...required), member),
        (some, more) => {
          const { '': _none, ...musts } = more
          const args = { ...some, ...musts }
          if (!isParsed(input.parse, args)) return
          expect(Object.keys(args)).not.toContain('other')
          expect(isAllowed(meant(args, properties))).toMatchObject({ valid: true })
        },
      ),
      { numRuns: 300 },
    )
  },
)

type Shown = {
  properties: Record<string, { type?: string }>
  required?: string[]
}

/** Arguments as the schema wants them: null counts as not given, numbers may have quotes, and a cursor or a moment may have none. */
function meant(args: Record<string, unknown>, properties: Shown['properties']): Record<string, unknown> {
  const given = Object.entries(args).filter(([, value]) => value !== null)
  return Object.fromEntries(
    given.map(([name, value]) => {
      if (['after', 'as_of', 'snapshot'].includes(name) && Number.isSafeInteger(value))
        return [name, String(value)]
      const isNumber = ['integer', 'number'].includes(properties[name]?.type ?? '')
      return [name, isNumber && typeof value === 'string' ? Number(value) : value]
    }),
  )
}

function isParsed(parse: (value: unknown) => unknown, args: unknown): boolean {
  try {
    parse(args)
    return true
  } catch (error) {
    expect(isMemoryError(error) && error.message).toMatch(/^validating "arguments": [a-z]/)
    return false
  }
}
