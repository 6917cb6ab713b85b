import {
  type ModelRequest,
  nameOf,
  type OfferedTool,
  objectOf,
  stringOf,
  type ToolCall,
} from '../model/conversation.ts'
import type { Traffic } from '../tap/traffic.ts'

const SEARCH_TOOL = /^(ToolSearch|tool_search|tool_search_tool)$/
/** Calls a tool that a search has shown and that stays hidden. */
const CALLING_TOOL = 'tool_call'
/** What a tool that runs programs calls the list of tools that they can call. */
const TOOLS_OF_CODE = 'ALL_TOOLS'

export type Invocation = Omit<ToolCall, 'id'>

export interface ToolboxParts {
  /** The name of a tool of the server, as the program's model has to call it. */
  fullName(tool: string): string
  traffic(): Traffic
}

/** The tools that a program has offered to its model so far, and how to call them. */
export class Toolbox {
  /** Of the first request. */
  readonly inFirstPrompt: string[] = []
  /** Every tool that was offered or shown, by the server's name. */
  readonly offered = new Map<string, OfferedTool>()
  searchTool: OfferedTool | undefined
  readonly #parts: ToolboxParts
  readonly #shown = new Map<string, OfferedTool>()
  #current: readonly OfferedTool[] = []
  #isFirst = true

  constructor(parts: ToolboxParts) {
    this.#parts = parts
  }

  /** Takes note of what a request offers and of what the newest result of a search shows. */
  note({ tools, results }: ModelRequest): void {
    this.#current = tools
    this.searchTool ??= tools.find(({ name }) => SEARCH_TOOL.test(name))
    for (const tool of toolsShown(results.at(-1)?.text ?? '')) this.#shown.set(tool.name, tool)
    for (const { name } of this.#parts.traffic().tools) {
      const tool = this.#find(name) ?? this.#shown.get(this.#parts.fullName(name))
      if (tool) this.offered.set(name, tool)
      if (tool && this.#isFirst) this.inFirstPrompt.push(name)
    }
    this.#isFirst = false
  }

  /** Undefined while the tool is hidden. */
  invoke(tool: string, args: Record<string, unknown>): Invocation | undefined {
    const direct = this.#find(tool)
    if (direct) {
      const { name, namespace } = direct
      return { name, arguments: args, ...(namespace === undefined ? {} : { namespace }) }
    }
    const name = this.#parts.fullName(tool)
    const runner = this.codeTool
    if (runner) {
      const code = `text(await tools.${name}(${JSON.stringify(args)}))`
      return {
        name: runner.name,
        arguments: {},
        code,
        ...(runner.namespace && { namespace: runner.namespace }),
      }
    }
    const isCallable = this.#shown.has(name) && this.#current.some((one) => one.name === CALLING_TOOL)
    return isCallable ? { name: CALLING_TOOL, arguments: { name, arguments: args } } : undefined
  }

  /** Runs a program of the model that calls tools, none of which are offered themselves. */
  get codeTool(): OfferedTool | undefined {
    return this.#current.find(({ description }) => description.includes(TOOLS_OF_CODE))
  }

  /** Undefined where there is nothing to search with. */
  search(query: string): Invocation | undefined {
    const words = query.match(/\b(?!what|about)\w{4,}/g) ?? []
    return this.#search({ query, pattern: words.join('|') })
  }

  /** A search that makes a hidden tool callable: by its name where that is possible, else by what it is described with. */
  load(tool: string): Invocation | undefined {
    const name = this.#parts.fullName(tool)
    const { description = '' } = this.#parts.traffic().tools.find((one) => one.name === tool) ?? {}
    const isSelecting = this.searchTool?.description.includes('select:')
    return this.#search({
      query: isSelecting ? `select:${name}` : `${tool} ${description}`,
      pattern: `${name}$`,
    })
  }

  /** Some search by words, others by a regular expression. */
  #search({ query, pattern }: { query: string; pattern: string }): Invocation | undefined {
    if (!this.searchTool) return undefined
    const { name, schema } = this.searchTool
    return { name, arguments: 'pattern' in objectOf(schema.properties) ? { pattern } : { query } }
  }

  #find(tool: string): OfferedTool | undefined {
    return this.#current.find((one) => !one.isDeferred && nameOf(one) === this.#parts.fullName(tool))
  }
}

/** Tools that a search shows in its text: `<function>{"name": …}</function>`. */
function toolsShown(text: string): OfferedTool[] {
  return [...text.matchAll(/<function>(\{.*\})<\/function>/g)].map(([, json = '{}']) => {
    const { name, description, parametersJsonSchema } = objectOf(JSON.parse(json))
    const schema = objectOf(parametersJsonSchema)
    return { name: stringOf(name), description: stringOf(description), schema }
  })
}
