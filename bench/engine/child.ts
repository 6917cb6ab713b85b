import { spawnSync } from 'node:child_process'

/** Runs a script with a process of its own and gives what it prints as JSON. */
export function child<T>(script: string, args: string[]): T {
  const { stdout, stderr, status } = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${script} failed: ${stderr}`)
  return JSON.parse(stdout) as T
}
