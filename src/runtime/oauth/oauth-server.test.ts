import { expect, test } from 'vitest'
import { recordingLog } from '../../../test/support/recording-log.ts'
import { grantedAccounts } from '../../../test/support/test-grants.ts'
import { createBrowsers } from '../signin/browser.ts'
import { createOAuthServer } from './oauth-server.ts'
import { consentPath } from './paths.ts'
import { createResources } from './resources.ts'

test('accounts that could not be read once are read again for the next request', async () => {
  const { accounts } = await grantedAccounts()
  let isBroken = true
  const { signing } = accounts.secrets
  accounts.secrets.signing = async (create) => {
    if (isBroken) throw new Error('the disk does not answer')
    return signing(create)
  }
  const publicUrl = () => 'https://memory.example'
  const oauth = createOAuthServer({
    ...{ accounts, publicUrl, now: Date.now, log: recordingLog().log },
    browsers: createBrowsers({ accounts, publicUrl }),
    resources: createResources(publicUrl),
    fetchesDocuments: false,
  })
  await expect(oauth.purpose(consentPath('x'))).rejects.toThrow('the disk does not answer')
  isBroken = false
  expect(await oauth.purpose(consentPath('x'))).toBeUndefined()
})
