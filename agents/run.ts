import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { environmentOf } from './environment.ts'
import type { BigMemory } from './memory.ts'
import { refuseInternet } from './model/no-internet.ts'
import { serveModel } from './model/server.ts'
import { type Command, endStrays, runBounded } from './processes.ts'
import type { Launch, Program } from './programs/program.ts'
import type { Scenario, Transport } from './scenarios.ts'
import { MARKER, Script } from './script/script.ts'
import { prepareServer } from './server.ts'
import { readTraffic, type TapEntry, type Traffic } from './tap/traffic.ts'

export interface RunPlan {
  program: Program
  /** The installed program. */
  command: string
  scenario: Scenario
  transport: Transport
  memory: BigMemory
  /** Of this run alone: it holds all that is written, and the logs. */
  folder: string
  timeoutMs: number
}

export interface FinishedRun {
  script: Script
  traffic: Traffic
  /** Undefined when it was ended for taking too long. */
  exitCode: number | undefined
}

/** One program runs one script over one transport, on its own copy of the memory. */
export async function runProgram(plan: RunPlan): Promise<FinishedRun> {
  const { program, scenario, transport, folder, memory } = plan
  const home = join(folder, 'home')
  const work = join(folder, 'work')
  for (const path of [home, work, join(folder, 'tmp')]) mkdirSync(path, { recursive: true })
  const db = join(folder, 'memory.db')
  copyFileSync(memory.db, db)
  const tap = join(folder, 'mcp.jsonl')
  const traffic = () => readTraffic(readTap(tap))
  const script = new Script({ steps: scenario.steps(memory), fullName: program.toolName, traffic })
  const answer = script.answer.bind(script)
  await using model = await serveModel({ answer, log: join(folder, 'model.jsonl') })
  await using proxy = await refuseInternet(join(folder, 'refused-hosts.txt'))
  const env = environmentOf(folder, proxy.url)
  await using server = await prepareServer({
    transport,
    args: ['--db', db, ...scenario.serve],
    folder,
    tap,
    env,
  })
  const launch = program.launch({
    ...{ home, work, modelUrl: model.url, server: server.entry },
    ...{ prompt: MARKER, isAllowed: scenario.isAllowed },
  })
  writeFiles(launch)
  const command: Command = {
    ...{ command: plan.command, args: launch.args, cwd: work, env: { ...env, ...launch.env } },
    log: join(folder, 'program.log'),
  }
  const exitCode = await runBounded(command, plan.timeoutMs)
  endStrays(home)
  return { script, traffic: traffic(), exitCode }
}

function readTap(path: string): TapEntry[] {
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line) as TapEntry)
}

function writeFiles({ files }: Launch): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
}
