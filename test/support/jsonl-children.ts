import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import type { WriterInput } from './jsonl-process.ts'

const SCRIPT = fileURLToPath(new URL('./jsonl-process.ts', import.meta.url))

/** Starts a process that appends when told to. It does not outlive the test. */
export function startWriter(input: WriterInput) {
  const child = spawn(process.execPath, [SCRIPT, JSON.stringify(input)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const exit = once(child, 'exit')
  return {
    ready: () => lines.next(),
    go: () => void child.stdin.write('go\n'),
    /** How many lines it wrote. */
    async ended(): Promise<number> {
      const { value } = await lines.next()
      const [code] = await exit
      if (code !== 0) throw new Error(`the writer ${input.name} ended with ${code}`)
      return Number(value)
    },
  }
}
