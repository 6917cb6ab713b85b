import { isLegacyRequest, PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server'

/** Whether a session is to answer. What says its revision with every request is not asked twice: the SDK looks closer later. */
export async function isOfOldEra(request: Request, body: unknown): Promise<boolean> {
  const { method, params } = recordOf(body)
  const isClaimed =
    typeof method === 'string' && PROTOCOL_VERSION_META_KEY in recordOf(recordOf(params)._meta)
  return isClaimed ? false : isLegacyRequest(request, body)
}

export function isListen(body: unknown): boolean {
  return recordOf(body).method === 'subscriptions/listen'
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
