import type { GetPromptResult } from '@modelcontextprotocol/server'
import { MemoryError } from '../../core/errors.ts'
import { invalidParams, logUnexpected, resourceError } from '../errors.ts'
import type { Served } from '../served.ts'
import type { Prompt } from './prompt.ts'

export interface PromptRequest {
  name: string
  args: Record<string, string> | undefined
  author: string
}

/** The one way to a prompt. */
export async function getPrompt(
  served: Pick<Served, 'hands' | 'log'>,
  prompts: readonly Prompt[],
  { name, args = {}, author }: PromptRequest,
): Promise<GetPromptResult> {
  const prompt = prompts.find((known) => known.name === name)
  if (!prompt)
    throw invalidParams(`unknown prompt "${name}"; ${thereAre(prompts.map((known) => known.name))}`)
  try {
    checkArguments(prompt, args)
    return await prompt.get(await served.hands(author), args)
  } catch (error) {
    logUnexpected(served.log, 'prompt failed', error)
    throw resourceError(error, `prompt:${name}`)
  }
}

function checkArguments({ name, arguments: known = [] }: Prompt, args: Record<string, string>): void {
  const names = known.map((one) => one.name)
  const unknown = Object.keys(args).find((given) => !names.includes(given))
  if (unknown !== undefined)
    throw new MemoryError(
      'INVALID_INPUT',
      `prompt "${name}" has no argument "${unknown}"; ${thereAre(names)}`,
    )
  const missing = known.find((one) => one.required && !Object.hasOwn(args, one.name))
  if (missing)
    throw new MemoryError('INVALID_INPUT', `prompt "${name}" needs "${missing.name}": ${missing.description}`)
}

function thereAre(names: readonly string[]): string {
  return names.length === 0 ? 'there are none' : `there are ${names.join(', ')}`
}
