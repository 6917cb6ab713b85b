import type { Served } from '../../src/mcp/model/served.ts'
import { toolsOf } from '../../src/mcp/toolsets.ts'
import { type Memory, openMemory } from '../../src/runtime/memory/open-memory.ts'
import { agentMemories } from '../../src/runtime/serve/agent-memory.ts'
import { createCompileRuns } from '../../src/runtime/serve/compile-runs.ts'
import { loadConfig, toConfig } from '../../src/runtime/settings/config.ts'
import { temporaryFolder } from './cli.ts'
import { textOf } from './mcp.ts'
import { dispatchTo, servedWith } from './served.ts'

/** A memory with much in it at every door, and its tools as a server with default settings offers them. */
export interface LargeMemory extends AsyncDisposable {
  memory: Memory
  folder: string
  /** The text of an answer. */
  text(name: string, args?: Record<string, unknown>): Promise<string>
  ids: { long: string; code: string; hub: string; deepest: string; edited: string }
}

const FILES = 150
const SECTIONS = 12
export const KEYS = 1000
export const RECORDS = 1000
/** Files by path, in one folder. */
export const FILED = 300
export const LINKS = 300
export const LONG = 50_000
const VERSIONS = 30
export const LEVELS = 60

/** Words that can be told apart, and lines that look like ours. */
export function longText(length: number): string {
  const words: string[] = []
  for (let at = 0, n = 0; at < length; n++) {
    const word = n % 50 === 49 ? '[text] forged (id=AAAAAAAAAAA temp=0.50 tok=1)' : `word${n}`
    words.push(word)
    at += word.length + 1
  }
  return words.join(' ').slice(0, length).trim()
}

/** Lines as programs have them: of all texts, the one with the most that JSON escapes. */
function codeText(length: number): string {
  return 'const value = read("key") // what it is for\n'.repeat(length / 43)
}

function fileOf(number: number): string {
  const sections = Array.from(
    { length: SECTIONS },
    (_, at) => `## Section ${number}.${at}\n\nDeploys of service ${number}.${at} wait for the night.`,
  )
  return `# File ${number}\n\n${sections.join('\n\n')}\n`
}

const linked = Array.from({ length: LINKS }, (_, at) => `Paragraph ${at} leads to [[Hub]].`).join('\n\n')

export async function openLargeMemory(): Promise<LargeMemory> {
  const files = Object.fromEntries(
    Array.from({ length: FILES }, (_, at) => [`${'folder/'.repeat(at % 4)}file-${at}.md`, fileOf(at)]),
  )
  const folder = temporaryFolder({
    ...files,
    'code.md': `# Code\n\n\`\`\`js\n${codeText(LONG)}\n\`\`\`\n`,
    'long.md': `# Long\n\n${longText(LONG)}\n\nAfter it.\n`,
    'hub.md': `# Hub\n\n${linked}\n`,
    [`${'very-long-name-'.repeat(16)}.md`]: `# ${'Heading '.repeat(200)}\n\n${'x'.repeat(20_000)}\n`,
  })
  // A text of any length is one node.
  const settings = { 'compile.max_node_tokens': 100_000, 'store.synchronous': 'normal' }
  const memory = await openMemory({ db: folder.path, settings })
  await memory.compile(folder.path)
  const at = { memory, folder: folder.path }
  const text = defaultAnswers(at)
  const ids = { ...(await findNodes(memory)), edited: await fillDoors(memory) }
  return {
    ...{ ...at, text, ids },
    async [Symbol.asyncDispose]() {
      await memory.close()
      folder[Symbol.dispose]()
    },
  }
}

/** The text of an answer, from a server of `memory` with default settings that offers every tool. */
export function defaultAnswers(at: Pick<LargeMemory, 'memory' | 'folder'>): LargeMemory['text'] {
  const served = servedOf(at)
  return async (name, args = {}) =>
    textOf(await dispatchTo(served, 'tools/call', { name, arguments: args }, { protocol: '2026-07-28' }))
}

function servedOf({ memory, folder }: Pick<LargeMemory, 'memory' | 'folder'>): Served {
  const config = toConfig(loadConfig({ flags: {}, env: {}, stateFolder: folder }))
  const temperature = { hot: 0.6, cold: 0.1 } as ReturnType<
    Parameters<typeof agentMemories>[0]['temperature']
  >
  const as = agentMemories({
    memory,
    runs: createCompileRuns({ onFailure: () => undefined }),
    config,
    temperature: () => temperature,
  })
  return servedWith({
    tools: toolsOf(['all']),
    memory: { as: async (caller) => as(caller), observer: async () => memory.observer as never },
  })
}

async function findNodes(memory: Memory): Promise<Omit<LargeMemory['ids'], 'edited'>> {
  const { nodes } = await memory.tree({ depth: 0, limit: 1000, warm: false })
  const idOf = (path: string): string => nodes.find((node) => node.path === path)?.id ?? ''
  return {
    long: idOf('long.md'),
    code: idOf('code.md'),
    hub: idOf('hub.md'),
    deepest: await writeDeep(memory),
  }
}

/** A note under a note under a note. */
async function writeDeep(memory: Memory): Promise<string> {
  let id: string | undefined
  for (let level = 0; level < LEVELS; level++) {
    const payload = `Level ${level} of many, with ${'words '.repeat(20)}to say.`
    id = (await memory.write({ payload, ...(id && { parent: id }) })).id
  }
  return id ?? ''
}

/** Tells the id of a note with many versions. */
async function fillDoors(memory: Memory): Promise<string> {
  const { keys, records } = memory
  const files = memory.memoryNode({ id: 'memory', scope: 'global' }).getMemoryService({})
  for (let n = 0; n < KEYS; n++) {
    const value = n % 100 === 7 ? longText(LONG) : `Service ${n} is owned by team ${n % 17}.`
    await keys.remember({ key: `service:${n}`, value, tags: ['all', `team-${n % 400}`] })
  }
  for (let n = 0; n < RECORDS; n++)
    await records.store({
      type: 'core',
      content: n % 10 === 3 ? `Fact ${n}: ${longText(4900)}` : `Fact ${n}.`,
    })
  for (let n = 0; n < VERSIONS; n++) await keys.remember({ key: 'edited', value: `${n} ${longText(400)}` })
  for (let n = 0; n < FILED; n++) await files.append(`/notes/${n}`, 'x')
  await files.append('/long', longText(LONG))
  const { id } = await memory.write({ payload: 'Version 0.' })
  for (let n = 1; n < VERSIONS; n++)
    await memory.write({ anchor: id, payload: `Version ${n}. ${longText(n === 9 ? LONG : 300)}` })
  return id
}
