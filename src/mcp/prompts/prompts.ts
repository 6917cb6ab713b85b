import { type Allowance, hasScope } from '../model/access.ts'
import type { Prompt } from '../model/prompt.ts'
import type { Tool } from '../model/tool.ts'
import { forgetOlderThan } from './forget-older-than.ts'
import { recallContext } from './recall-context.ts'
import { rememberThis } from './remember-this.ts'
import { summarizeCold } from './summarize-cold.ts'
import { whatDoYouKnowAbout } from './what-do-you-know-about.ts'

const PROMPTS: readonly Prompt[] = [
  summarizeCold,
  recallContext,
  whatDoYouKnowAbout,
  rememberThis,
  forgetOlderThan,
]

/** The prompts that a client may get, and whose tools it is offered. */
export function promptsOf(tools: readonly Pick<Tool, 'name'>[], allowance: Allowance): Prompt[] {
  const offered = new Set(tools.map(({ name }) => name))
  return PROMPTS.filter(
    (prompt) => hasScope(allowance, prompt.scope) && prompt.tools.every((name) => offered.has(name)),
  )
}
