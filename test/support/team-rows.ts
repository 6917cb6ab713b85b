import type { Revision } from './mcp.ts'
import { type HandMade, INITIALIZE, legacyRequest, modernRequest, sessionHeaders } from './team-requests.ts'
import { type Planted, type Surface, surfacesOf } from './team-surfaces.ts'

/** A request to an endpoint: of a surface, or one that has no message. */
export interface Row extends Omit<Surface, 'asked'> {
  make(at: { session: string | undefined; meta?: Record<string, string> | undefined }): HandMade
  /** It ends the session. */
  endsSession?: true
  /** Its answer has no end. */
  isStream?: true
}

/** Everything that an endpoint takes, in the words of an era. */
export function rowsOf(planted: Planted, revision: Revision): Row[] {
  const asked = surfacesOf(planted).map(
    ({ asked, ...surface }): Row => ({
      ...surface,
      make({ session, meta }) {
        const one = meta ? { ...asked, params: { ...asked.params, _meta: meta } } : asked
        return revision === '2025-11-25' ? legacyRequest(one, session) : modernRequest(one)
      },
    }),
  )
  return [...asked, ...(revision === '2025-11-25' ? OLD_ROWS : NEW_ROWS)]
}

const READS: Pick<Row, 'needs' | 'answers'> = { needs: 'memories:read', answers: [] }
const WRITE_CALL = { method: 'tools/call', params: { name: 'remember', arguments: { key: 'a', value: 'b' } } }

const OLD_ROWS: readonly Row[] = [
  { ...READS, name: 'initialize without a session', make: () => legacyRequest(INITIALIZE, undefined) },
  {
    ...READS,
    name: 'the stream of a session',
    isStream: true,
    make: ({ session }) => ({ method: 'GET', headers: sessionHeaders(session) }),
  },
  {
    ...READS,
    name: 'a stream that goes on',
    make: ({ session }) => ({
      method: 'GET',
      headers: { ...sessionHeaders(session), 'last-event-id': 'x.1.y' },
    }),
  },
  {
    ...READS,
    name: 'the end of a session',
    endsSession: true,
    make: ({ session }) => ({ method: 'DELETE', headers: sessionHeaders(session) }),
  },
  {
    ...READS,
    name: 'a notification',
    make: ({ session }) => legacyRequest({ method: 'notifications/cancelled', params: {} }, session),
  },
  {
    ...{ name: 'a write in a batch', needs: 'memories:write', answers: [] },
    make({ session }) {
      const { headers, message } = legacyRequest(WRITE_CALL, session)
      return {
        headers: headers ?? {},
        message: [legacyRequest({ method: 'ping' }, session).message, message],
      }
    },
  },
]

const NEW_ROWS: readonly Row[] = [
  {
    ...READS,
    name: 'a stream of notifications',
    isStream: true,
    make: ({ meta }) =>
      modernRequest({
        method: 'subscriptions/listen',
        params: {
          notifications: { resourceSubscriptions: ['remindb://tree', 'remindb://logs'] },
          ...(meta && { _meta: meta }),
        },
      }),
  },
]
