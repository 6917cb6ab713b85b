/** Where a request comes from. The same object for every request on one connection, unless that is a proxy's. */
export interface HttpConnection {
  /** Of the client, without its port; of one behind a trusted proxy as the proxy says. */
  readonly address: string
}
