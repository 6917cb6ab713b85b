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
import type { Served } from './model/served.ts'
import { promptsOf } from './prompts/prompts.ts'
import { listResources, listTemplates } from './resources/list-resources.ts'

export function prepareToolList(served: Served, { protocol }: Request): Call<ListToolsResult> {
  return list('tools/list', () => {
    const choice = { answers: served.answers, protocol }
    const offered = offeredTools(served.tools, served.allowed())
    return { tools: offered.map((tool) => listedTool(tool, sendsData(tool, choice))) }
  })
}

export function preparePromptList(served: Served): Call<ListPromptsResult> {
  return list('prompts/list', () => {
    const offered = promptsOf(offeredTools(served.tools, served.allowed()), served.allowed())
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

export function prepareTemplateList(served: Served): Call<ListResourceTemplatesResult> {
  return list('resources/templates/list', () => ({ resourceTemplates: listTemplates(served) }))
}

function list<R>(name: string, make: () => R): Call<R> {
  return { name, access: 'reads', scope: 'memories:read', isQuick: true, run: async () => make() }
}
