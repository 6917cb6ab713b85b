import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isMemoryError } from '../../core/errors.ts'
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
  '%s takes what its schema allows, and nothing else',
  (_, { input }) => {
    const { properties, required = [] } = input.json as { properties: object; required?: string[] }
    const isAllowed = validator.getValidator(input.json)
    const names = fc.constantFrom(...Object.keys(properties), 'other')
    fc.assert(
      fc.property(
        fc.dictionary(names, member),
        fc.dictionary(fc.constantFrom('', ...required), member),
        (some, more) => {
          const { '': _none, ...musts } = more
          const args = { ...some, ...musts }
          // Null for an optional argument counts as not given, whatever the schema says.
          const given = Object.entries(args).filter(
            ([name, value]) => value !== null || required.includes(name) || name === 'other',
          )
          expect(isParsed(input.parse, args)).toBe(isAllowed(Object.fromEntries(given)).valid)
        },
      ),
      { numRuns: 300 },
    )
  },
)

function isParsed(parse: (value: unknown) => unknown, args: unknown): boolean {
  try {
    parse(args)
    return true
  } catch (error) {
    expect(isMemoryError(error) && error.message).toMatch(/^validating "arguments": [a-z]/)
    return false
  }
}
