import { join } from 'node:path'
import { callTool } from './agent-memory.ts'
import { parsePage } from './docs.ts'
import { openWorkspace } from './engine.ts'

/** One call that a page shows, with the answer it promises. */
export interface ToolExample {
  tool: string
  args: Record<string, unknown>
  answer: string | undefined
}

/** `json` blocks, each below the heading of its tool; the `text` block that follows is the answer. */
export function listExamples(text: string): ToolExample[] {
  const { fences, headings } = parsePage(text)
  return fences.flatMap(({ info, content, line }, at) => {
    if (info !== 'json') return []
    const tool = headings.findLast((heading) => heading.line < line)?.text ?? ''
    const next = fences[at + 1]
    return [
      { tool, args: JSON.parse(content), answer: next?.info === 'text' ? next.content.trimEnd() : undefined },
    ]
  })
}

/** What the tools really say, call after call, on a memory of the page's Markdown. */
export async function replayExamples(text: string): Promise<{ tool: string; answer: string }[]> {
  const source = parsePage(text).fences.find(({ info }) => info === 'markdown')?.content ?? ''
  const settings = { 'temperature.access_boost': 0, 'temperature.tree_boost': 0 }
  await using at = await openWorkspace({ 'billing.md': source }, { settings, now: () => 1_700_000_000_000 })
  const answers: { tool: string; answer: string }[] = []
  for (const { tool, args } of listExamples(text)) {
    const given = tool === 'MemoryCompile' ? { ...args, path: join(at.folder, String(args.path)) } : args
    const { text: answer } = await callTool(at.memory, tool, given)
    answers.push({ tool, answer: anonymous(answer.replaceAll(at.folder, '/notes')) })
  }
  return answers
}

/** Sizes differ with the engine's page size. */
function anonymous(answer: string): string {
  return answer.replace(/\(\d+\.\d KB\)/, '(192.0 KB)')
}
