/** The sender of a request, as identified by its transport. Its rights follow from it. */
export interface Caller {
  /** '' if there is no session yet. */
  sessionId: string
  /** The signature on the client's writes. */
  author: string
  /** Its address, without a port; '' if there is no network. */
  address: string
}
