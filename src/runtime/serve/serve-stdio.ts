import type { Readable, Writable } from 'node:stream'
import { serveOnStdio } from '../../mcp/stdio/serve.ts'
import { untilAsked } from '../timing/until-asked.ts'
import type { MemoryServer } from './memory-server.ts'

/** A client that only asks who we are is answered and gone: what costs something waits this long for it. */
const PATIENCE_MS = 1000

/** Serves over stdin and stdout until the client is gone. */
export async function serveStdio(
  { memory, registry, open, flush }: MemoryServer,
  { input, output }: { input: Readable; output: Writable },
): Promise<void> {
  const begin = (): void => void memory.get().catch(() => undefined)
  const { served, audience } = open()
  const serving = serveOnStdio({ served, registry, audience, input, output, onAnswered: begin })
  const patience = setTimeout(begin, PATIENCE_MS)
  input.once('end', () => void flush())
  await untilAsked(serving.closed, () => {
    void flush()
    return serving.drain()
  })
  clearTimeout(patience)
}
