import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { measurePrograms } from '../agents/measure-programs.ts'
import { readOptions } from '../agents/options.ts'
import type { Program } from '../agents/programs/program.ts'
import type { Report, RunResult } from '../agents/report/report.ts'
import { SCENARIOS, type Scenario } from '../agents/scenarios.ts'
import { ensureProgramIsBuilt } from './support/cli.ts'

const AGENT = join(import.meta.dirname, 'support', 'scripted-agent.ts')
const MISSING = { name: 'missing', title: 'Missing', package: './not-there', command: 'missing' }

const agent: Program = {
  ...{ name: 'agent', title: 'Agent', package: 'agent', version: '1.0.0', command: 'agent' },
  notes: [],
  toolName: (tool) => tool,
  launch: ({ home, modelUrl, server, prompt }) => ({
    args: [AGENT, join(home, 'server.json'), prompt],
    env: { MODEL_URL: modelUrl },
    files: { [join(home, 'server.json')]: JSON.stringify(server) },
  }),
}

/** Each over one transport: it takes half the time. */
const scenarios = SCENARIOS.map(
  (one): Scenario => ({
    ...one,
    transports: [one.name === 'tree' ? 'http' : 'stdio'],
  }),
)
const userConfig = process.env.XDG_CONFIG_HOME ?? ''
const cache = mkdtempSync(join(tmpdir(), 'remindb-cache-'))
const temporary = mkdtempSync(join(tmpdir(), 'remindb-tmp-'))
const said: string[] = []
let report: Report

beforeAll(async () => {
  ensureProgramIsBuilt()
  vi.stubEnv('TMPDIR', temporary)
  const commands = join(cache, 'agent@1.0.0', 'node_modules', '.bin')
  mkdirSync(commands, { recursive: true })
  symlinkSync(process.execPath, join(commands, 'agent'))
  const programs = [agent, { ...agent, ...MISSING }]
  const options = { ...readOptions([]), programs, scenarios, cache, timeoutMs: 60_000 }
  report = await measurePrograms(options, (line) => said.push(line))
})
afterAll(() => {
  vi.unstubAllEnvs()
  for (const folder of [cache, temporary]) rmSync(folder, { recursive: true, force: true })
})

const runOf = (scenario: Scenario['name']): RunResult | undefined =>
  report.programs[0]?.runs.find((run) => run.scenario === scenario)
const kindsOf = (run: RunResult | undefined) => run?.steps.map(({ name, kind }) => [name, kind])

test.each(['tree', 'doors'] as const)('every step of the script %s is made', (scenario) => {
  const run = runOf(scenario)
  expect(run?.failure).toBeUndefined()
  expect(run).toMatchObject({ protocol: '2025-11-25', tools: { inFirstPrompt: 'all', schemaChanges: [] } })
  expect(kindsOf(run)?.filter(([, kind]) => kind === 'refused' || kind === 'replaced')).toEqual([])
})

test('an answer that the program cuts is found to be cut', () => {
  const { steps = [] } = runOf('tree') ?? {}
  for (const { kind, textLength, gotLength } of steps) {
    expect(kind).toBe(textLength > 10_000 ? 'cut' : 'text')
    expect(gotLength).toBeLessThan(10_010)
  }
})

test('instructions that the program passes on are found whole', () => {
  const { instructions } = runOf('tree') ?? {}
  expect(instructions?.sent).toBeGreaterThan(100)
  expect(instructions?.seen).toBe(instructions?.sent)
})

test('calls of every kind are made where the program asks nobody', () => {
  expect(kindsOf(runOf('unattended'))).toEqual([
    ['reads', 'text'],
    ['writes', 'text'],
    ['removes', 'text'],
  ])
})

test('a program that cannot be installed is skipped, with the reason', () => {
  expect(report.programs[1]).toMatchObject({
    runs: [],
    skipped: expect.stringMatching(/^cannot be installed: /),
  })
  expect(said.join('\n')).toContain('Missing: skipped, it cannot be installed: ')
})

test('nothing is left behind', () => {
  expect(readdirSync(userConfig)).toEqual([])
  expect(readdirSync(temporary)).toEqual([])
})
