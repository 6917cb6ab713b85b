import type { Client } from '@modelcontextprotocol/client'
import { beforeAll, expect, test } from 'vitest'
import { ensureProgramIsBuilt } from '../support/cli.ts'
import { connect, noteFolder } from '../support/mcp.ts'

beforeAll(ensureProgramIsBuilt)

const NOTES = { 'a.md': '# Deploys\n\nNever on a Friday. See [[Deploys]].\n' }
const MIB = 1024 * 1024
/** Whatever takes the square of it, even a nanosecond each, does not end while a client waits. */
const LONG = MIB / 2
const TIMEOUT_MS = 300_000

interface Schema {
  type?: string | string[]
  enum?: string[]
  properties?: Record<string, Schema>
  required?: string[]
}

/** Texts that have cost somebody dearly before: without an end, of marks only, nested, of many blocks. */
const TEXTS: Record<string, string> = {
  'a long word': 'a'.repeat(LONG),
  paragraphs: 'a\n\n'.repeat(LONG / 3),
  brackets: '[['.repeat(LONG / 2),
  links: '[[a; source=b]] '.repeat(LONG / 16),
  backticks: '`'.repeat(LONG),
  quotes: '> '.repeat(LONG / 2),
  parentheses: `${'('.repeat(LONG / 2)}${')'.repeat(LONG / 2)}`,
  'an escape': '\\"'.repeat(LONG / 2),
  'half characters': '\ud800'.repeat(LONG / 4),
}

const isOf = ({ type }: Schema, kind: string) => [type].flat().includes(kind)

function plain(schema: Schema): unknown {
  if (schema.enum) return schema.enum[0]
  if (isOf(schema, 'string')) return 'a'
  if (isOf(schema, 'array')) return ['a']
  if (isOf(schema, 'object')) return {}
  return isOf(schema, 'boolean') ? true : 1
}

/** Each argument in turn with a hostile value, beside plain ones. */
function* hostileArguments({ properties = {}, required = [] }: Schema) {
  const usual = Object.fromEntries(required.map((name) => [name, plain(properties[name] ?? {})]))
  for (const [name, schema] of Object.entries(properties)) {
    if (isOf(schema, 'string') || schema.enum)
      for (const [kind, value] of Object.entries(TEXTS))
        yield { name, kind, args: { ...usual, [name]: value } }
    if (isOf(schema, 'array')) {
      const values = [Array(100_000).fill('a'), Array(900).fill('a'.repeat(1000))]
      for (const value of values) yield { name, kind: 'a long list', args: { ...usual, [name]: value } }
    }
    if (isOf(schema, 'integer') || isOf(schema, 'number'))
      for (const value of [-1, 0, Number.MAX_SAFE_INTEGER, 1e308])
        yield { name, kind: `${value}`, args: { ...usual, [name]: value } }
  }
}

/** Whatever it answers: it does. */
async function survives(client: Client, what: string, ask: () => Promise<unknown>): Promise<void> {
  await ask().catch(() => undefined)
  await expect(client.ping(), what).resolves.toBeDefined()
}

test('no argument of any tool ends the server', { timeout: TIMEOUT_MS }, async () => {
  const { client, stderr } = await connect({
    args: ['--source', '.', '--tools', 'all'],
    cwd: noteFolder(NOTES),
  })
  const { tools } = await client.listTools()
  for (const { name: tool, inputSchema } of tools) {
    for (const { name, kind, args } of hostileArguments(inputSchema as Schema)) {
      const ask = () => client.callTool({ name: tool, arguments: args })
      await survives(client, `${tool}: ${name} is ${kind}`, ask)
    }
  }
  const commands = ['read', 'list', 'append', 'update', 'delete']
  for (const command of commands) {
    for (const [kind, text] of Object.entries(TEXTS)) {
      const args = { path: '/hostile', command, content: text, oldContent: text.slice(0, 1) }
      await survives(client, `memory: ${command} ${kind}`, () =>
        client.callTool({ name: 'memory', arguments: args }),
      )
    }
  }
  expect(stderr()).not.toContain('something unexpected')
  expect(stderr()).not.toMatch(/RangeError|TypeError/)
})

test('no update of a file multiplies it until the server dies', { timeout: TIMEOUT_MS }, async () => {
  const { client, json, call } = await connect({
    args: ['--source', '.', '--tools', 'all'],
    cwd: noteFolder(NOTES),
  })
  const memory = (args: Record<string, unknown>) => json('memory', { path: '/a', ...args })
  expect(await memory({ command: 'append', content: 'a'.repeat(3_900_000) })).toMatchObject({ ok: true })
  expect(await memory({ command: 'update', oldContent: 'a', content: 'b'.repeat(60) })).toEqual({
    command: 'update',
    path: '/a',
    ok: false,
    error: {
      code: 'EINVAL',
      message:
        'the text has 234000000 bytes; the maximum is 10485760: write less, or raise files.max_file_bytes',
    },
  })
  await client.ping()
  expect(await call('MemoryWrite', { payload: 'a\n\n'.repeat(650_000) })).toMatch(
    /the text has about 6\d{5} blocks .* the maximum for one write is 50000/,
  )
  await client.ping()
})

test('no URI and no argument of a prompt ends the server', { timeout: TIMEOUT_MS }, async () => {
  const { client } = await connect({ args: ['--source', '.', '--tools', 'all'], cwd: noteFolder(NOTES) })
  const { resourceTemplates } = await client.listResourceTemplates()
  // What is not parsed is the same whatever it is made of.
  const texts = Object.entries(TEXTS).slice(0, 3)
  for (const { uriTemplate } of resourceTemplates) {
    for (const [kind, text] of texts) {
      const value = encodeURIComponent(text.toWellFormed().slice(0, MIB / 4))
      const uri = uriTemplate
        .replace(
          /\{\?([^}]+)\}/,
          (_, names: string) =>
            `?${names
              .split(',')
              .map((name) => `${name}=${value}`)
              .join('&')}`,
        )
        .replace(/\{[^}]+\}/g, value)
      await survives(client, `${uriTemplate}: ${kind}`, () => client.readResource({ uri }))
    }
  }
  const { prompts } = await client.listPrompts()
  for (const { name, arguments: known = [] } of prompts) {
    for (const [kind, text] of texts) {
      const args = Object.fromEntries(known.map((one) => [one.name, text.toWellFormed()]))
      await survives(client, `${name}: ${kind}`, () => client.getPrompt({ name, arguments: args }))
    }
  }
})
