import { setTimeout as delay } from 'node:timers/promises'
import { type ModelReply, type ModelRequest, objectOf, type ToolCall } from '../model/conversation.ts'
import type { ServerCall, Traffic } from '../tap/traffic.ts'
import type { Step } from './steps.ts'
import { type Invocation, Toolbox } from './toolbox.ts'

/** Stands in every prompt of ours: requests without it are the program's own, for a title or a summary. */
export const MARKER = 'Work through the script of the remindb measurement.'

const LISTING_MS = 20_000
/** What a program needs after a list of tools until a model can call them. */
const SETTLING_MS = 1000
const DONE: ModelReply = { kind: 'text', text: 'Done.' }

export interface StepRecord {
  step: Step
  /** What the model read as the result; undefined when the call was not made, or the program ended. */
  got: string | undefined
  /** What the server answered; undefined when the call did not reach it. */
  sent: ServerCall | undefined
  /** The tool could not be called: it is not among the tools, and no search found it. */
  isMissing: boolean
}

/** Whether the server got every call that is no mistake: of a program that is not connected yet it gets none, or not the first. */
export function hasArrived(records: readonly StepRecord[]): boolean {
  return records.every(({ step, sent }) => step.kind === 'search' || step.isError || sent !== undefined)
}

export interface ScriptParts {
  steps: readonly Step[]
  /** The name of a tool of the server, as the program's model has to call it. */
  fullName(tool: string): string
  traffic(): Traffic
}

interface Pending {
  call: ToolCall
  /** Undefined for a search that only makes a tool callable. */
  record: StepRecord | undefined
  resultsBefore: number
  callsBefore: number
}

/** A model that makes one call after the other and keeps what it was sent as the result. */
export class Script {
  readonly records: StepRecord[] = []
  readonly toolbox: Toolbox
  /** Of the first request that has our prompt and tools: all that the model reads before its first call. */
  firstPrompt: string | undefined
  /** The program asked its model before it had the tools of the server: the first prompt may lack what it would have. */
  isEarly = false
  readonly #parts: ScriptParts
  readonly #loaded = new Set<string>()
  #pending: Pending | undefined
  #calls = 0

  constructor(parts: ScriptParts) {
    this.#parts = parts
    this.toolbox = new Toolbox(parts)
  }

  async answer(request: ModelRequest): Promise<ModelReply> {
    if (!request.prompt.includes(MARKER) || request.tools.length === 0) return DONE
    this.firstPrompt ??= [request.prompt, ...request.tools.map(({ description }) => description)].join('\n')
    this.toolbox.note(request)
    // Asked again with nothing new: the program lost the answer.
    if (this.#pending && !this.#take(this.#pending, request))
      return { kind: 'call', call: this.#pending.call }
    await this.#untilListed()
    return this.#next(request)
  }

  /** Later requests, searches and programs of the model may have tools that the first request lacks. */
  async #untilListed(): Promise<void> {
    if (this.#calls > 0 || this.#isListed()) return
    this.isEarly = true
    const until = Date.now() + LISTING_MS
    while (!this.#isListed() && Date.now() < until) await delay(50)
    await delay(SETTLING_MS)
  }

  #isListed(): boolean {
    return this.#parts.traffic().tools.length > 0
  }

  #take({ call, record, resultsBefore, callsBefore }: Pending, { results }: ModelRequest): boolean {
    const byId = results.find(({ callId }) => callId === call.id)
    const result = byId ?? (results.length > resultsBefore ? results.at(-1) : undefined)
    if (!result) return false
    if (record) {
      record.got = result.text
      record.sent = this.#parts.traffic().calls[callsBefore]
    }
    this.#pending = undefined
    return true
  }

  #next(request: ModelRequest): ModelReply {
    for (let step = this.#step(); step; step = this.#step()) {
      const load = this.#load(step)
      if (load) return this.#make(request, load, undefined)
      const invocation = this.#invocationOf(step)
      const record = { step, got: undefined, sent: undefined, isMissing: invocation === undefined }
      this.records.push(record)
      if (invocation) return this.#make(request, invocation, record)
    }
    return DONE
  }

  #step(): Step | undefined {
    return this.#parts.steps[this.records.length]
  }

  #invocationOf(step: Step): Invocation | undefined {
    if (step.kind === 'search') return this.toolbox.search(step.query)
    const listed = this.#parts.traffic().tools.find(({ name }) => name === step.tool)
    return this.toolbox.invoke(step.tool, step.arguments(objectOf(listed?.inputSchema.properties)))
  }

  /** Once for each tool that cannot be called yet. */
  #load(step: Step): Invocation | undefined {
    if (step.kind === 'search' || this.#loaded.has(step.tool) || this.#invocationOf(step)) return undefined
    this.#loaded.add(step.tool)
    return this.toolbox.load(step.tool)
  }

  #make(request: ModelRequest, invocation: Invocation, record: StepRecord | undefined): ModelReply {
    this.#calls += 1
    const call = { id: `call_${this.#calls}`, ...invocation }
    const callsBefore = this.#parts.traffic().calls.length
    this.#pending = { call, record, resultsBefore: request.results.length, callsBefore }
    return { kind: 'call', call }
  }
}
