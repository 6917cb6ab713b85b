import type { AskingClient } from '../../http/pages/asking-client.ts'
import { redirectTarget } from '../../http/pages/redirect-target.ts'
import type { AccessRequest } from './interaction.ts'

/** The client of a request, as pages show it. */
export function askingClient({ client, redirectUri }: AccessRequest): AskingClient {
  return {
    host: client.host ?? redirectTarget(redirectUri).host,
    name: client.name,
    isVerifiedHost: client.host !== undefined,
  }
}
