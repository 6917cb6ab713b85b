import { ALNUM, DASH, DIGIT, LOWER, NAME, UNDERSCORE, UPPER, WORD } from './text/chars.ts'
import {
  ALNUMS,
  BASE64S,
  CAPITALS,
  DASHED,
  HEXES,
  NAMES,
  type Scan,
  SECOND_NAMES,
  THIRD_NAMES,
  WORDS,
} from './text/scan.ts'

/** Where a token that begins at `start` and has a prefix up to `body` ends; -1 if there is none. */
type Measure = (scan: Scan, body: number, start: number) => number
/** The same without a prefix. */
type MeasureBody = (scan: Scan, body: number) => number

/** A secret that is known by how it begins. */
export interface TokenKind {
  kind: string
  /** Of at least two characters each. */
  prefixes: readonly string[]
  measure: Measure
  /** It is a URL, and includes the `https://` before it. */
  isAddress?: true
}

const NONE = -1
const MAX_LENGTH = 255

/**
 * The secrets that their makers mark. A kind with one length wants the word to end there; one with a range takes more than is
 * issued today, so that nothing is left over when tokens grow.
 */
export const TOKEN_KINDS: readonly TokenKind[] = [
  { kind: 'aws_access_key', prefixes: ['AKIA', 'ASIA'], measure: exactly(16, CAPITALS, ALNUM) },
  { kind: 'gcp_oauth_client_secret', prefixes: ['GOCSPX-'], measure: exactly(28, NAMES, NAME) },
  { kind: 'google_api_key', prefixes: ['AIza'], measure: exactly(35, NAMES, NAME) },
  { kind: 'google_api_key', prefixes: ['AAAA'], measure: firebase },
  { kind: 'google_api_key', prefixes: ['ya29.'], measure: atLeast(40, NAMES, 1000) },
  { kind: 'github_pat', prefixes: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], measure: atLeast(36, ALNUMS) },
  { kind: 'github_fine_grained_pat', prefixes: ['github_pat_'], measure: exactly(82, WORDS, WORD) },
  {
    kind: 'gitlab_pat',
    prefixes: [
      ...'pat dt ptt rt cbt soat ft imt agent oas'.split(' ').map((use) => `gl${use}-`),
      'GR1348941',
    ],
    measure: gitlab,
  },
  { kind: 'anthropic_api_key', prefixes: ['sk-ant-'], measure: anthropic },
  { kind: 'huggingface_token', prefixes: ['hf_', 'api_org_'], measure: atLeast(34, ALNUMS) },
  { kind: 'openai_api_key', prefixes: ['sk-'], measure: openai },
  {
    kind: 'stripe_secret_key',
    prefixes: ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_'],
    measure: atLeast(24, ALNUMS),
  },
  { kind: 'stripe_webhook_secret', prefixes: ['whsec_'], measure: atLeast(32, BASE64S) },
  {
    kind: 'discord_webhook',
    prefixes: ['discord', 'Discord', 'DISCORD', 'canary.', 'Canary.', 'ptb.', 'PTB.'],
    measure: shape(
      /(?:(?:canary|ptb)\.)?discord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/\d{15,25}\/[\w-]{50,255}/iy,
    ),
    isAddress: true,
  },
  {
    kind: 'slack_token',
    prefixes: [...[...'abcdeoprs'].map((letter) => `xox${letter}-`), 'xapp-'],
    measure: atLeast(15, DASHED),
  },
  {
    kind: 'slack_webhook',
    prefixes: ['hooks.slack.com/'],
    measure: shape(
      /hooks\.slack\.com\/(?:services\/T\w{1,30}\/B\w{1,30}\/\w{20,255}|(?:workflows|triggers)\/\w{1,30}(?:\/\w{1,30}){1,2}\/\w{20,255})/y,
    ),
    isAddress: true,
  },
  { kind: 'mailgun_api_key', prefixes: ['key-'], measure: exactly(32, HEXES, ALNUM) },
  { kind: 'sendgrid_api_key', prefixes: ['SG.'], measure: sendgrid },
  { kind: 'npm_token', prefixes: ['npm_'], measure: exactly(36, ALNUMS, ALNUM) },
  {
    kind: 'pypi_token',
    prefixes: ['pypi-AgEIcHlwaS5vcmc', 'pypi-AgENdGVzdC5weXBpLm9yZw'],
    measure: atLeast(50, NAMES, 1000),
  },
  { kind: 'linear_api_key', prefixes: ['lin_api_'], measure: exactly(40, ALNUMS, ALNUM) },
  { kind: 'jwt', prefixes: ['eyJ'], measure: jwt },
  { kind: 'openrouter_api_key', prefixes: ['sk-or-v1-', 'sk-or-'], measure: atLeast(32, ALNUMS) },
  { kind: 'groq_api_key', prefixes: ['gsk_'], measure: atLeast(40, ALNUMS) },
  { kind: 'xai_api_key', prefixes: ['xai-'], measure: atLeast(40, ALNUMS) },
  { kind: 'perplexity_api_key', prefixes: ['pplx-'], measure: atLeast(32, ALNUMS) },
  { kind: 'vault_token', prefixes: ['hvs.', 'hvb.', 'hvr.'], measure: atLeast(20, NAMES, 1000) },
  { kind: 'vault_token', prefixes: ['s.', 'b.', 'r.'], measure: oldVault },
  { kind: 'docker_token', prefixes: ['dckr_pat_', 'dckr_oat_'], measure: atLeast(20, NAMES) },
  {
    kind: 'digitalocean_token',
    prefixes: ['dop_v1_', 'doo_v1_', 'dor_v1_'],
    measure: atLeast(64, HEXES),
  },
  {
    kind: 'atlassian_token',
    prefixes: ['ATATT3', 'ATCTT3', 'ATBB', 'BBDC-'],
    measure: atLeast(24, BASE64S, 1000),
  },
  {
    kind: 'shopify_token',
    prefixes: ['shpat_', 'shpca_', 'shppa_', 'shpss_', 'shpua_', 'shptka_'],
    measure: atLeast(32, HEXES),
  },
  { kind: 'private_key_block', prefixes: ['LS0tLS1CRUdJTiB'], measure: encodedKey },
  { kind: 'twilio_api_key', prefixes: ['SK'], measure: exactly(32, HEXES, ALNUM) },
]

