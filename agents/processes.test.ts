import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type Command, endStrays, runBounded } from './processes.ts'

const FOREVER = 'setInterval(() => {}, 1000)'

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'remindb-processes-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function commandOf(code: string, folder = temporaryFolder()) {
  const log = join(folder, 'program.log')
  return { command: process.execPath, args: ['-e', code], cwd: folder, env: { HOME: folder }, log }
}

/** One that has ended stays as `Z` where nobody waits for it. */
function isRunning(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
  return !/^Z?$/.test(stdout.trim().slice(0, 1))
}

/** Gives it longer each time until it has printed its number: how long a start takes depends on the machine. */
async function runTooLong(command: Command): Promise<number> {
  for (let ms = 1000; ; ms *= 2) {
    expect(await runBounded(command, ms)).toBeUndefined()
    const pid = Number(readFileSync(command.log, 'utf8'))
    if (pid > 0) return pid
  }
}

test('a program that ends gives its exit code, and its output is kept', async () => {
  const command = commandOf('console.log("out"); process.exitCode = 3')
  expect(await runBounded(command, 30_000)).toBe(3)
  expect(readFileSync(command.log, 'utf8')).toBe('out\n')
})

test('a program that takes too long is ended with all it started', async () => {
  const start = `require('node:child_process').spawn(process.execPath, ['-e', '${FOREVER}'])`
  const command = commandOf(`console.log(${start}.pid); ${FOREVER}`)
  const pid = await runTooLong(command)
  await expect.poll(() => isRunning(pid)).toBe(false)
})

test.runIf(process.platform === 'linux')('a daemon that left its group is ended by its home', async () => {
  const folder = temporaryFolder()
  onTestFinished(() => endStrays(folder))
  const options = `{ detached: true, stdio: 'ignore' }`
  const start = `require('node:child_process').spawn(process.execPath, ['-e', '${FOREVER}'], ${options})`
  const command = commandOf(`const daemon = ${start}; daemon.unref(); console.log(daemon.pid)`, folder)
  expect(await runBounded(command, 30_000)).toBe(0)
  const pid = Number(readFileSync(command.log, 'utf8'))
  expect(isRunning(pid)).toBe(true)
  endStrays(folder)
  await expect.poll(() => isRunning(pid)).toBe(false)
})
