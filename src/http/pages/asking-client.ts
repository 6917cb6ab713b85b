import { type Html, html } from './html.ts'
import { host } from './untrusted.ts'

/** A client that wants access. */
export interface AskingClient {
  /** Of the URL of its metadata document, or of where it wants the answer if it registered itself. */
  host: string
  /** As it calls itself: anybody can claim any name. */
  name: string
  /** Whether the host vouches for it: it serves the client's metadata document. */
  isVerifiedHost: boolean
}

/** Who asks, at the beginning of a sentence. */
export function asking(client: AskingClient): Html {
  return html`${!client.isVerifiedHost && 'A client at '}<b>${host(client.host)}</b>`
}
