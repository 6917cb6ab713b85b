import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ensureProgramIsBuilt, temporaryFolder } from '../support/cli.ts'
import { type Check, listScenarios, runScenarios } from '../support/conformance.ts'
import { ERAS, type Revision } from '../support/mcp.ts'
import { type Serving, startServing } from '../support/serving.ts'
import scenarios from './conformance-scenarios.json' with { type: 'json' }

const { doesNotApply } = scenarios
/** How many checks of its own each must pass, at least, by revision. */
const applies: Record<string, Partial<Record<Revision, number>>> = scenarios.applies
/** Checks of scenarios that apply which cannot be made here, with the reason. */
const cannotCheck: Record<string, Record<string, string>> = scenarios.cannotCheck

/** Made of every scenario that speaks at all: passing it says nothing of what a scenario is about. */
const WIRE = 'wire-schema-valid'

function applying(revision: Revision): [string, number][] {
  return Object.entries(applies).flatMap(([name, counts]) => {
    const atLeast = counts[revision]
    return atLeast === undefined ? [] : [[name, atLeast]]
  })
}

/** A warning is a requirement that was not met, only one that says SHOULD. */
function isBad({ status }: Check): boolean {
  return status !== 'SUCCESS' && status !== 'INFO' && status !== 'SKIPPED'
}

const folder = temporaryFolder()
const notes = temporaryFolder({
  'deploys.md': '# Deploys\n\nNever on a Friday.\n',
  'pager/rota.md': '# Rota\n\nAda, then Bob. See [deploys](../deploys.md).\n',
})
let serving: Serving

beforeAll(async () => {
  ensureProgramIsBuilt()
  serving = await startServing({ cwd: notes.path })
})
afterAll(async () => {
  await serving?.kill()
  folder[Symbol.dispose]()
  notes[Symbol.dispose]()
})

test('every scenario is known: it applies to the revisions it is for, or there is a reason why not', () => {
  const all = listScenarios(folder.path)
  expect([...all.keys()].sort()).toEqual(['Server', ...Object.keys(scenarios.areNotForServers)].sort())
  const listed = [...(all.get('Server') ?? [])].map(([name, of]) => {
    const revisions = ERAS.filter((revision) => of.includes(revision))
    return [name, name in doesNotApply ? 'does not apply' : revisions]
  })
  const known = [
    ...Object.keys(doesNotApply).map((name) => [name, 'does not apply']),
    ...Object.entries(applies).map(([name, counts]) => [name, Object.keys(counts)]),
  ]
  expect(listed.sort()).toEqual(known.sort())
  expect(Object.keys(cannotCheck).filter((name) => !(name in applies))).toEqual([])
  expect(Object.values(applies).flatMap((counts) => Object.values(counts))).not.toContain(0)
})

describe.each(ERAS)('conformance to %s', (revision) => {
  let results = new Map<string, Check[]>()
  beforeAll(() => {
    results = runScenarios(serving.url, revision, folder.path)
  }, 120_000)

  test.each(applying(revision))('%s', (name, atLeast) => {
    const own = (results.get(name) ?? []).filter(({ id }) => id !== WIRE)
    const excused = Object.keys(cannotCheck[name] ?? {})
    const bad = own.filter(isBad)
    expect(bad.filter(({ id }) => !excused.includes(id))).toEqual([])
    // An excuse that is no longer needed is taken back.
    expect(bad.map(({ id }) => id).sort()).toEqual(excused.sort())
    expect(own.filter(({ status }) => status === 'SUCCESS').length).toBeGreaterThanOrEqual(atLeast)
  })

  test('whatever was sent fits the schema, also in scenarios that do not apply', () => {
    const wire = [...results].flatMap(([scenario, checks]) =>
      checks.filter(({ id }) => id === WIRE).map((check) => ({ ...check, scenario })),
    )
    expect(wire.filter(isBad)).toEqual([])
    expect(wire.length).toBeGreaterThanOrEqual(20)
  })
})
