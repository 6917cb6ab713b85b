import { scopesUpTo } from '../../core/access/scopes.ts'

/** Where RFC 9728 has the document about what is served at a path. */
export const METADATA_PATH = '/.well-known/oauth-protected-resource'

export function metadataUrl(publicUrl: string, path: string): string {
  return `${publicUrl}${METADATA_PATH}${path}`
}

/** What RFC 9728 says of the resource at this path. The same whether or not there is such a space. */
export function resourceMetadata(
  publicUrl: string,
  path: string,
  { hasTokens }: { hasTokens: boolean },
): Record<string, unknown> {
  return {
    resource: `${publicUrl}${path}`,
    ...(hasTokens ? { authorization_servers: [publicUrl] } : {}),
    resource_name: 'remindb',
    // What everyday use needs: admins ask for more.
    scopes_supported: scopesUpTo('memories:write'),
    bearer_methods_supported: ['header'],
  }
}
