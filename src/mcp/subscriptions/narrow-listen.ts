import { isJSONRPCRequest, type JSONRPCMessage } from '@modelcontextprotocol/server'

/** The SDK would acknowledge every URI: what cannot be subscribed to is left out before it sees it. */
export function narrowListen(
  message: JSONRPCMessage,
  canSubscribe: (uri: string) => boolean,
): JSONRPCMessage {
  const wanted = wantedOf(message)
  if (!wanted) return message
  // Each once: what is asked for is looked through with every change.
  const resourceSubscriptions = [...new Set(wanted)].filter(
    (uri) => typeof uri !== 'string' || canSubscribe(uri),
  )
  const { params } = message as unknown as { params: { notifications: object } }
  return {
    ...message,
    params: { ...params, notifications: { ...params.notifications, resourceSubscriptions } },
  } as JSONRPCMessage
}

/** The URIs that a message asks to listen to. */
export function urisListenedTo(message: JSONRPCMessage): string[] {
  return (wantedOf(message) ?? []).filter((uri) => typeof uri === 'string')
}

function wantedOf(message: JSONRPCMessage): unknown[] | undefined {
  if (!isJSONRPCRequest(message) || message.method !== 'subscriptions/listen') return undefined
  const params = message.params as { notifications?: { resourceSubscriptions?: unknown } } | undefined
  const wanted = params?.notifications?.resourceSubscriptions
  return Array.isArray(wanted) ? wanted : undefined
}
