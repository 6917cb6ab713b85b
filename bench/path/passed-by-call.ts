import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { INITIALIZE, startClient } from '../serve/line-client.ts'
import { type CallCounts, callCounts } from './call-counts.ts'
import { type Passed, passedBy } from './passed-files.ts'

export const CALLS = {
  MemoryWrite: (at: number) => ({ payload: `# Title ${at}\n\nNote ${at} about the cluster.` }),
  MemorySearch: () => ({ query: 'cluster hello note' }),
}
export type CalledTool = keyof typeof CALLS

/** A function is on the way of a call if more calls run it as often more. */
const FEW = 2
const MANY = 12

/** The files that a call of a tool runs through, in a server over stdio from these sources. */
export async function passedByCall(tool: CalledTool, sources: string): Promise<Passed[]> {
  const work = mkdtempSync(join(tmpdir(), 'remindb-path-'))
  try {
    const [few, many] = [await countRun(tool, FEW), await countRun(tool, MANY)]
    return passedBy(few, many, MANY - FEW)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }

  /** How often a server called each of its functions while it answered `times` calls. */
  async function countRun(tool: CalledTool, times: number): Promise<CallCounts> {
    const folder = mkdtempSync(join(work, 'run-'))
    const notes = join(folder, 'notes')
    mkdirSync(notes)
    writeFileSync(join(notes, 'a.md'), '# A\n\nhello world\n')
    const coverage = join(folder, 'coverage')
    const program = [join(sources, 'cli', 'main.ts'), 'serve', '--source', notes]
    const client = startClient(program, { NODE_V8_COVERAGE: coverage })
    await client.request('initialize', INITIALIZE)
    for (let at = 0; at < times; at++) {
      const { result } = await client.request('tools/call', { name: tool, arguments: CALLS[tool](at) })
      if (!result || (result as { isError?: boolean }).isError) throw new Error(`${tool} failed`)
    }
    await client.close()
    return callCounts(coverage, sources)
  }
}
