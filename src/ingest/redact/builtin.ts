import { findEnvAssignments } from './env-assignment.ts'
import { afterEscape } from './escapes.ts'
import type { Hit, Pattern } from './hit.ts'
import { findPrivateKeys } from './private-key.ts'

/** Changes whenever one of these patterns, or how hits are replaced, changes: every file is then compiled again. */
export const BUILTIN_REVISION = 3

/**
 * The secrets that are known by their looks. Two rules keep the time linear in the text: what may repeat has a bound,
 * and no match begins in the middle of a word. A kind with one length wants the word to end there; one with a range
 * takes more than is issued today, so that nothing is left over when tokens grow.
 */
export const BUILTIN_PATTERNS: readonly Pattern[] = [
  token('aws_access_key', /A[KS]IA/, /(?:AKIA|ASIA)[0-9A-Z]{16}(?![0-9A-Za-z])/),
  token('gcp_oauth_client_secret', /GOCSPX-/, /GOCSPX-[\w-]{28}(?![\w-])/),
  token('google_api_key', /AIza/, /AIza[\w-]{35}(?![\w-])/),
  token('github_pat', /gh[pousr]_/, /gh[pousr]_[0-9A-Za-z]{36,255}/),
  token('github_fine_grained_pat', /github_pat_/, /github_pat_\w{82}(?!\w)/),
  token('gitlab_pat', /glpat-/, /glpat-[\w-]{20,300}(?:\.[0-9a-z]{2}\.[0-9a-z]{7,9})?/),
  token('anthropic_api_key', /sk-ant-/, /sk-ant-(?:api|sid|admin|oat)\w{0,10}-[\w-]{32,255}/),
  token('huggingface_token', /hf_/, /hf_[0-9A-Za-z]{34,255}/),
  token(
    'openai_api_key',
    /T3BlbkFJ/,
    /sk-(?:(?:proj|svcacct|admin)-[\w-]{58,74}T3BlbkFJ[\w-]{58,255}|[0-9A-Za-z]{20}T3BlbkFJ[0-9A-Za-z]{20,255})/,
  ),
  token('stripe_secret_key', /_(?:live|test)_/, /[sr]k_(?:live|test)_[0-9A-Za-z]{24,255}/),
  token('stripe_webhook_secret', /whsec_/, /whsec_[\w+/=-]{32,255}/),
  token('discord_bot_token', /[MNO][\w-]{23,25}\./, /[MNO][\w-]{23,25}\.[\w-]{6,7}\.[\w-]{27,40}(?![\w-])/),
  token(
    'discord_webhook',
    /\/webhooks\//,
    /(?:https?:\/\/)?(?:(?:canary|ptb)\.)?discord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/\d{15,25}\/[\w-]{50,255}/i,
  ),
  token('slack_token', /xox/, /xox[abcdeoprs]-[0-9A-Za-z-]{15,255}/),
  token(
    'slack_webhook',
    /hooks\.slack/,
    /(?:https?:\/\/)?hooks\.slack\.com\/services\/T\w{1,30}\/B\w{1,30}\/\w{20,255}/,
  ),
  token('mailgun_api_key', /key-/, /key-[0-9a-f]{32}(?![0-9A-Za-z])/),
  token('sendgrid_api_key', /SG\./, /SG\.[\w-]{22}\.[\w-]{43}(?![\w-])/),
  token('npm_token', /npm_/, /npm_[0-9A-Za-z]{36}(?![0-9A-Za-z])/),
  token('pypi_token', /pypi-AgEI/, /pypi-AgEIcHlwaS5vcmc[\w-]{50,1000}/),
  token('linear_api_key', /lin_api_/, /lin_api_[0-9A-Za-z]{40}(?![0-9A-Za-z])/),
  token('jwt', /eyJ/, /eyJ[\w-]{10,1000}\.eyJ[\w-]{6,8000}\.[\w-]{16,2000}/),
  token(
    'db_connection_string',
    /:\/\//,
    /(?:postgres(?:ql)?|mysql|mariadb|mongodb|rediss?|amqps?|mssql|sqlserver)(?:\+[a-z0-9]{1,20})?:\/\/[^\s:@/?#"'`<>«»]{0,255}:[^\s/"'`<>«»]{1,255}@(?:[^\s"'`<>()[\]{}|]{0,1000}[^\s"'`<>()[\]{}|.,;:!?*])?/i,
  ),
  token(
    'bearer_auth_header',
    /[bB][eE][aA][rR][eE][rR]/,
    /(authorization\\?["']?[ \t]{0,4}[:=][ \t]{0,4}\\?["']?bearer[ \t]{1,4})[\w.~+/=-]{20,8000}/i,
  ),
  token(
    'basic_auth_url',
    /:\/\//,
    /https?:\/\/[^\s:@/?#"'`<>«»]{1,255}:[^\s/?#,()"'`<>«»]{1,255}@(?:[^\s"'`<>()[\]{}|]{0,1000}[^\s"'`<>()[\]{}|.,;:!?*])?/i,
  ),
  { kind: 'private_key_block', sign: /PRIVATE KEY/, find: findPrivateKeys },
  {
    kind: 'env_secret_assignment',
    sign: /(?:TOKEN|KEY|SECRET|PASSWORD)[ \t:?+]{0,9}=/,
    find: findEnvAssignments,
  },
]

export const BUILTIN_KINDS: readonly string[] = BUILTIN_PATTERNS.map(({ kind }) => kind)

/** A kind that one expression describes. What its first group matches stays. */
function token(kind: string, sign: RegExp, shape: RegExp): Pattern {
  const regex = new RegExp(`${afterEscape('[0-9A-Za-z]')}(?:${shape.source})`, `g${shape.flags}`)
  return { kind, sign, find: (text) => findAll(regex, text) }
}

function* findAll(regex: RegExp, text: string): Generator<Omit<Hit, 'kind'>> {
  for (const { 0: match, 1: kept = '', index: start } of text.matchAll(regex))
    yield { start, from: start + kept.length, end: start + match.length }
}
