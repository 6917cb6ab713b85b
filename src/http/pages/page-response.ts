import { createHash } from 'node:crypto'
import type { HtmlPage } from './html-page.ts'

export interface PageResponseOptions {
  /** Default: 200. */
  status?: number
  /**
   * URLs of other servers and apps that a form of the page may lead to, also by redirects. Browsers check the whole chain:
   * a sign-in that continues to a client needs its redirect URI here.
   */
  formAction?: readonly string[]
  /** In addition, or instead of ours. */
  headers?: Readonly<Record<string, string>>
}

/** For pages in the window of a client that waits for its callback: other pages cut the window off from the one that opened it. */
export const KEEPS_OPENER = { 'cross-origin-opener-policy': 'unsafe-none' }

/** A page that nobody can frame, keep or add to. */
export function pageResponse(
  page: HtmlPage,
  { status = 200, formAction = [], headers = {} }: PageResponseOptions = {},
): Response {
  return new Response(page.html, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policyOf(page, formAction),
      // Not no-referrer: forms would be sent with `Origin: null`.
      'referrer-policy': 'same-origin',
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
      ...headers,
    },
  })
}

/** The file of a script that a page names. */
export function scriptResponse(source: string): Response {
  return new Response(source, {
    headers: {
      'content-type': 'text/javascript; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    },
  })
}

function policyOf({ style, hasForm = false, hasScript = false }: HtmlPage, formAction: readonly string[]) {
  const hash = createHash('sha256').update(style).digest('base64')
  const targets = hasForm ? ["'self'", ...new Set(formAction.flatMap(sourceOf))] : ["'none'"]
  return [
    "default-src 'none'",
    `style-src 'sha256-${hash}'`,
    // The icon.
    'img-src data:',
    ...(hasScript ? ["script-src 'self'"] : []),
    "base-uri 'none'",
    `form-action ${targets.join(' ')}`,
    "frame-ancestors 'none'",
  ].join('; ')
}

/** What a policy allows for a URL: its origin, or its scheme if only an app can open it. Nothing for what is no URL. */
function sourceOf(url: string): string[] {
  if (!URL.canParse(url)) return []
  const { protocol, host, hostname } = new URL(url)
  if (!['http:', 'https:'].includes(protocol)) return [protocol]
  // Policies have no syntax for addresses in brackets, nor for what else a host may have, such as the semicolon that ends a directive.
  return /^[\w.-]+$/.test(hostname) ? [`${protocol}//${host}`] : [protocol]
}
