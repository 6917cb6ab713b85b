import type { GetPromptResult } from '@modelcontextprotocol/server'
import { MemoryError } from '../../core/errors.ts'
import { invalidParams, logUnexpected, resourceError } from '../model/errors.ts'
import { offeredTools } from '../model/permissions.ts'
import type { Prompt } from '../model/prompt.ts'
import type { Call, Request } from '../model/request.ts'
import type { Served } from '../model/served.ts'
import { promptsOf } from './prompts.ts'

export type PromptRequest = Request<{ name: string; arguments?: Record<string, string> | undefined }>

/** Finds a prompt among the ones offered to a caller. */
export function preparePrompt(
  served: Pick<Served, 'memory' | 'log' | 'tools' | 'allowed'>,
  { params, caller, signal }: Pick<PromptRequest, 'params' | 'caller' | 'signal'>,
  prompts: readonly Prompt[] = promptsOf(offeredTools(served.tools, served.allowed()), served.allowed()),
): Call<GetPromptResult> {
  const { name, arguments: args = {} } = params
  const prompt = prompts.find((known) => known.name === name)
  if (!prompt)
    throw invalidParams(`unknown prompt "${name}"; ${thereAre(prompts.map((known) => known.name))}`)
  return {
    name: `prompt ${name}`,
    access: 'reads',
    scope: prompt.scope,
    async run() {
      checkArguments(prompt, args)
      return prompt.get(await served.memory.as(caller, signal), args)
    },
    fail(error) {
      logUnexpected(served.log, 'prompt failed', error)
      throw resourceError(error, `prompt:${name}`)
    },
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
