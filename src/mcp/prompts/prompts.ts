import type { Tool } from '../tools/tool.ts'
import type { Prompt } from './prompt.ts'
import { summarizeCold } from './summarize-cold.ts'

const PROMPTS: readonly Prompt[] = [summarizeCold]

/** Those that go with the tools a client is offered. */
export function promptsOf(tools: readonly Pick<Tool, 'toolset'>[]): Prompt[] {
  const offered = new Set(tools.map(({ toolset }) => toolset))
  return PROMPTS.filter(({ toolset }) => offered.has(toolset))
}
