import type { Tool } from '../tools/tool.ts'
import { forgetOlderThan } from './keys/forget-older-than.ts'
import { recallContext } from './keys/recall-context.ts'
import { rememberThis } from './keys/remember-this.ts'
import { whatDoYouKnowAbout } from './keys/what-do-you-know-about.ts'
import type { Prompt } from './prompt.ts'
import { summarizeCold } from './summarize-cold.ts'

const PROMPTS: readonly Prompt[] = [
  summarizeCold,
  recallContext,
  whatDoYouKnowAbout,
  rememberThis,
  forgetOlderThan,
]

/** Those that go with the tools a client is offered. */
export function promptsOf(tools: readonly Pick<Tool, 'name'>[]): Prompt[] {
  const offered = new Set(tools.map(({ name }) => name))
  return PROMPTS.filter((prompt) => prompt.tools.every((name) => offered.has(name)))
}
