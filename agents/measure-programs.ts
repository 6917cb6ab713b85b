import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { userFolders } from './environment.ts'
import { install } from './install.ts'
import { type BigMemory, buildMemory } from './memory.ts'
import type { Options } from './options.ts'
import type { Program } from './programs/program.ts'
import type { ProgramResult, Report, RunResult } from './report/report.ts'
import { resultOfRun } from './report/result-of-run.ts'
import { type FinishedRun, type RunPlan, runProgram } from './run.ts'
import { hasArrived } from './script/script.ts'

type Say = (line: string) => void

/** Installs and runs every program, one after the other. `say` gets a line for each thing that begins. */
export async function measurePrograms(options: Options, say: Say): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'remindb-agents-'))
  const tidy = () => (options.isKept ? say(`kept in ${folder}`) : removeFolder(folder))
  process.on('exit', tidy) // also when it is interrupted
  try {
    return await measureIn(folder, options, say)
  } finally {
    process.off('exit', tidy)
    tidy()
  }
}

async function measureIn(folder: string, options: Options, say: Say): Promise<Report> {
  mkdirSync(options.cache, { recursive: true })
  // The library remembers in the user's folders what it compiled.
  Object.assign(process.env, userFolders(folder))
  say('building a memory…')
  const memory = await buildMemory(folder)
  const programs: ProgramResult[] = []
  for (const program of options.programs)
    programs.push(await measureProgram(program, { options, memory, folder, say }))
  return { date: new Date().toISOString().slice(0, 10), nodes: memory.nodes, programs }
}

/** A process that was just killed may still hold a file in it. */
function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}

interface Around {
  options: Options
  memory: BigMemory
  folder: string
  say: Say
}

async function measureProgram(program: Program, around: Around): Promise<ProgramResult> {
  const { name, title, version } = program
  const { options, say } = around
  const result: ProgramResult = { name, title, package: program.package, version, runs: [] }
  say(`${title} ${version}: installing…`)
  const installed = await install(program, options.cache)
  if (installed.kind === 'failed') {
    say(`${title}: skipped, it cannot be installed: ${installed.reason}`)
    return { ...result, skipped: `cannot be installed: ${installed.reason}` }
  }
  for (const scenario of options.scenarios) {
    for (const transport of scenario.transports.filter((one) => options.transports.includes(one))) {
      say(`${title}: ${scenario.name} over ${transport}…`)
      const folder = join(around.folder, `${name}-${scenario.name}-${transport}`)
      const { command } = installed
      const { memory } = around
      const plan = { program, command, scenario, transport, memory, folder, timeoutMs: options.timeoutMs }
      const run = resultOfRun(plan, await runConnected(plan, say))
      if (run.failure) say(`${title}: ${scenario.name} over ${transport}: ${run.failure}`)
      result.runs.push(run)
    }
  }
  return withSkip(result)
}

const ATTEMPTS = 3

/** On a busy machine a program may ask its model before it is connected to the server, or give the server up: then it runs again. */
async function runConnected(plan: RunPlan, say: Say): Promise<FinishedRun> {
  const { program, scenario, transport, folder } = plan
  for (let attempt = 1; ; attempt++) {
    const finished = await runProgram(plan)
    const { records, isEarly } = finished.script
    const isConnected = !isEarly && (!scenario.isAllowed || hasArrived(records))
    if (attempt === ATTEMPTS || isConnected) return finished
    say(`${program.title}: ${scenario.name} over ${transport} again, it was not connected in time…`)
    removeFolder(folder)
  }
}

/** A program that never asked its model cannot be measured. */
function withSkip(result: ProgramResult): ProgramResult {
  const isMute = (run: RunResult) => run.steps.length === 0
  if (result.runs.length === 0 || !result.runs.every(isMute)) return result
  return { ...result, skipped: `does not run here: ${result.runs[0]?.failure ?? 'no step was made'}` }
}
