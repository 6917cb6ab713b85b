import { expect, test } from 'vitest'
import { listScenarios, runAuthorization } from '../support/conformance.ts'
import { temporaryFolder } from '../support/engine.ts'
import { ERAS } from '../support/mcp.ts'
import { discover } from '../support/oauth-client.ts'
import { addPerson, openPeople, openPerson } from '../support/people.ts'
import { lastingPort } from '../support/ports.ts'

test.each(ERAS)(
  'the authorization server passes every check of the official suite (%s)',
  async (revision) => {
    const server = await openPeople()
    await addPerson(server)
    const port = await lastingPort()
    const redirectUri = `http://127.0.0.1:${port}/callback`
    const { clientId, resource } = await discover(server, {
      redirectUri,
      registration: { client_name: 'Conformance', redirect_uris: [redirectUri] },
    })
    const folder = temporaryFolder()
    const checks = await runAuthorization(
      {
        ...{ url: server.url, clientId, resource: resource.resource, port, revision },
        openBrowser: (url) => openPerson(server.url).agree(url),
      },
      folder,
    )
    const listed = listScenarios(folder).get('Authorization server') ?? new Map<string, string[]>()
    expect([...checks.keys()].sort()).toEqual([...listed.keys()].sort())
    const failed = [...checks.values()].flat().filter(({ status }) => status !== 'SUCCESS')
    expect(failed).toEqual([])
  },
)
