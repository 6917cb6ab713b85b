import { MESSAGES, type MessageModel, messagePage } from '../../http/pages/message.ts'
import { KEEPS_OPENER, pageResponse } from '../../http/pages/page-response.ts'

/** A page that says something, with its status. */
export function showMessage(
  { status, ...model }: MessageModel & { status: number },
  headers: readonly [string, string][] = [],
): Response {
  const response = pageResponse(messagePage(model), { status, headers: KEEPS_OPENER })
  for (const [name, value] of headers) response.headers.append(name, value)
  return response
}

/** The page for too many attempts, with how long to wait. */
export function showTooMany(seconds: number): Response {
  const { hint, ...message } = MESSAGES.tooMany
  const said = { ...message, hint: `Try again in ${waiting(seconds)}. ${hint}` }
  return showMessage(said, [['retry-after', String(seconds)]])
}

function waiting(seconds: number): string {
  if (seconds < 10) return 'a few seconds'
  const minutes = Math.ceil(seconds / 60)
  return minutes === 1 ? 'a minute' : `${minutes} minutes`
}
