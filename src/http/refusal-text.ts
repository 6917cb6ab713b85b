/** A whole response, for a connection on which none of Node's can be sent. */
export function refusalText(status: number, reason: string, message: string): string {
  const body = JSON.stringify({ jsonrpc: '2.0', error: { code: -32000, message }, id: null })
  const headers = [
    `HTTP/1.1 ${status} ${reason}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    ...(status === 503 ? ['retry-after: 10'] : []),
    'connection: close',
  ]
  return `${headers.join('\r\n')}\r\n\r\n${body}`
}
