import { DEFAULT_ROOM } from '../../../core/find/budget.ts'
import { jsonLength } from '../../../core/fit-json.ts'
import { fitRecord } from '../../../core/records/fit.ts'
import type { RecordJson } from '../../../core/records/model.ts'
import { printableJson } from '../../../util/text/printable.ts'
import { wordOf } from '../../model/error-words.ts'
import { messageOf } from '../../model/errors.ts'
import type { FailureAnswer, Tool, ToolAnswer } from '../../model/tool.ts'
import { defineTool, type ToolDefinition } from '../define-tool.ts'
import { shape, TEXT } from '../output.ts'

type Definition<A> = Omit<ToolDefinition<A>, 'toolset' | 'fail' | 'output'> & {
  /** Members of the answer, all of which it has. */
  output: Record<string, unknown>
}

/** A tool whose text is the JSON of its data, even for a failure: `{"error":{"code":…,"message":…}}`. */
export function defineRecordTool<A>({ output, ...tool }: Definition<A>): Tool<A> {
  return defineTool({ ...tool, toolset: 'records', output: orError(output), fail })
}

export function jsonAnswer(structured: object): ToolAnswer {
  return {
    text: printableJson(JSON.stringify(structured)),
    structured: structured as Record<string, unknown>,
  }
}

/** An answer with a record at `name`, which is shortened if the answer would be too long. */
export function recordAnswer<K extends string>(
  answer: Readonly<Record<K, RecordJson | null>>,
  name: K,
): ToolAnswer {
  const record = answer[name]
  const around = jsonLength({ ...answer, [name]: null })
  return jsonAnswer({ ...answer, [name]: record && fitRecord(record, DEFAULT_ROOM - around) })
}

/** As JSON, a message may have twice as many characters. */
const MESSAGE_LENGTH = DEFAULT_ROOM / 2 - 100

function fail(error: unknown): FailureAnswer {
  const message = messageOf(error, MESSAGE_LENGTH)
  return { ...jsonAnswer({ error: { code: wordOf(error), message } }), isError: true }
}

/** Clients validate answers, including failures. */
function orError(properties: Record<string, unknown>): Record<string, unknown> {
  return {
    type: 'object',
    properties: { ...properties, error: shape({ code: TEXT, message: TEXT }) },
    anyOf: [{ required: Object.keys(properties) }, { required: ['error'] }],
  }
}
