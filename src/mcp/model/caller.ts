/** Who sent a request, as far as the server can tell. Every transport names one; what it may do follows from it. */
export interface Caller {
  /** '' where there is no session yet. */
  sessionId: string
  /** Signs what the client writes. */
  author: string
  /** Where its requests come from, without a port; '' where there is no network. */
  address: string
}
