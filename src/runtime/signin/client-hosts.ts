import type { Accounts } from '../../core/accounts/accounts.ts'
import { redirectTarget } from '../../http/pages/redirect-target.ts'

/** Where a client comes from: a name can be anybody's. Of one that registered, where it sends its users. */
export async function clientHosts({ clients }: Pick<Accounts, 'clients'>, id: string): Promise<string[]> {
  const registered = await clients.find(id)
  const urls: string[] = registered ? (JSON.parse(registered.metadata).redirect_uris ?? []) : [id]
  const hosts = urls.filter((url) => URL.canParse(url)).map((url) => redirectTarget(url).host)
  return [...new Set(hosts)]
}
