import { createRandom } from '../../bench/engine/corpus.ts'
import { connectRaw, ERAS, type RawAnswer } from './raw-client.ts'
import { keyFor, type Team } from './team.ts'
import { type Actor, type Call, learn, pick } from './tenant-calls.ts'
import { askBoth, probesOfClient, probesOfSpace } from './tenant-probes.ts'

/** By space, what its clients are called and put into whatever they store. Of twelve characters: Base64 keeps them whole. */
export const TENANTS = {
  redspacemark: ['vermiglionax', 'amaranthinox'],
  bluspacemark: ['ceruleanvobx', 'turquoisbenx'],
}

const MARKERS = Object.entries(TENANTS).flatMap(([space, names]) =>
  [space, ...names].map((marker) => ({ marker, space, forms: [marker, btoa(marker)] })),
)

/** Two clients a space, the second of them its admin, each over both eras. */
export async function connectTenants(team: Team, seed: number): Promise<Actor[]> {
  const actors: Actor[] = []
  for (const [space, markers] of Object.entries(TENANTS))
    for (const [at, marker] of markers.entries()) {
      const scopes = [at === 0 ? ('memories:write' as const) : ('memories:admin' as const)]
      const { id: keyId, key } = await keyFor(team, { user: marker, space, scopes })
      for (const era of ERAS) {
        const prefix = `${marker}-${era.slice(0, 4)}`
        actors.push({
          tenant: { marker, space, keyId, isAdmin: at > 0 },
          raw: await connectRaw(team, { key, era, name: prefix }),
          random: createRandom(seed + actors.length),
          prefix,
          ...{ nodes: [], records: [], keys: new Set<string>() },
        })
      }
    }
  return actors
}

/** Markers that are not of this space. */
export function foreignTo(space: string): string[] {
  return MARKERS.filter((one) => one.space !== space).flatMap(({ forms }) => forms)
}

/** Every marker that this client may not see; with `isOwn`, also those of others in its space. */
function forbiddenTo({ tenant }: Actor, isOwn: boolean): string[] {
  const ofOthers = MARKERS.filter(
    ({ marker, space }) => space === tenant.space && marker !== space && marker !== tenant.marker,
  )
  return [...foreignTo(tenant.space), ...(isOwn ? ofOthers.flatMap(({ forms }) => forms) : [])]
}

/** Runs calls of actors, and looks at everything that they are given. */
export function createLookout() {
  const leaks: string[] = []
  const heard = new Map<Actor, Set<string>>()
  let calls = 0

  function look(actor: Actor, shown: string, { isOwn = false, about = '' }): void {
    for (const marker of forbiddenTo(actor, isOwn))
      if (shown.includes(marker))
        leaks.push(`${actor.prefix} is shown ${marker} by ${about}: ${shown.slice(0, 1000)}`)
  }

  function hear(actor: Actor, data: string): void {
    const { method, params } = JSON.parse(data)
    // It repeats what was asked for.
    if (method === 'notifications/subscriptions/acknowledged') return
    const isUpdate = method === 'notifications/resources/updated'
    look(actor, data, { isOwn: isUpdate, about: method })
    heard.get(actor)?.add(isUpdate ? params.uri : method)
  }

  return {
    leaks,
    calls: () => calls,
    look,
    /** URIs and methods that an actor was notified of. */
    heard: (actor: Actor): ReadonlySet<string> => heard.get(actor) ?? new Set(),
    async run(actor: Actor, call: Call): Promise<RawAnswer> {
      calls++
      const answer = await actor.raw.ask(call.method, call.params)
      learn(actor, call, answer)
      const about = JSON.stringify(call)
      look(actor, `${answer.headers}\n${answer.text}`, { isOwn: call.isOwn ?? false, about })
      return answer
    },
    /** Asks for something of another's: the answer is as if there were no such thing. */
    async probe(actor: Actor, other: Actor): Promise<void> {
      if (actor.tenant.marker === other.tenant.marker) return
      const isSameSpace = actor.tenant.space === other.tenant.space
      const probe = pick(actor, isSameSpace ? probesOfClient(actor, other) : probesOfSpace(actor, other))
      if (!probe) return
      calls += 2
      const [theirs, nobodys] = await askBoth(probe)
      if (theirs !== nobodys)
        leaks.push(`${actor.prefix} learns of ${probe.theirs}:\n${theirs}\n${nobodys}\n${probe.ask}`)
    },
    async listen(actor: Actor, uris: readonly string[]): Promise<void> {
      heard.set(actor, new Set())
      await actor.raw.listen(uris, (data) => hear(actor, data))
    },
  }
}
export type Lookout = ReturnType<typeof createLookout>
