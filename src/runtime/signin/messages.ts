import { type MessageModel, messagePage } from '../../http/pages/message.ts'
import { pageResponse } from '../../http/pages/page-response.ts'

/** A page that says something, with its status. */
export function showMessage(
  { status, ...model }: MessageModel & { status: number },
  headers: readonly [string, string][] = [],
): Response {
  const response = pageResponse(messagePage(model), { status })
  for (const [name, value] of headers) response.headers.append(name, value)
  return response
}
