import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileJson } from '../../core/compile/compile-json.ts'
import { compiledLines } from '../../core/compile/compile-text.ts'
import { fetchText } from '../../core/find/read/fetch-text.ts'
import type { TreeNode } from '../../core/find/read/tree-model.ts'
import { searchText } from '../../core/find/search-text.ts'
import { fetchJson, searchJson } from '../../core/render/find-json.ts'
import { firstLookJson, firstLookText } from '../../core/render/first-look-text.ts'
import { deltaJson } from '../../core/render/versions-json.ts'
import { deltaLine } from '../../core/render/versions-text.ts'
import { type Memory, openMemory } from '../../runtime/memory/open-memory.ts'
import { diffAndRead, grepAndRead, listAndRead } from './naive.ts'
import { copyProject, type ProjectFile } from './project.ts'
import { type Scenario, tokensOf } from './report.ts'

export interface Project {
  folder: string
  files: ProjectFile[]
  memory: Memory
  /** A temporary folder, to work in. */
  workshop: string
  budget: number
  signal: AbortSignal
}

/** As `MemoryTree` has it. */
const TREE_DEPTH = 5
const ADDED_SECTION = `
## Review of the week

The import was slow on Tuesday because two jobs ran at the same time. They now run one after the other.

- The timeout is twenty seconds, as agreed.
- Alerts go to the person on duty only.
`

/** A first look: the answer to an agent's first call of `MemoryTree`. */
export async function treeScenario({ memory, files }: Project): Promise<Scenario> {
  const look = await memory.firstLook({ depth: TREE_DEPTH, warm: false })
  return {
    name: 'tree',
    part: 'orientation',
    naive: tokensOf(listAndRead(files)),
    ...costOf([{ text: firstLookText(look), data: firstLookJson(look) }]),
  }
}

/** Finding a passage: a search, and the best hit with its context. */
export async function searchScenario({ memory, files, budget }: Project, query: string): Promise<Scenario> {
  const found = await memory.search({ query, budget, warm: false })
  const answers = [{ text: searchText(found), data: searchJson(found) as object }]
  const [best] = found.hits
  if (best) answers.push(await fetched(memory, best.id, budget))
  return {
    name: `search: ${query}`,
    part: 'gathering',
    naive: tokensOf(grepAndRead(files, query)),
    ...costOf(answers),
  }
}

/** One passage of a long file. */
export async function fetchScenario({ memory, files, budget }: Project): Promise<Scenario | undefined> {
  const largest = files.toSorted((a, b) => b.text.length - a.text.length)[0]
  const anchor = largest && (await middlingNode(memory, largest.path))
  if (!anchor) return undefined
  return {
    name: 'fetch',
    part: 'gathering',
    naive: tokensOf([largest.text]),
    ...costOf([await fetched(memory, anchor, budget)]),
  }
}

/** An answer of a tool, in both its forms. */
interface Answer {
  text: string
  data: object
}

function costOf(answers: readonly Answer[]): Pick<Scenario, 'remindb' | 'data'> {
  return {
    remindb: tokensOf(answers.map(({ text }) => `${text}\n`)),
    data: tokensOf(answers.map(({ data }) => JSON.stringify(data))),
  }
}

async function fetched(memory: Memory, anchor: string, budget: number): Promise<Answer> {
  const answer = await memory.fetch({ anchor, budget, warm: false })
  return { text: fetchText(answer), data: fetchJson(answer) }
}

/** Neither the shortest nor the longest passage of a file: between a quarter and half of them are shorter. */
async function middlingNode(memory: Memory, path: string): Promise<string | undefined> {
  const nodes: TreeNode[] = []
  for (let after: string | null | undefined; after !== null; ) {
    const page = await memory.tree({ depth: 128, limit: 1000, warm: false, ...(after ? { after } : {}) })
    nodes.push(...page.nodes.filter((node) => node.path === path))
    after = page.next
  }
  const deep = [2, 1, 0].map((least) => nodes.filter(({ depth }) => depth >= least))
  const sorted = deep.find((some) => some.length > 0)?.toSorted((a, b) => a.tokens - b.tokens) ?? []
  return sorted[Math.floor(sorted.length * 0.375)]?.id
}

/** Reading changes: a section is added to the first Markdown file, in a copy of the project. */
export async function deltaScenario({
  folder,
  files,
  workshop,
  signal,
}: Project): Promise<Scenario | undefined> {
  const first = files.find(({ path }) => path.endsWith('.md'))
  if (!first) return undefined
  const copy = join(workshop, 'copy')
  copyProject(files, folder, copy)
  await using memory = await openMemory({ db: join(workshop, 'copy.db'), rememberRoots: false })
  const { snapshot } = await memory.compile(copy, { signal })
  appendFileSync(join(copy, first.path), ADDED_SECTION)
  const compiled = await memory.compile(copy, { signal })
  const changes = await memory.delta({ since: snapshot?.id ?? 0 })
  const lines = [
    ...compiledLines(compiled, { historyOf: String }),
    ...changes.items.map((row) => deltaLine(row)),
  ]
  const data = { compiled: compileJson(compiled), changes: changes.items.map(deltaJson) }
  return {
    name: 'delta',
    part: 'gathering',
    naive: tokensOf(diffAndRead(first, readFileSync(join(copy, first.path), 'utf8'))),
    ...costOf([{ text: lines.join('\n'), data }]),
  }
}
