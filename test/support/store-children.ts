import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import type { ProgramInput } from './store-process.ts'

const SCRIPT = fileURLToPath(new URL('./store-process.ts', import.meta.url))
const NOBODY = 65_534

export interface Child {
  /** The next line it says; undefined at its end. */
  next(): Promise<string | undefined>
  tell(): void
  kill(): void
  /** All it wrote to stderr, once it has ended; throws when it failed. */
  ended(): Promise<string>
}

/** Starts a program of `store-process.ts`. It does not outlive the test. */
export function start(program: string, input: ProgramInput, options: { asNobody?: boolean } = {}): Child {
  const isRoot = process.getuid?.() === 0
  const identity = options.asNobody && isRoot ? { uid: NOBODY, gid: NOBODY } : {}
  const child = spawn(process.execPath, [SCRIPT, program, JSON.stringify(input)], {
    stdio: ['pipe', 'pipe', 'pipe'],
    cwd: '/',
    ...identity,
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const errors = collect(child)
  const exit = new Promise<string>((resolve) =>
    child.once('close', (code, signal) => resolve(signal ?? String(code))),
  )
  return {
    async next() {
      const { value, done } = await lines.next()
      return done ? undefined : value
    },
    tell: () => void child.stdin.write('go\n'),
    kill: () => void child.kill('SIGKILL'),
    async ended() {
      const how = await exit
      if (how !== '0' && how !== 'SIGKILL') throw new Error(`${program} ended with ${how}: ${errors.text}`)
      return errors.text
    },
  }
}

function collect(child: ChildProcess): { text: string } {
  const all = { text: '' }
  child.stderr?.setEncoding('utf8').on('data', (part: string) => {
    all.text += part
  })
  return all
}