function atLeast(min: number, alphabet: number, max = MAX_LENGTH): MeasureBody {
  return (scan, body) => {
    const length = scan.runEnd(alphabet, body) - body
    return length < min ? NONE : body + Math.min(length, max)
  }
}

/** Of exactly this length: `after` must not continue it. A `-` or `_` at the end ends a word anyway. */
function exactly(length: number, alphabet: number, after: number): MeasureBody {
  return (scan, body) => {
    const end = body + length
    if (scan.runEnd(alphabet, body) < end) return NONE
    const goesOn = (scan.bits(end) & after) !== 0
    const isWordEnd = (scan.bits(end - 1) & (DASH | UNDERSCORE)) !== 0
    return goesOn && !isWordEnd && !scan.isWordStart(end) ? NONE : end
  }
}

/** A shape of several parts, all of them short. */
function shape(sticky: RegExp): Measure {
  return (scan, _body, start) => {
    sticky.lastIndex = start
    const found = sticky.exec(scan.text)
    return found ? start + found[0].length : NONE
  }
}

const takeFirebase = atLeast(100, SECOND_NAMES)
function firebase(scan: Scan, body: number): number {
  return scan.text.startsWith(':APA91b', body + 7) ? takeFirebase(scan, body + 14) : NONE
}

/** The first line of a private key in base64, after `-----BEGIN `. */
const ENCODED_KEYS = [
  'QUklWQVRF',
  'SU0EgUFJJVkFURS',
  'PUEVOU1NIIFBSSVZBVEUg',
  'FQyBQUklWQVRF',
  'FTkNSWVBURUQgUFJJVkFURS',
]
const takeEncodedKey = atLeast(40, BASE64S, 32 * 1024)
function encodedKey(scan: Scan, body: number): number {
  return ENCODED_KEYS.some((one) => scan.text.startsWith(one, body)) ? takeEncodedKey(scan, body) : NONE
}

