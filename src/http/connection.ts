/** The same object for every request on one connection. */
export interface HttpConnection {
  /** Of the client, without its port. */
  readonly address: string
}
