import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { RESOURCES } from '../../src/mcp/resources/list.ts'
import { SUBSCRIBABLE, uriOf } from '../../src/mcp/subscriptions/subscribable.ts'
import { toolsOf } from '../../src/mcp/toolsets.ts'
import { spaceFiles } from '../../src/runtime/spaces/space-files.ts'
import { temporaryFolder } from '../support/engine.ts'
import { soon } from '../support/soon.ts'
import { openTeam, type Team } from '../support/team.ts'
import {
  type Actor,
  everyCall,
  PROMPT_GETS,
  pick,
  RESOURCE_READS,
  randomCall,
  TOOL_CALLS,
} from '../support/tenant-calls.ts'
import { connectTenants, createLookout, foreignTo, type Lookout, TENANTS } from '../support/tenants.ts'

const CALLS = 20_000
const PROBES = 0.1
/** `TENANTS_SEED=…` for other calls in another order. */
const SEED = Number(process.env.TENANTS_SEED ?? 23)

test('the calls of tenants cover every tool, resource and prompt', async () => {
  const team = await openTeam({ spaces: Object.keys(TENANTS) })
  const actor = (await connectTenants(team, SEED)).at(-1) as Actor
  const { prompts } = await resultOf(actor, 'prompts/list')
  const offered = toolsOf(['all']).filter(({ scope }) => scope !== 'operator')
  expect(Object.keys(TOOL_CALLS).sort()).toEqual(offered.map(({ name }) => name).sort())
  expect(Object.keys(RESOURCE_READS)).toEqual(RESOURCES.map(({ uri }) => uri))
  expect(Object.keys(PROMPT_GETS)).toEqual(prompts.map(({ name }: { name: string }) => name))
})

test('a tenant never sees what is of another, whatever both do', { timeout: 600_000 }, async () => {
  console.log(`TENANTS_SEED=${SEED}`)
  const log = join(temporaryFolder(), 'process.log')
  const team = await openTeam({ spaces: Object.keys(TENANTS), settings: talkative(log) })
  const actors = await connectTenants(team, SEED)
  const lookout = createLookout()
  for (const actor of actors) await lookout.listen(actor, urisFor(actors))
  for (const actor of actors) for (const call of everyCall(actor)) await lookout.run(actor, call)
  await Promise.all(actors.map((actor) => keepAsking(actor, { actors, lookout })))
  expect(lookout.leaks).toEqual([])
  await checkNotified(actors, lookout)
  await checkKeys(actors)
  await checkChildKeys(actors, lookout)
  await checkDestruction(actors, lookout)
  expect(lookout.leaks).toEqual([])
  expect(lookout.calls()).toBeGreaterThanOrEqual(CALLS)
  await checkFiles(team)
  // Logs have nothing of what anybody wrote.
  const logged = readFileSync(log, 'utf8') + JSON.stringify(team.records)
  expect(logged).toContain('mcp call')
  expect(
    Object.keys(TENANTS)
      .flatMap(foreignTo)
      .filter((marker) => logged.includes(marker)),
  ).toEqual([])
})

function talkative(log: string) {
  return {
    'server.logging.level': 'debug',
    'server.logging.output_path': log,
    'server.logging.session_files.enabled': true,
    'files.memories': [{ id: 'memory', scope: 'perThread' }],
    // Clients of the old era are notified of what got cold.
    'temperature.tick_interval': '1s',
    'temperature.decay_rate': 1000,
    'temperature.cold_notify_ttl': '0',
  } as const
}

/** What every actor listens to: also the keys of all others. */
function urisFor(actors: readonly Actor[]): string[] {
  const keys = actors.flatMap(({ prefix }) => [1, 2, 3].map((at) => `memory://${prefix}-key-${at}`))
  return [...SUBSCRIBABLE.map(uriOf), 'memory://_index', ...keys]
}

async function keepAsking(
  actor: Actor,
  { actors, lookout }: { actors: readonly Actor[]; lookout: Lookout },
): Promise<void> {
  while (lookout.calls() < CALLS) {
    if (actor.random() < PROBES) await lookout.probe(actor, pick(actor, actors) as Actor)
    else await lookout.run(actor, randomCall(actor))
  }
}

/** Each heard of its own keys and of its space: what was looked at were not empty streams. */
async function checkNotified(actors: readonly Actor[], { heard }: Lookout): Promise<void> {
  for (const actor of actors) {
    const { marker } = actor.tenant
    await soon(() => [...heard(actor)].some((uri) => uri.startsWith(`memory://${marker}`))).toBe(true)
    await soon(() => heard(actor).has('remindb://tree')).toBe(true)
    if (actor.raw.era === '2025-11-25') await soon(() => heard(actor).has('notifications/message')).toBe(true)
  }
}

