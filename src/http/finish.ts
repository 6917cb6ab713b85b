import { ANY_ORIGIN, allowAnyOrigin, allowOrigin, allowRequests, isPreflight } from './cors.ts'
import type { Verdict } from './guard.ts'

/** A year. Without its subdomains, and not for the lists of browsers: they are others' to decide. */
const STRICT_TRANSPORT = 'max-age=31536000'
const NO_CONTENT_POLICY = "default-src 'none'; frame-ancestors 'none'"

export interface FinishOptions {
  /** Clients reach the server by https only, and browsers should not try otherwise. */
  isStrictTransport: boolean
}

export interface Finished {
  request: Request
  verdict: Verdict
  /** It is not known yet whether it is a page. */
  isNative: boolean
}

/** Adds the headers of every response, including refusals. */
export function finish(
  headers: Headers,
  { request, verdict, isNative }: Finished,
  { isStrictTransport }: FinishOptions,
): void {
  headers.set('x-content-type-options', 'nosniff')
  headers.set('cross-origin-resource-policy', 'same-origin')
  if (isStrictTransport) headers.set('strict-transport-security', STRICT_TRANSPORT)
  // Not no-referrer: forms would be sent with `Origin: null`.
  setUnlessGiven(headers, 'referrer-policy', 'same-origin')
  // A stream has its own, which also keeps proxies from buffering it.
  setUnlessGiven(headers, 'cache-control', 'no-store')
  if (isNative || isHtml(headers)) {
    headers.set('x-frame-options', 'DENY')
    setUnlessGiven(headers, 'content-security-policy', NO_CONTENT_POLICY)
  }
  permit(headers, request, verdict)
}

function permit(headers: Headers, request: Request, verdict: Verdict): void {
  if (verdict.kind === 'refused' || verdict.corsOrigin === undefined) return
  if (verdict.corsOrigin === ANY_ORIGIN) allowAnyOrigin(headers)
  else allowOrigin(headers, verdict.corsOrigin)
  if (isPreflight(request)) allowRequests(headers, headers.get('allow') ?? '')
}

function isHtml(headers: Headers): boolean {
  return headers.get('content-type')?.startsWith('text/html') === true
}

function setUnlessGiven(headers: Headers, name: string, value: string): void {
  if (!headers.has(name)) headers.set(name, value)
}
