import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv'
import { describe, expect, test } from 'vitest'
import { choice, flag, formerly, group, integer, list, number, object, optional, text } from './schema.ts'

const schema = object({
  name: text('The name.'),
  budget: optional(integer('Tokens', { min: 0, max: 100 })),
  since: optional(integer('Any')),
  heat: optional(number('Heat', { min: 0, max: 1 })),
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
  { name: '__proto__' },
  { name: 'a', note: '👍👍👍' },
]

const BAD: [unknown, string][] = [
  [{}, 'name is required: The name'],
  [undefined, 'name is required: The name'],
  [{ name: null }, 'name is required: The name'],
  [{ name: 3 }, 'name must be a text, got 3'],
  [{ name: '' }, 'name must not be empty'],
  [{ name: ['a'] }, 'name must be a text, got a list'],
  [{ name: { a: 1 } }, 'name must be a text, got an object'],
  [{ name: 'a', budget: '500' }, 'budget must be a whole number from 0 up to 100, got "500"'],
  [{ name: 'a', budget: '1.5' }, 'budget must be a whole number from 0 up to 100, got "1.5"'],
  [{ name: 'a', budget: '' }, 'budget must be a whole number from 0 up to 100, got ""'],
  [{ name: 'a', budget: 'x' }, 'budget must be a whole number from 0 up to 100, got "x"'],
  [{ name: 'a', budget: 1.5 }, 'budget must be a whole number from 0 up to 100, got 1.5'],
  [{ name: 'a', budget: -1 }, 'budget must be a whole number from 0 up to 100, got -1'],
  [{ name: 'a', budget: 101 }, 'budget must be a whole number from 0 up to 100, got 101'],
  [{ name: 'a', since: true }, 'since must be a whole number, got true'],
  [{ name: 'a', heat: 1.01 }, 'heat must be in [0, 1], got 1.01'],
  [{ name: 'a', weight: 'heavy' }, 'weight must be a number, got "heavy"'],
  [{ name: 'a', deep: 'yes' }, 'deep must be true or false, got "yes"'],
  [{ name: 'a', deep: 1 }, 'deep must be true or false, got 1'],
  [{ name: 'a', mode: 'reparent' }, 'mode must be one of strict, cascade, got "reparent"'],
  [{ name: 'a', ids: 'x' }, 'ids must be a list, got "x"'],
  [{ name: 'a', ids: '{"a":1}' }, 'ids must be a list, got "{'],
  [{ name: 'a', ids: '["x"' }, 'ids must be a list, got "['],
  [{ name: 'a', ids: [] }, 'ids must be non-empty'],
  [{ name: 'a', ids: ['x', 'y', 'z'] }, 'ids length 3 exceeds cap 2; ask in several calls'],
  [{ name: 'a', ids: ['x', 7] }, 'ids[1] must be a text, got 7'],
  [
    { name: 'a', nme: 'b' },
    'unknown argument "nme"; the arguments are name, note, since, deep, mode, ids, heat, budget, weight',
  ],
  [JSON.parse('{"name":"a","__proto__":{}}'), 'unknown argument "__proto__"; the arguments are '],
  [{ name: 'a', constructor: 1 }, 'unknown argument "constructor"; the arguments are '],
  [{ name: 'a', note: 'four' }, 'note must have at most 3 characters, got a long text'],
  [['a'], 'give the arguments as an object'],
  ['a', 'give the arguments as an object'],
]

describe('a schema', () => {
  test.each(GOOD)('accepts %j unchanged, without nulls', (value) => {
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

  test('allows every accepted value, in the form that is shown', () => {
    const isShown = new AjvJsonSchemaValidator().getValidator(schema.json)
    for (const value of GOOD) expect(isShown(value), JSON.stringify(value)).toMatchObject({ valid: true })
  })

  test('leaves limits and unknown names to the server, whose errors a model can use', () => {
    expect(schema.json).toEqual({
      type: 'object',
      properties: {
        name: { type: 'string', description: 'The name.' },
        budget: { type: 'integer', description: 'Tokens' },
        since: { type: 'integer', description: 'Any' },
        heat: { type: 'number', description: 'Heat' },
        weight: { type: 'number', description: 'Weight' },
        deep: { type: 'boolean', description: 'Deep' },
        mode: { enum: ['strict', 'cascade'], description: 'Mode' },
        ids: { type: 'array', items: { type: 'string' }, description: 'Ids' },
        note: { type: 'string', description: 'Note' },
      },
      required: ['name'],
    })
  })

  test('accepts null for every optional member', () => {
    expect(schema.parse({ name: 'a', budget: null, mode: null, ids: null })).toEqual({ name: 'a' })
  })

  test.each([
    [{ budget: '7' }, { budget: 7 }],
    [{ since: ' -3 ' }, { since: -3 }],
    [{ heat: '0.25' }, { heat: 0.25 }],
    [{ deep: 'true' }, { deep: true }],
    [{ deep: 'False' }, { deep: false }],
    [{ ids: '["x", "y"]' }, { ids: ['x', 'y'] }],
  ])('takes %j without its quotes', (quoted, meant) => {
    expect(schema.parse({ name: 'a', ...quoted })).toEqual({ name: 'a', ...meant })
  })

  test('leaves texts that look like another type unchanged', () => {
    for (const name of ['7', 'true', '["x"]', '{}', 'null']) expect(schema.parse({ name })).toEqual({ name })
  })

  test('does not repeat a long text in the wrong place', () => {
    const secret = 'the whole story '.repeat(10)
    expect(() => schema.parse({ name: 'a', budget: secret })).toThrow(/got a long text$/)
    expect(() => schema.parse({ name: 'a', [secret]: 1 })).toThrow(/unknown argument a long text;/)
  })

  test('without members takes nothing', () => {
    const none = object({})
    expect([none.parse(undefined), none.parse(null), none.parse({})]).toEqual([{}, {}, {}])
    expect(() => none.parse({ a: 1 })).toThrow('unknown argument "a"; this tool takes none')
    expect(none.json).toEqual({ type: 'object', properties: {} })
  })
})

describe('an argument that had another name', () => {
  const renamed = object({
    id: formerly(text('Id of a node'), 'anchor', 'node_id'),
    depth: optional(formerly(integer('Levels'), 'levels')),
  })

  test('is taken under each of its names, and shown under the new one', () => {
    for (const name of ['id', 'anchor', 'node_id'])
      expect(renamed.parse({ [name]: 'x' })).toEqual({ id: 'x' })
    expect(renamed.parse({ id: 'x', levels: '2' })).toEqual({ id: 'x', depth: 2 })
    expect(Object.keys(renamed.json.properties as object)).toEqual(['id', 'depth'])
    expect(renamed.json.required).toEqual(['id'])
  })

  test('may be given twice when both say the same', () => {
    expect(renamed.parse({ id: 'x', anchor: 'x', node_id: null })).toEqual({ id: 'x' })
    expect(() => renamed.parse({ id: 'x', anchor: 'y' })).toThrow(
      'validating "arguments": id and anchor are the same argument; give only id',
    )
    expect(() => renamed.parse({ node_id: 'y', anchor: 'x' })).toThrow('give only id')
  })

  test('is named in errors as sent, or as it should be', () => {
    expect(() => renamed.parse({ anchor: 3 })).toThrow('anchor must be a text, got 3')
    expect(() => renamed.parse({ anchor: null })).toThrow('id is required: Id of a node')
    expect(() => renamed.parse({ id: 'x', level: 1 })).toThrow(
      'unknown argument "level"; the arguments are depth, id',
    )
  })
})

describe('arguments inside an argument', () => {
  const outer = object({
    task: optional(group({ status: optional(text('Status')), count: integer('Count') }, 'Task')),
  })

  test('may come as JSON in a text', () => {
    expect(outer.parse({ task: '{"status":"done","count":"2"}' })).toEqual({
      task: { status: 'done', count: 2 },
    })
  })

  test.each([
    [{ task: 'done' }, 'task must be an object, got "done"'],
    [{ task: [1] }, 'task must be an object, got a list'],
    [{ task: { count: 1, state: 'done' } }, 'unknown argument "task.state"; the arguments are status, count'],
    [{ task: { count: null } }, 'task.count is required: Count'],
  ])('are refused as %j', (given, message) => {
    expect(() => outer.parse(given)).toThrow(`validating "arguments": ${message}`)
  })
})