/** Counts and lists have what was stored in the space, the index what its client stored. */
async function checkKeys(actors: readonly Actor[]): Promise<void> {
  for (const actor of actors) {
    const { marker, space } = actor.tenant
    const stored = actors.filter(({ tenant }) => tenant.space === space)
    const own = stored.filter(({ tenant }) => tenant.marker === marker)
    const { items, count } = JSON.parse(await textOf(actor, 'tools/call', LIST))
    const index = await textOf(actor, 'resources/read', INDEX)
    expect(items.map(({ key }: { key: string }) => key).sort()).toEqual(keysOf(stored))
    expect(count).toBe(items.length)
    expect(index.split('\n').map((uri) => uri.slice('memory://'.length))).toEqual(keysOf(own))
  }
}

const LIST = { name: 'list_memories', arguments: { limit: 500 } }
const INDEX = { uri: 'memory://_index' }

function keysOf(actors: readonly Actor[]): string[] {
  return actors.flatMap(({ keys }) => [...keys]).sort()
}

/** A holder sees the keys that it made, and no others. */
async function checkChildKeys(actors: readonly Actor[], { look }: Lookout): Promise<void> {
  const at = ({ tenant }: Actor): string => `/s/${tenant.space}/keys`
  for (const actor of actors) await actor.raw.http('POST', at(actor), { body: { label: actor.prefix } })
  for (const actor of actors) {
    const { text } = await actor.raw.http('GET', at(actor))
    expect(text).toContain(actor.prefix)
    look(actor, text, { isOwn: true, about: at(actor) })
  }
}

/** Whatever an admin destroys, it is in its own space. */
async function checkDestruction(actors: readonly Actor[], { run }: Lookout): Promise<void> {
  const admins = actors.filter(({ tenant, raw }) => tenant.isAdmin && raw.era === '2026-07-28')
  const [red, blue] = admins as [Actor, Actor]
  const before = await stateOf(blue)
  const call = (name: string, args: object) =>
    run(red, { method: 'tools/call', params: { name, arguments: args } })
  for (const marker of TENANTS.redspacemark) await call('forget_all', { tag: marker })
  await call('MemoryRollback', { snapshot_id: 1, drop_after: true })
  expect(JSON.parse(await textOf(red, 'tools/call', LIST)).count).toBe(0)
  expect(await stateOf(blue)).toEqual(before)
}

/** What no reading changes. */
async function stateOf(actor: Actor): Promise<object> {
  const { nodes } = JSON.parse(await textOf(actor, 'resources/read', { uri: 'remindb://graph' }))
  const { items } = JSON.parse(await textOf(actor, 'tools/call', LIST))
  const records = { name: 'get_memory_stats', arguments: {} }
  return {
    snapshots: await textOf(actor, 'resources/read', { uri: 'remindb://snapshots' }),
    index: await textOf(actor, 'resources/read', INDEX),
    nodes: nodes.map(({ id, label }: Record<string, string>) => [id, label]),
    keys: items.map(({ key, value, version }: Record<string, string>) => [key, value, version]),
    records: JSON.parse(await textOf(actor, 'tools/call', records)).total_memories,
  }
}

/** Whatever a space keeps, in its database, logs and ledger, is of its own clients. */
async function checkFiles({ accounts, dir }: Team): Promise<void> {
  for (const { id, name } of await accounts.spaces.list()) {
    const { folder } = spaceFiles(dir, id)
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
    expect(files.length).toBeGreaterThan(1)
    for (const file of files) {
      const bytes = readFileSync(join(file.parentPath, file.name))
      expect(foreignTo(name).filter((marker) => bytes.includes(marker))).toEqual([])
    }
  }
}

// biome-ignore lint/suspicious/noExplicitAny: what is read is what others parse, untyped
async function resultOf(actor: Actor, method: string, params: Record<string, unknown> = {}): Promise<any> {
  const { text } = await actor.raw.ask(method, params)
  return JSON.parse(/\{.*\}/.exec(text)?.[0] ?? '{}').result
}

async function textOf(actor: Actor, method: string, params: Record<string, unknown>): Promise<string> {
  const { content, contents } = await resultOf(actor, method, params)
  return (content ?? contents)[0].text
}
