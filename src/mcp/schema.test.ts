import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv'
import { describe, expect, test } from 'vitest'
import { choice, flag, integer, list, nullable, number, object, optional, text } from './schema.ts'

const schema = object({
  name: text('The name.'),
  budget: optional(integer('Tokens', { min: 0, max: 100 })),
  since: optional(integer('Any')),
  heat: nullable(number('Heat', { min: 0, max: 1 })),
  weight: optional(number('Weight')),
  deep: optional(flag('Deep')),
  mode: optional(choice(['strict', 'cascade'], 'Mode')),
  ids: optional(list(text('Id'), { max: 2, description: 'Ids' })),
  note: optional(text('Note', { mayBeEmpty: true, max: 3 })),
})

const GOOD: unknown[] = [
  { name: 'a' },
  {
    name: 'a',
    budget: 0,
    since: -3,
    heat: 0.5,
    weight: -1.5,
    deep: false,
    mode: 'cascade',
    ids: ['x', 'y'],
    note: '',
  },
  { name: 'a', heat: null },
  { name: '__proto__' },
  { name: 'a', note: '👍👍👍' },
]

const BAD: [unknown, string][] = [
  [{}, 'name is required: The name'],
  [undefined, 'name is required: The name'],
  [{ name: null }, 'name must be a text, got null'],
  [{ name: 3 }, 'name must be a text, got 3'],
  [{ name: '' }, 'name must not be empty'],
  [{ name: ['a'] }, 'name must be a text, got a list'],
  [{ name: { a: 1 } }, 'name must be a text, got an object'],
  [
    { name: 'a', budget: '5' },
    'budget must be a whole number from 0 up to 100, got "5"; give it without quotes',
  ],
  [{ name: 'a', budget: 'x' }, 'budget must be a whole number from 0 up to 100, got "x"'],
  [{ name: 'a', budget: 1.5 }, 'budget must be a whole number from 0 up to 100, got 1.5'],
  [{ name: 'a', budget: -1 }, 'budget must be a whole number from 0 up to 100, got -1'],
  [{ name: 'a', budget: 101 }, 'budget must be a whole number from 0 up to 100, got 101'],
  [{ name: 'a', since: true }, 'since must be a whole number, got true'],
  [{ name: 'a', heat: 1.01 }, 'heat must be in [0, 1], got 1.01'],
  [{ name: 'a', weight: 'heavy' }, 'weight must be a number, got "heavy"'],
  [{ name: 'a', deep: 'true' }, 'deep must be true or false, got "true"'],
  [{ name: 'a', mode: 'reparent' }, 'mode must be one of strict, cascade, got "reparent"'],
  [{ name: 'a', ids: 'x' }, 'ids must be a list, got "x"'],
  [{ name: 'a', ids: [] }, 'ids must be non-empty'],
  [{ name: 'a', ids: ['x', 'y', 'z'] }, 'ids length 3 exceeds cap 2; ask in several calls'],
  [{ name: 'a', ids: ['x', 7] }, 'ids[1] must be a text, got 7'],
  [
    { name: 'a', nme: 'b' },
    'there is no argument "nme"; there are name, budget, since, heat, weight, deep, mode, ids, note',
  ],
  [JSON.parse('{"name":"a","__proto__":{}}'), 'there is no argument "__proto__"; there are name'],
  [{ name: 'a', constructor: 1 }, 'there is no argument "constructor"; there are name'],
  [{ name: 'a', note: 'four' }, 'note must have at most 3 characters, got a long text'],
  [['a'], 'give the arguments as an object'],
  ['a', 'give the arguments as an object'],
]

describe('a schema', () => {
  test.each(GOOD)('takes %j as it is, without nulls', (value) => {
    const given = Object.entries(value as object).filter(([, member]) => member !== null)
    expect(schema.parse(value)).toEqual(Object.fromEntries(given))
  })

  test.each(BAD)('refuses %j', (value, message) => {
    expect(() => schema.parse(value)).toThrow(
      expect.objectContaining({
        code: 'INVALID_INPUT',
        message: expect.stringMatching(/^validating "arguments": /),
      }),
    )
    expect(() => schema.parse(value)).toThrow(`validating "arguments": ${message}`)
  })

  test('is shown to clients as it checks', () => {
    const isShown = new AjvJsonSchemaValidator().getValidator(schema.json)
    for (const value of GOOD) expect(isShown(value), JSON.stringify(value)).toMatchObject({ valid: true })
    for (const [value] of BAD.filter(([given]) => given !== undefined))
      expect(isShown(value), JSON.stringify(value)).toMatchObject({ valid: false })
  })

  test('takes null for whatever is optional', () => {
    expect(schema.parse({ name: 'a', budget: null, mode: null, ids: null })).toEqual({ name: 'a' })
  })

  test('does not repeat a long text that stands in the wrong place', () => {
    const secret = 'the whole story '.repeat(10)
    expect(() => schema.parse({ name: 'a', budget: secret })).toThrow(/got a long text$/)
    expect(() => schema.parse({ name: 'a', [secret]: 1 })).toThrow(/no argument a long text;/)
  })

  test('without members takes nothing', () => {
    const none = object({})
    expect([none.parse(undefined), none.parse(null), none.parse({})]).toEqual([{}, {}, {}])
    expect(() => none.parse({ a: 1 })).toThrow('there is no argument "a"; this tool takes none')
    expect(none.json).toEqual({ type: 'object', properties: {}, additionalProperties: false })
  })
})
