import type { Client } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { auditOf } from '../support/audit.ts'
import { connectTeam, keyFor, openTeam } from '../support/team.ts'
import { type Planted, plant, type Surface, surfacesOf } from '../support/team-surfaces.ts'

/** What the audit has of every call of a tool. Who adds a tool adds a row. */
const TOOLS: Record<string, string[]> = {
  'MemoryTree []': ['memory_listed'],
  'MemorySearch ["friday"]': ['memory_searched'],
  'MemoryFetch ["NODE"]': ['memory_recalled node NODE'],
  'MemoryFetchBatch [["NODE"]]': ['memory_recalled node NODE'],
  'MemoryDelta [1]': ['history_read snapshot 1'],
  'MemoryDiff [1,5]': ['history_read snapshot 5'],
  'MemoryHistory ["NODE"]': ['history_read node NODE'],
  'MemoryRelated ["NODE"]': ['memory_searched node NODE'],
  'MemoryStats []': [],
  'MemoryWrite ["Never on a Monday."]': ['node_written node NEW'],
  'MemorySummarize ["NODE","Short."]': ['node_summarized node NODE'],
  // It is not offered.
  'MemoryCompile ["/"]': [],
  'MemoryRelate ["NODE","Elsewhere"]': ['nodes_related node NODE'],
  'MemoryPin ["NODE"]': ['node_pinned node NODE'],
  'MemoryUnpin ["NODE"]': ['node_unpinned node NODE'],
  'MemoryForget ["SCRAP","cascade"]': ['node_forgotten node SCRAP'],
  'MemoryRestore ["NODE",5]': [],
  'MemoryRestore ["NODE",5,true]': [],
  'MemoryRollback [5]': ['memory_rolled_back snapshot 5'],
  'MemoryRollback [5,true]': ['memory_rolled_back snapshot 5', 'history_erased snapshot 5'],
  'query_memories ["core"]': ['memory_listed'],
  'get_memory_stats []': [],
  'store_memory ["core","Likes tea."]': ['memory_created record NEW'],
  'update_memory ["RECORD","Likes coffee."]': ['memory_updated record RECORD'],
  'delete_memory ["RECORD"]': ['memory_updated record RECORD'],
  'delete_memory ["RECORD",true]': ['memory_deleted record RECORD'],
  'recall ["plan"]': ['memory_recalled key plan'],
  'search_memories ["ship"]': ['memory_searched'],
  'list_memories []': ['memory_listed'],
  'list_tags []': [],
  'memory_history ["plan"]': ['history_read key plan'],
  'relate_memories ["plan"]': ['memory_searched key plan'],
  'summarize_context ["work"]': ['context_summarized'],
  'pack_context ["ship"]': ['memory_searched'],
  'ping []': [],
  'remember ["plan","Wait."]': ['memory_updated key plan'],
  'remember_if_absent ["other","Wait."]': ['memory_created key other'],
  'remember_blob ["image","AAEC","image/png"]': ['memory_created key image'],
  // There is no such version.
  'restore_memory ["plan","2020-01-01T00:00:00Z"]': [],
  'forget ["other"]': ['memory_deleted key other'],
  // Nothing has this tag, and there is no such file.
  'forget_all ["scrap"]': [],
  'redact_memory ["image"]': ['memory_redacted key image'],
  'memory ["read","/today"]': ['memory_recalled file memory/today'],
  'memory ["list","/"]': ['memory_listed'],
  'memory ["append","/today","more"]': ['memory_updated file memory/today'],
  'memory ["update","/today","first","second"]': ['memory_updated file memory/today'],
  'memory ["delete","/scrap"]': [],
}

