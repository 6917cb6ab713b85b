import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Program } from './programs/program.ts'

const TIMEOUT_MS = 600_000

export type Installed = { kind: 'installed'; command: string } | { kind: 'failed'; reason: string }

/** Installs a version of a program into its own folder of the cache, unless it is there. npm is the only one that uses the network. */
export async function install(program: Program, cache: string): Promise<Installed> {
  const name = `${program.package.replaceAll('/', '-')}@${program.version}`
  const folder = join(cache, name)
  const command = join(folder, 'node_modules', '.bin', program.command)
  if (existsSync(command)) return { kind: 'installed', command }
  const fresh = join(cache, `.installing-${process.pid}`)
  rmSync(fresh, { recursive: true, force: true })
  mkdirSync(join(fresh, 'home'), { recursive: true })
  writeFileSync(join(fresh, 'package.json'), '{"private": true}\n')
  const failure = await runNpm(`${program.package}@${program.version}`, { folder: fresh, cache })
  if (failure === undefined) {
    rmSync(folder, { recursive: true, force: true })
    renameSync(fresh, folder)
    if (existsSync(command)) return { kind: 'installed', command }
  }
  rmSync(fresh, { recursive: true, force: true })
  return { kind: 'failed', reason: failure ?? `the package has no command ${program.command}` }
}

/** Why it failed; undefined when it did not. Scripts of packages get a home of their own. */
async function runNpm(spec: string, { folder, cache }: { folder: string; cache: string }) {
  const args = ['install', spec, '--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error']
  const env = {
    ...process.env,
    HOME: join(folder, 'home'),
    npm_config_userconfig: process.env.npm_config_userconfig ?? join(homedir(), '.npmrc'),
    npm_config_cache: join(cache, 'npm'),
  }
  const npm = spawn('npm', args, {
    cwd: folder,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: TIMEOUT_MS,
  })
  let output = ''
  npm.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  return new Promise<string | undefined>((resolve) => {
    npm.on('error', (error) => resolve(error.message))
    npm.on('close', (code, signal) => resolve(code === 0 ? undefined : reasonOf(output, signal)))
  })
}

/** The first line of npm's that says what is wrong: later ones say where its log is. */
function reasonOf(output: string, signal: string | null): string {
  if (signal) return `npm took longer than ${TIMEOUT_MS / 60_000} minutes`
  const lines = output.split('\n').filter((line) => line.startsWith('npm error'))
  const said = lines.map((line) => line.replace(/^npm error (code )?/, ''))
  return (
    said
      .slice(0, 2)
      .join(': ')
      .replaceAll(/https?:\/\/\S+/g, '…') || 'npm failed'
  )
}