const takeGitlab = atLeast(20, NAMES, 300)
/** Newer ones go on: `.01.` and a checksum. */
function gitlab(scan: Scan, body: number): number {
  const end = takeGitlab(scan, body)
  if (end < 0 || scan.text[end] !== '.' || scan.text[end + 3] !== '.') return end
  const longer = scan.runEnd(SECOND_NAMES, end + 4)
  return scan.runEnd(THIRD_NAMES, end + 1) === end + 3 && longer - end - 4 >= 7
    ? Math.min(longer, end + 13)
    : end
}

const ANTHROPIC_USES = ['api', 'sid', 'admin', 'oat']
const MAX_ANTHROPIC_USE = 16
const takeAnthropic = atLeast(32, NAMES)
function anthropic(scan: Scan, body: number): number {
  if (!ANTHROPIC_USES.some((use) => scan.text.startsWith(use, body))) return NONE
  for (let at = body + 3; at < body + MAX_ANTHROPIC_USE; at++) {
    const bits = scan.bits(at)
    if (bits & DASH) return takeAnthropic(scan, at + 1)
    if ((bits & WORD) === 0) break
  }
  return NONE
}

/** In the middle of every key. */
const OPENAI_SIGN = 'T3BlbkFJ'
const OPENAI_USES = ['proj-', 'svcacct-', 'admin-']
const takeOpenai = atLeast(58, NAMES)
const takeOldOpenai = atLeast(20, ALNUMS)
function openai(scan: Scan, body: number): number {
  const sign = scan.nextSign(OPENAI_SIGN, body)
  if (sign === scan.length) return NONE
  const rest = sign + OPENAI_SIGN.length
  if (sign === body + 20 && scan.runEnd(ALNUMS, body) >= rest) return takeOldOpenai(scan, rest)
  const use = OPENAI_USES.find((one) => scan.text.startsWith(one, body))
  if (use === undefined) return NONE
  const before = sign - body - use.length
  return before < 58 || before > 74 || scan.runEnd(NAMES, body) < rest ? NONE : takeOpenai(scan, rest)
}

/** `SG.`, 22 characters, a dot and 43. */
function sendgrid(scan: Scan, body: number): number {
  const dot = body + 22
  if (scan.text[dot] !== '.' || scan.runEnd(NAMES, body) !== dot) return NONE
  return takeSendgrid(scan, dot + 1)
}
const takeSendgrid = exactly(43, SECOND_NAMES, NAME)

function jwt(scan: Scan, body: number): number {
  const first = scan.runEnd(NAMES, body)
  if (first - body < 10 || !scan.text.startsWith('.eyJ', first)) return NONE
  const second = scan.runEnd(SECOND_NAMES, first + 4)
  if (second - first - 4 < 6 || scan.text[second] !== '.') return NONE
  const third = scan.runEnd(THIRD_NAMES, second + 1)
  return third - second - 1 < 16 ? NONE : third
}

const takeOldVault = exactly(24, ALNUMS, NAME)
/** 24 letters and digits, with both present, unlike words. */
function oldVault(scan: Scan, body: number): number {
  const end = takeOldVault(scan, body)
  let bits = 0
  for (let at = body; at < end; at++) bits |= scan.bits(at)
  return (bits & DIGIT) !== 0 && (bits & UPPER) !== 0 && (bits & LOWER) !== 0 ? end : NONE
}

/** Three parts with dots between: nothing else marks it, but that it begins with M, N or O. */
export function discordBotToken(scan: Scan, at: number): number {
  const first = scan.runEnd(NAMES, at)
  if (first - at < 24 || first - at > 26 || scan.text[first] !== '.') return NONE
  const second = scan.runEnd(SECOND_NAMES, first + 1)
  const length = second - first - 1
  if (length < 6 || length > 7 || scan.text[second] !== '.') return NONE
  const third = scan.runEnd(THIRD_NAMES, second + 1)
  return third - second - 1 < 27 ? NONE : third
}
