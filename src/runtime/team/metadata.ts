import { scopesUpTo } from '../../core/access/scopes.ts'
import { MCP_PATH } from '../../http/app.ts'

/** Where RFC 9728 has the document about what is served at a path. */
export const METADATA_PATH = '/.well-known/oauth-protected-resource'

/** Where the endpoint of a space is. What a URL calls a space may be anything: it is written as URLs have it. */
export function endpointPath(space: string | undefined): string {
  return space === undefined ? MCP_PATH : `/s/${encodeURIComponent(space)}${MCP_PATH}`
}

export function metadataUrl(publicUrl: string, path: string): string {
  return `${publicUrl}${METADATA_PATH}${path}`
}

/** What RFC 9728 says of the resource at this path. The same whether or not there is such a space. */
export function resourceMetadata(publicUrl: string, path: string): Record<string, unknown> {
  return {
    resource: `${publicUrl}${path}`,
    resource_name: 'remindb',
    // What everyday use needs: admins ask for more.
    scopes_supported: scopesUpTo('memories:write'),
    bearer_methods_supported: ['header'],
  }
}
