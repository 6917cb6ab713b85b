import { isSpaceName } from '../../core/accounts/names.ts'
import { endpointPath } from '../../http/endpoint-path.ts'

/** What a token can be for: the endpoint of one space, or the endpoint of the server, where the user chooses the space. */
export interface Resource {
  /** Undefined: the user chooses. */
  space: string | undefined
}

export type Resources = ReturnType<typeof createResources>

/** The URLs of endpoints, as tokens name them. */
export function createResources(publicUrl: () => string) {
  const urlOf = (space?: string): string => `${publicUrl()}${endpointPath(space)}`
  return {
    /** For clients that do not say what they want to use. */
    standard: (): string => urlOf(),
    /** All that a grant for this space can be used at. */
    of: (space: string): string[] => [urlOf(), urlOf(space)],
    /** What a request is for: a client may name it several times, or not at all. */
    asked: (given: unknown): string[] => {
      const named = (Array.isArray(given) ? given : [given]).filter((one) => typeof one === 'string')
      return named.length === 0 ? [urlOf()] : named
    },
    /** Whether or not there is such a space: that is for its members to know. Undefined: not an endpoint of this server. */
    parse(url: string): Resource | undefined {
      if (url === urlOf()) return { space: undefined }
      const space = /\/s\/([^/]+)\/mcp$/.exec(url)?.[1] ?? ''
      return isSpaceName(space) && url === urlOf(space) ? { space } : undefined
    },
  }
}
