import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import type { ProgramInput } from './store-process.ts'
import { unprivileged } from './unprivileged.ts'

const SCRIPTS = {
  memory: fileURLToPath(new URL('./store-process.ts', import.meta.url)),
  accounts: fileURLToPath(new URL('./accounts-process.ts', import.meta.url)),
}

export interface Child {
  /** The next line it says; undefined at its end. Throws when it failed. */
  next(): Promise<string | undefined>
  tell(): void
  kill(): void
  /** All it wrote to stderr, once it has ended; throws when it failed. */
  ended(): Promise<string>
}

/** Starts a program of `store-process.ts`, or of `accounts-process.ts`. It does not outlive the test. */
export function start(
  program: string,
  input: ProgramInput,
  options: { isUnprivileged?: boolean; of?: keyof typeof SCRIPTS } = {},
): Child {
  const args = [SCRIPTS[options.of ?? 'memory'], program, JSON.stringify(input)]
  const line = options.isUnprivileged
    ? unprivileged(process.execPath, args)
    : ([process.execPath, args] as const)
  const child = spawn(...line, { stdio: ['pipe', 'pipe', 'pipe'], cwd: '/' })
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const errors = collect(child)
  const exit = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('close', (code, signal) => resolve(signal ?? String(code)))
  })
  async function ended(): Promise<string> {
    const how = await exit
    if (how !== '0' && how !== 'SIGKILL') throw new Error(`${program} ended with ${how}: ${errors.text}`)
    return errors.text
  }
  return {
    async next() {
      const { value, done } = await lines.next()
      if (done) await ended()
      return done ? undefined : value
    },
    tell: () => void child.stdin.write('go\n'),
    kill: () => void child.kill('SIGKILL'),
    ended,
  }
}

function collect(child: ChildProcess): { text: string } {
  const all = { text: '' }
  child.stderr?.setEncoding('utf8').on('data', (part: string) => {
    all.text += part
  })
  return all
}
