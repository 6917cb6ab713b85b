import { createHmac, timingSafeEqual } from 'node:crypto'
import { createBodyReader } from '../../mcp/web/read-body.ts'

/** More than any form here has. */
const MAX_BYTES = 16 * 1024
const bodies = createBodyReader({ maxBytes: MAX_BYTES, maxTotalBytes: 256 * MAX_BYTES })

export type Forms = ReturnType<typeof createForms>

/**
 * Forms that only a page of ours can have sent, from the browser it was shown in: each carries a token that follows from a cookie
 * of that browser. `keys`: newest first.
 */
export function createForms(keys: () => Promise<readonly string[]>) {
  return {
    /** For a form that is shown to the browser with this cookie. */
    async token(cookie: string): Promise<string> {
      const [newest = ''] = await keys()
      return tokenOf(cookie, newest)
    },
    /** The fields of a form; undefined where it was not sent by our page, from the browser with this cookie. */
    async read(request: Request, cookie: string | undefined): Promise<URLSearchParams | undefined> {
      const type = request.headers.get('content-type') ?? ''
      if (cookie === undefined || !type.startsWith('application/x-www-form-urlencoded')) return undefined
      const body = await bodies.read(request)
      const fields = new URLSearchParams(body.kind === 'text' ? body.text : '')
      const given = Buffer.from(fields.get('csrf') ?? '')
      const expected = (await keys()).map((key) => Buffer.from(tokenOf(cookie, key)))
      return expected.some((one) => isEqual(one, given)) ? fields : undefined
    },
  }
}

function tokenOf(cookie: string, key: string): string {
  return createHmac('sha256', key).update(`form ${cookie}`).digest('base64url')
}

function isEqual(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b)
}
