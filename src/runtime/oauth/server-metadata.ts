import { CLIENT_AUTH_METHODS, GRANT_TYPES, OAUTH_PATHS, OAUTH_SCOPES } from './paths.ts'

/** RFC 8414. Written by hand: the provider's own names what this server does not do, and follows from the request. */
export function serverMetadata(
  publicUrl: string,
  { fetchesDocuments }: { fetchesDocuments: boolean },
): Record<string, unknown> {
  return {
    issuer: publicUrl,
    authorization_endpoint: `${publicUrl}${OAUTH_PATHS.authorization}`,
    token_endpoint: `${publicUrl}${OAUTH_PATHS.token}`,
    revocation_endpoint: `${publicUrl}${OAUTH_PATHS.revocation}`,
    registration_endpoint: `${publicUrl}${OAUTH_PATHS.registration}`,
    scopes_supported: OAUTH_SCOPES,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: GRANT_TYPES,
    token_endpoint_auth_methods_supported: CLIENT_AUTH_METHODS,
    revocation_endpoint_auth_methods_supported: CLIENT_AUTH_METHODS,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: fetchesDocuments,
  }
}
