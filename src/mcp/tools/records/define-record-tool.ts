import { printableJson } from '../../../util/terminal-text.ts'
import { wordOf } from '../../error-words.ts'
import { messageOf } from '../../errors.ts'
import { defineTool, type ToolDefinition } from '../define-tool.ts'
import { shape, TEXT } from '../output.ts'
import type { FailureAnswer, Tool, ToolAnswer } from '../tool.ts'

type Definition<A> = Omit<ToolDefinition<A>, 'toolset' | 'fail' | 'output'> & {
  /** Members of the answer, all of which it has. */
  output: Record<string, unknown>
}

/** A tool whose text is the JSON of its data, also when it fails: `{"error":{"code":…,"message":…}}`. */
export function defineRecordTool<A>({ output, ...tool }: Definition<A>): Tool<A> {
  return defineTool({ ...tool, toolset: 'records', output: orError(output), fail })
}

export function jsonAnswer(structured: object): ToolAnswer {
  return {
    text: printableJson(JSON.stringify(structured)),
    structured: structured as Record<string, unknown>,
  }
}

function fail(error: unknown): FailureAnswer {
  return { ...jsonAnswer({ error: { code: wordOf(error), message: messageOf(error) } }), isError: true }
}

/** Clients check what they get, failures too. */
function orError(properties: Record<string, unknown>): Record<string, unknown> {
  return {
    type: 'object',
    properties: { ...properties, error: shape({ code: TEXT, message: TEXT }) },
    anyOf: [{ required: Object.keys(properties) }, { required: ['error'] }],
  }
}
