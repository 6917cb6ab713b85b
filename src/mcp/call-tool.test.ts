import { describe, expect, test } from 'vitest'
import { recordingLog } from '../../test/support/recording-log.ts'
import { dispatchTo, servedWith } from '../../test/support/served.ts'
import { MemoryError } from '../core/errors.ts'
import { object, text } from './model/schema.ts'
import type { Served } from './model/served.ts'
import type { CallContext, Tool, ToolAnswer } from './model/tool.ts'

const TOOL: Tool<{ word: string }> = {
  name: 'echo',
  title: 'Echo',
  description: 'Says it again',
  hint: 'again',
  toolset: 'tree',
  access: 'reads',
  scope: 'memories:read',
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: object({ word: text('What to say') }),
  output: { type: 'object' },
  logged: ({ word }) => ({ chars: word.length }),
  call: async (_, { word }) => ({ text: word, structured: { word } }),
}

function serve(changes: Partial<Tool<{ word: string }>>, log = recordingLog().log): Served {
  const tools = [{ ...TOOL, ...changes } as Tool]
  return servedWith({
    ...{ tools, log, answers: 'both' },
    redact: async () => (text) => text.replaceAll('s3cret', '«redacted»'),
  })
}

const call = (
  served: Served,
  args: unknown = { word: 'hi' },
  meta?: Record<string, unknown>,
  protocol = '2025-11-25',
) => dispatchTo(served, 'tools/call', { name: 'echo', arguments: args }, { meta, protocol })

test('an answer is its text and, where the operator wants it, its data', async () => {
  const content = [{ type: 'text', text: 'hi' }]
  const served = serve({})
  expect(await call(served)).toEqual({ content, structuredContent: { word: 'hi' } })
  expect(await call({ ...served, answers: 'text' })).toEqual({ content })
  expect(await call(served, { word: 'hi' }, {}, '2025-03-26')).toEqual({ content })
})

test('a text that is too long to be sent twice is sent to those who get no data', async () => {
  const answer = { text: 'a long text', briefly: 'it is in the data', structured: { result: 'a long text' } }
  const served = serve({ call: async () => answer })
  expect((await call(served)).content).toEqual([{ type: 'text', text: 'it is in the data' }])
  expect((await call({ ...served, answers: 'text' })).content).toEqual([
    { type: 'text', text: 'a long text' },
  ])
})

test('an answer can have other content than its text, and something beside it', async () => {
  const image = { type: 'image', data: 'AAEC', mimeType: 'image/png' } as const
  const answer: ToolAnswer = { text: '', structured: {}, content: [image], meta: { 'remindb/used': 1 } }
  expect(await call(serve({ call: async () => answer }))).toEqual({
    content: [image],
    structuredContent: {},
    _meta: { 'remindb/used': 1 },
  })
})

test('a tool sees what came beside the arguments, and nothing when nothing came', async () => {
  const seen: CallContext['meta'][] = []
  const served = serve({
    async call({ meta }) {
      seen.push(meta)
      return { text: '', structured: {} }
    },
  })
  await call(served, undefined, { 'remindb/threadId': 't1' })
  await call(served)
  expect(seen).toEqual([{ 'remindb/threadId': 't1' }, {}])
})

test('a failure is its message, as an error', async () => {
  expect(await call(serve({}), {})).toEqual({
    content: [{ type: 'text', text: 'validating "arguments": word is required: What to say' }],
    isError: true,
  })
})

test.each([true, false])('a tool can answer failures in its own words, isError %s', async (isError) => {
  const { log, records } = recordingLog()
  const fail: Tool['fail'] = (error) => {
    const code = error instanceof MemoryError ? error.code : 'INTERNAL_ERROR'
    return { text: code, structured: { error: { code } }, isError }
  }
  const broken = async (): Promise<never> => {
    throw new Error('a secret')
  }
  const answers = [await call(serve({ fail }, log), {}), await call(serve({ fail, call: broken }, log))]
  expect(answers).toEqual(
    ['INVALID_INPUT', 'INTERNAL_ERROR'].map((code) => ({
      content: [{ type: 'text', text: code }],
      structuredContent: { error: { code } },
      ...(isError && { isError }),
    })),
  )
  expect(records.map(({ message, fields }) => [message, fields.error])).toEqual([
    ['mcp call failed', 'INVALID_INPUT'],
    ['mcp call failed', 'Error'],
  ])
})

test.each([
  ['WARN', new MemoryError('CONFLICT', 'somebody was faster')],
  ['ERROR', new MemoryError('UNAVAILABLE', 'busy')],
  ['ERROR', new MemoryError('INVALID_INPUT', 'no such mode')],
  ['ERROR', new Error('broken')],
] as const)('a call that fails is logged as %s: %s', async (level, error) => {
  const { log, records } = recordingLog()
  const broken = async (): Promise<never> => {
    throw error
  }
  await call(serve({ call: broken }, log))
  expect(records).toMatchObject([{ level, message: 'mcp call failed' }])
})

test('what a tool lets into the log goes there without secrets, also when the call fails', async () => {
  const { log, records } = recordingLog()
  const logged = ({ word }: { word: string }) => ({ word, chars: word.length })
  await call(serve({ logged }, log), { word: 'notes/s3cret' })
  const failing = async (): Promise<never> => {
    throw new MemoryError('NOT_FOUND', 'nothing')
  }
  await call(serve({ logged, call: failing }, log), { word: 'notes/s3cret' })
  expect(records.map(({ fields }) => [fields.word, fields.chars])).toEqual([
    ['notes/«redacted»', 12],
    ['notes/«redacted»', 12],
  ])
})

describe('while the source is being compiled', () => {
  const compiling = async () => ({ phase: 'write', done: 600, total: 1800 }) as const
  const whileCompiling = (served: Served, progress: Served['memory']['compiling'] = compiling): Served => ({
    ...served,
    memory: { ...served.memory, compiling: progress },
  })
  const meta = { 'remindb/compiling': { done: 1200, total: 1800 } }

  test('a tool of the tree adds how far it is, and knows it', async () => {
    const seen: boolean[] = []
    const answering = async ({ isCompiling }: CallContext) => {
      seen.push(isCompiling)
      return { text: 'hi', structured: { word: 'hi' } }
    }
    expect(await call(whileCompiling(serve({ call: answering })))).toEqual({
      content: [{ type: 'text', text: 'hi\nstill compiling: 1,200 of 1,800 files' }],
      structuredContent: { word: 'hi' },
      _meta: meta,
    })
    await call(serve({ call: answering }))
    expect(seen).toEqual([true, false])
  })

  test('a tool that writes adds how far it is after the call, and nothing when it is done', async () => {
    let progress: Awaited<ReturnType<typeof compiling>> | undefined = await compiling()
    const ending = async () => {
      progress = undefined
      return { text: 'compiled', structured: {} }
    }
    const served = whileCompiling(serve({ access: 'writes', call: ending }), async () => progress)
    expect(await call(served)).toMatchObject({ content: [{ type: 'text', text: 'compiled' }] })
  })

  test('an answer that says itself how far it is stays as it is', async () => {
    const answering = async () => ({ text: 'still compiling', structured: {}, meta })
    expect(await call(whileCompiling(serve({ call: answering })))).toMatchObject({
      content: [{ type: 'text', text: 'still compiling' }],
      _meta: meta,
    })
  })

  test('tools of the other doors say it beside their answer only', async () => {
    expect(await call(whileCompiling(serve({ toolset: 'keys' })))).toEqual({
      content: [{ type: 'text', text: 'hi' }],
      structuredContent: { word: 'hi' },
      _meta: meta,
    })
  })
})
