import type {
  ListPromptsResult,
  ListResourcesResult,
  ListResourceTemplatesResult,
  ListToolsResult,
} from '@modelcontextprotocol/server'
import { listedTool } from './listed-tool.ts'
import { sendsData } from './model/answer-data.ts'
import { offeredTools } from './model/permissions.ts'
import type { Call, Request } from './model/request.ts'
import { isServed } from './model/scheme.ts'
import type { Served } from './model/served.ts'
import { promptsOf } from './prompts/prompts.ts'
import { TEMPLATE_ENTRIES } from './resources/list.ts'
import { listResources } from './resources/list-resources.ts'

export function prepareToolList(served: Served, { caller, protocol }: Request): Call<ListToolsResult> {
  return list('tools/list', () => {
    const choice = { answers: served.answers, protocol }
    const offered = offeredTools(served.tools, served.allowed(caller))
    return { tools: offered.map((tool) => listedTool(tool, sendsData(tool, choice))) }
  })
}

export function preparePromptList(served: Served, { caller }: Request): Call<ListPromptsResult> {
  return list('prompts/list', () => {
    const offered = promptsOf(offeredTools(served.tools, served.allowed(caller)))
    const prompts = offered.map(({ name, title, description, arguments: wanted }) => ({
      ...{ name, title, description },
      ...(wanted && { arguments: wanted.map((argument) => ({ ...argument })) }),
    }))
    return { prompts }
  })
}

export function prepareResourceList(served: Served): Call<ListResourcesResult> {
  return list('resources/list', () => ({ resources: listResources(served) }))
}

export function prepareTemplateList({ schemes }: Served): Call<ListResourceTemplatesResult> {
  const resourceTemplates = TEMPLATE_ENTRIES.filter(({ uriTemplate }) => isServed(schemes, uriTemplate))
  return list('resources/templates/list', () => ({ resourceTemplates }))
}

function list<R>(name: string, make: () => R): Call<R> {
  return { name, access: 'reads', isQuick: true, run: async () => make() }
}
