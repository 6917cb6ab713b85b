/**
 * A small agent: asks the model at MODEL_URL (OpenAI Chat), makes the calls it is given on the MCP server of the file that its first
 * argument names, and cuts results after MAX_RESULT characters. Its second argument is the prompt.
 */
import { readFileSync } from 'node:fs'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import type { ServerEntry } from '../../agents/programs/program.ts'

const MAX_RESULT = 10_000
const [file = '', prompt = ''] = process.argv.slice(2)
const entry = JSON.parse(readFileSync(file, 'utf8')) as ServerEntry
const client = new Client({ name: 'scripted-agent', version: '1' })
await client.connect(
  entry.kind === 'http'
    ? new StreamableHTTPClientTransport(new URL(entry.url))
    : new StdioClientTransport({ ...entry, env: process.env as Record<string, string> }),
)
const { tools } = await client.listTools()
const offered = tools.map(({ name, description, inputSchema }) => ({
  type: 'function',
  function: { name, description, parameters: inputSchema },
}))
const messages: unknown[] = [
  { role: 'system', content: client.getInstructions() },
  { role: 'user', content: prompt },
]
for (let message = await ask(); message.tool_calls; message = await ask()) {
  messages.push(message)
  for (const { id, function: called } of message.tool_calls)
    messages.push({ role: 'tool', tool_call_id: id, content: await call(called) })
}
await client.close()

interface Called {
  name: string
  arguments: string
}

interface Message {
  tool_calls?: { id: string; function: Called }[]
}

async function ask(): Promise<Message> {
  const body = JSON.stringify({ model: 'scripted', messages, tools: offered })
  const response = await fetch(`${process.env.MODEL_URL}/v1/chat/completions`, { method: 'POST', body })
  const { choices } = (await response.json()) as { choices: { message: Message }[] }
  return choices[0]?.message ?? {}
}

async function call({ name, arguments: args }: Called): Promise<string> {
  const { content } = await client.callTool({ name, arguments: JSON.parse(args) })
  const text = (content as { text?: string }[]).map((block) => block.text ?? '').join('\n')
  return text.length > MAX_RESULT ? `${text.slice(0, MAX_RESULT)} … cut` : text
}
