import {
  type Api,
  contentText,
  type JsonObject,
  listOf,
  type ModelReply,
  objectOf,
  sendEvents,
  sendJson,
  stringOf,
} from './conversation.ts'

const STREAMED = ':streamGenerateContent'
const USAGE = { promptTokenCount: 100, candidatesTokenCount: 10, totalTokenCount: 110 }

/** Gemini's generateContent, whole or streamed. */
export const gemini: Api = {
  name: 'Gemini',
  isRequest: (path) => path.endsWith(STREAMED) || path.endsWith(':generateContent'),
  read(body) {
    const parts = listOf(body.contents).flatMap(({ role, parts }) =>
      listOf(parts).map((part) => ({ role, ...part }) as JsonObject),
    )
    const said = parts.filter(({ role, functionResponse }) => role !== 'model' && !functionResponse)
    return {
      prompt: [systemText(body.systemInstruction), contentText(said)].join('\n'),
      tools: listOf(body.tools).flatMap(({ functionDeclarations }) =>
        listOf(functionDeclarations).map((tool) => ({
          name: stringOf(tool.name),
          description: stringOf(tool.description),
          schema: objectOf(tool.parametersJsonSchema ?? tool.parameters),
        })),
      ),
      results: parts
        .filter(({ functionResponse }) => functionResponse)
        .map(({ functionResponse }) => resultOf(objectOf(functionResponse))),
    }
  },
  reply(reply, { path }) {
    const response = responseOf(reply)
    return path.endsWith(STREAMED) ? sendEvents([{ data: response }]) : sendJson(response)
  },
}

function systemText(instruction: unknown): string {
  return typeof instruction === 'string' ? instruction : contentText(objectOf(instruction).parts)
}

/** The model reads the whole object; a single text in it is taken as it is. */
function resultOf({ id, response }: JsonObject) {
  const values = Object.values(objectOf(response))
  const [only] = values
  const text = values.length === 1 && typeof only === 'string' ? only : JSON.stringify(response)
  return { callId: stringOf(id), text }
}

function responseOf(reply: ModelReply): JsonObject {
  const part =
    reply.kind === 'text'
      ? { text: reply.text }
      : { functionCall: { id: reply.call.id, name: reply.call.name, args: reply.call.arguments } }
  const candidate = { content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }
  return { candidates: [candidate], usageMetadata: USAGE, modelVersion: 'scripted' }
}
