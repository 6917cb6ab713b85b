import type { Tool } from '../../src/mcp/model/tool.ts'
import { toolsOf } from '../../src/mcp/toolsets.ts'
import { anchorOf, code, type GeneratedTable, prose } from './table.ts'

interface Schema {
  type?: string
  enum?: readonly string[]
  items?: Schema
  description?: string
  properties?: Record<string, Schema>
  required?: readonly string[]
}

/** A page with a heading for each tool: what there is, then the arguments of each. */
export function toolTables(toolset: 'tree' | 'records', title: string): GeneratedTable[] {
  const tools = toolsOf([toolset])
  const rows = tools.map((tool) => [
    `[${code(tool.name)}](${anchorOf(tool.name)})`,
    does(tool),
    purpose(tool),
  ])
  return [{ heading: title, columns: ['tool', 'may', 'what for'], rows }, ...tools.map(argumentsTable)]
}

/** A page that tells of its tools by what they are for. */
export function keyTables(): GeneratedTable[] {
  const rows = toolsOf(['keys']).map((tool) => {
    const { properties = {}, required = [] } = schemaOf(tool)
    const args = Object.keys(properties).map((name) => (required.includes(name) ? name : `${name}?`))
    return [code(tool.name), args.join(', '), purpose(tool)]
  })
  return [{ heading: 'Keys', columns: ['tool', 'arguments', 'what for'], rows }]
}

function schemaOf({ input }: Tool): Schema {
  return input.json as Schema
}

/** The most that a call can do, as the annotations have it. */
function does({ annotations: { readOnlyHint, destructiveHint } }: Tool): string {
  if (readOnlyHint) return 'read'
  return destructiveHint ? 'remove' : 'write'
}

/** The first sentence of what a model reads. */
function purpose({ description }: Tool): string {
  const [sentence = ''] = /^.*?\.(?=\s|$)/s.exec(description) ?? [description]
  return prose(sentence.replace(/\.$/, ''))
}

function argumentsTable(tool: Tool): GeneratedTable {
  const { properties = {}, required = [] } = schemaOf(tool)
  const rows = Object.entries(properties).map(([name, schema]) => [
    code(name),
    typeOf(schema),
    required.includes(name) ? 'yes' : 'no',
    prose(schema.description ?? ''),
  ])
  return { heading: tool.name, columns: ['argument', 'type', 'required', 'meaning'], rows }
}

function typeOf({ type = '', enum: choices, items }: Schema): string {
  if (choices) return choices.map(code).join(', ')
  return type === 'array' ? `list of ${items?.type ?? ''}s` : type
}
