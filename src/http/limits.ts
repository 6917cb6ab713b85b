/** Limits for one client, so that it cannot starve the others. */
export interface HttpLimits {
  /** A connection beyond this gets 503 and is closed. */
  maxConnections: number
  /** Of the request line and all headers together. */
  maxHeaderBytes: number
  maxHeaders: number
  /** A request, the first of a connection too, must have arrived whole within this time. Its response may take any time. */
  requestTimeoutMs: number
  /** How long a connection stays open between requests, and how long a client may leave a response unread. */
  idleTimeoutMs: number
  /** How long closing waits for responses that were begun. */
  drainTimeoutMs: number
}

export const DEFAULT_HTTP_LIMITS: HttpLimits = {
  maxConnections: 20_000,
  maxHeaderBytes: 16 * 1024,
  maxHeaders: 100,
  requestTimeoutMs: 30_000,
  idleTimeoutMs: 300_000,
  drainTimeoutMs: 5_000,
}
