import type { Prompt } from './prompt.ts'
import { summarizeCold } from './summarize-cold.ts'

export const PROMPTS: readonly Prompt[] = [summarizeCold]