/** Of the reads of resources: of all others the server shows itself, or nothing is found. */
const RESOURCES: Record<string, string[]> = {
  'remindb://files': ['memory_listed'],
  'remindb://tree': ['memory_listed'],
  'remindb://tree{?depth,cursor,limit}': ['memory_listed'],
  'remindb://tree/{rootId}{?depth}': ['memory_listed node NODE'],
  'remindb://tree/{rootId}{?depth,cursor,limit}': ['memory_listed node NODE'],
  'remindb://graph': ['memory_listed'],
  'remindb://graph{?cursor,limit}': ['memory_listed'],
  'remindb://temperature': ['memory_listed'],
  'remindb://temperature{?cursor,limit}': ['memory_listed'],
  'remindb://snapshots': ['history_read'],
  'remindb://snapshots{?limit}': ['history_read'],
  'remindb://snapshots{?cursor,limit}': ['history_read'],
  'remindb://log{?cursor,author,operation,path}': ['history_read'],
  'remindb://snapshots/{id}/diffs': ['history_read snapshot 5'],
  'remindb://snapshots/{id}/diffs{?cursor,limit}': ['history_read snapshot 5'],
  'remindb://search{?q,limit}': ['memory_searched'],
  'remindb://at/{moment}/tree{?root,depth,cursor,limit}': ['memory_listed'],
  'remindb://at/{moment}/node/{id}': ['memory_recalled node NODE'],
  'remindb://changes/{from}/{to}{?cursor,limit}': ['history_read'],
  'memory://_index': ['memory_listed'],
  'memory://{key}': ['memory_recalled key plan'],
}

/** Neither shows content, or reading it would notify who reads it. */
const SILENT = [
  ...['overview', 'doctor', 'logs', 'rescan', 'audit', 'audit{?cursor,limit}'],
  ...['sessions', 'sessions/history', 'sessions/history/{hash}', 'sessions/logs', 'sessions/logs/{id}'],
].map((name) => `remindb://${name}`)
const NOT_FOUND = ['memory://custom/{view}{?limit,since,tags}', 'memory://_key/{key}']
const VIEWS = ['recent', 'core', 'learnings', 'tasks/active', 'tasks/completed']

function expectedOf({ asked: { method }, name }: Surface): string[] | undefined {
  if (method === 'prompts/get') return []
  if (method === 'tools/call') return TOOLS[name.slice('tool '.length)]
  const template = name.slice('resources/read '.length)
  if ([...SILENT, ...NOT_FOUND].includes(template)) return []
  const isView = VIEWS.some((view) => template.split('{')[0] === `memory://${view}`)
  return isView ? ['memory_listed'] : RESOURCES[template]
}

/** The same, without the names that differ from run to run. */
function named(text: string, { node, scrap, record }: Planted): string {
  return text
    .replaceAll(node, 'NODE')
    .replaceAll(scrap, 'SCRAP')
    .replaceAll(record, 'RECORD')
    .replace(/(?<=node_written node |memory_created record ).*$/, (id) => (/^[A-Z]+$/.test(id) ? id : 'NEW'))
}

async function ask(client: Client, { asked: { method, params } }: Surface): Promise<void> {
  const given = params as never
  const answer =
    method === 'tools/call'
      ? client.callTool(given)
      : method === 'resources/read'
        ? client.readResource(given)
        : client.getPrompt(given)
  // What is refused has no entry either.
  await answer.catch(() => undefined)
}

test('the audit has of every call, read and prompt what it is expected to have, and nothing else', async () => {
  const team = await openTeam()
  const { key } = await keyFor(team, { scopes: ['memories:admin'] })
  const { client, call, read } = await connectTeam(team, { key })
  const planted = await plant({ call, read })
  await team.spaces.flush()
  let { length: seen } = (await auditOf(team)).entries
  for (const surface of surfacesOf(planted)) {
    if (!['tools/call', 'resources/read', 'prompts/get'].includes(surface.asked.method)) continue
    const name = named(surface.name, planted)
    await ask(client, surface)
    await team.spaces.flush()
    const { entries } = await auditOf(team)
    const events = entries
      .slice(seen)
      .map(({ event, subjectKind, subject }) => named(`${event} ${subjectKind} ${subject}`.trim(), planted))
    expect({ [name]: events }).toEqual({ [name]: expectedOf({ ...surface, name }) })
    seen = entries.length
  }
})
