import { bareEnd } from './bare-value.ts'
import { isPlaceholder } from './placeholder.ts'
import { ALNUM, bitsOf, DIGIT, DOT, isSpace, LETTER, NAME, SYMBOL } from './text/chars.ts'
import {
  BASIC_URL_KIND,
  DATABASE_KIND,
  HASH_KIND,
  KEYED_KIND,
  TELEGRAM_KIND,
  URL_KIND,
} from './text/kinds.ts'
import { NAMES, type Scan } from './text/scan.ts'
import { Value } from './value.ts'

const DATABASES = new Set(
  'postgres postgresql mysql mariadb mongodb redis rediss amqp amqps mssql sqlserver'.split(' '),
)
const MAX_SCHEME = 40
const MAX_HOST = 64
const COLON = 58
const AT = 64
const SLASH = 47
const STAR = 42
const NOWHERE = -1

/** Passwords in addresses: `scheme://user:password@host`. One object for a whole text. */
export class Addresses {
  readonly #scan: Scan
  readonly #value = new Value()
  #start = 0
  #passwordFrom = 0
  #passwordEnd = 0

  constructor(scan: Scan) {
    this.#scan = scan
  }

  /** Reads the address that contains the colon at `at`, which `first` follows. Where to continue; -1 if there is none. */
  read(at: number, first: number): number {
    const scan = this.#scan
    if (first === SLASH) return this.#readAddress(at)
    if (first === 65 && scan.code(at + 2) === 65) return this.#readTelegram(at)
    if ((bitsOf(first) & DIGIT) !== 0 || first === STAR) return this.#readPgpass(at)
    if (first === 123) return this.#readHash(at)
    const isOracle = scan.code(at - 1) === 110 && scan.text.startsWith('oracle:thin', at - 11)
    return isOracle ? this.#readOracle(at) : NOWHERE
  }

  #readAddress(at: number): number {
    const scan = this.#scan
    const isWhole = scan.code(at + 2) === SLASH
    const scheme = this.#schemeOf(at)
    if (scheme === '' || (!isWhole && scheme !== 'http' && scheme !== 'https'))
      return isWhole ? at + 3 : NOWHERE
    const isWeb = scheme === 'http' || scheme === 'https'
    const next = at + (isWhole ? 3 : 2)
    if (!this.#readPassword(next, isWeb)) return next
    if (isPlaceholder(scan, this.#value) || this.#value.isKnownWord()) return next
    const isDatabase = DATABASES.has(scheme.replace(/\+.*/, ''))
    if (!isWeb && !isDatabase) return this.#plan(this.#passwordFrom, this.#passwordEnd, next)
    return this.#hit(isWeb ? BASIC_URL_KIND : DATABASE_KIND, this.#start, this.#addressEnd(), next)
  }

  #schemeOf(at: number): string {
    const scan = this.#scan
    let start = at
    while (start > scan.floor && at - start < MAX_SCHEME) {
      const code = scan.code(start - 1)
      if ((bitsOf(code) & ALNUM) === 0 && code !== 43 && code !== 46 && code !== 45) break
      start--
    }
    while (start < at && (scan.bits(start) & LETTER) === 0) start++
    this.#start = start
    return scan.text.slice(start, at).toLowerCase()
  }

  /** From the first colon to the last `@` before the path. */
  #readPassword(from: number, isWeb: boolean): boolean {
    const { codes, length } = this.#scan
    let colon = NOWHERE
    let first = NOWHERE
    let last = NOWHERE
    for (let at = from; at < length; at++) {
      const code = codes[at] as number
      if (endsAuthority(code) || (isWeb && endsWebAuthority(code))) break
      if (code === COLON && colon < 0) colon = at
      else if (colon < 0 && (code === AT || code === 63 || code === 35)) return false
      else if (code === AT && at > colon + 1) {
        if (first < 0) first = at
        last = at
      }
    }
    if (last < 0 || (isWeb && colon === from)) return false
    this.#passwordFrom = colon + 1
    this.#passwordEnd = last
    // A placeholder has no distinguishing mark.
    this.#value.read(this.#scan, colon + 1, first, false)
    return true
  }

  #addressEnd(): number {
    const { text } = this.#scan
    let end = this.#passwordEnd + 1
    while (end < this.#scan.length && !endsAddress(this.#scan.code(end))) end++
    while (end > this.#passwordEnd + 1 && '.,;:!?*'.includes(text[end - 1] as string)) end--
    return end
  }

  #hit(kind: string, from: number, end: number, next: number): number {
    return this.#scan.hit(kind, this.#start, from, end) ? end : next
  }

  #plan(from: number, end: number, next: number, kind = URL_KIND): number {
    this.#scan.plan(kind, this.#start, from, end)
    return next
  }

  /** The number of a bot and its key. */
  #readTelegram(at: number): number {
    const scan = this.#scan
    let start = at
    while (start > scan.floor && at - start <= 10 && (scan.bits(start - 1) & DIGIT) !== 0) start--
    const end = scan.runEnd(NAMES, at + 1)
    if (at - start < 8 || at - start > 10 || end - at - 1 < 33) return NOWHERE
    const isWord =
      start === scan.floor || (scan.bits(start - 1) & ALNUM) === 0 || scan.text.startsWith('bot', start - 3)
    if (!isWord) return NOWHERE
    return scan.hit(TELEGRAM_KIND, start, start, end) ? end : NOWHERE
  }

  /** A line of `.pgpass`: host, port, database, user, password. */
  #readPgpass(at: number): number {
    const scan = this.#scan
    const start = this.#hostStart(at)
    const before = scan.code(start - 1)
    if (start === at || (start > 0 && !isSpace(before) && !isQuote(before))) return NOWHERE
    PGPASS.lastIndex = at
    const found = PGPASS.exec(scan.text)
    if (!found || !/[A-Za-z]/.test(found[1] as string)) return NOWHERE
    const from = at + found[0].length
    const end = bareEnd(scan, from)
    this.#start = start
    this.#value.read(scan, from, end, false)
    return end > from && !isPlaceholder(scan, this.#value) && !this.#value.isKnownWord()
      ? this.#plan(from, end, at + 1, KEYED_KIND)
      : NOWHERE
  }

  /** Of a name, four numbers or `*` before `at`; `at` for anything else. */
  #hostStart(at: number): number {
    const scan = this.#scan
    let start = at
    let bits = 0
    let dots = 0
    while (start > scan.floor && at - start < MAX_HOST && isHost(scan, start - 1)) {
      start--
      bits |= scan.bits(start)
      if (scan.code(start) === 46) dots++
    }
    const isNumber = dots === 3 && (bits & (NAME | SYMBOL)) === DIGIT
    const isStar = at - start === 1 && scan.code(start) === STAR
    return (bits & LETTER) !== 0 || isNumber || isStar ? start : at
  }

  #readHash(at: number): number {
    HASH.lastIndex = at
    if (!HASH.test(this.#scan.text)) return NOWHERE
    this.#start = at + 1
    return this.#hit(HASH_KIND, at + 1, bareEnd(this.#scan, at + 1), NOWHERE)
  }

  /** `jdbc:oracle:thin:user/password@host`. */
  #readOracle(at: number): number {
    let slash = at + 1
    while (slash < at + 64 && (this.#scan.bits(slash) & (NAME | DOT)) !== 0) slash++
    if (this.#scan.code(slash) !== SLASH) return NOWHERE
    let end = slash + 1
    while (end < slash + 128 && end < this.#scan.length && !endsAuthority(this.#scan.code(end))) end++
    let last = end - 1
    while (last > slash && this.#scan.code(last) !== AT) last--
    this.#start = at - 11
    if (last <= slash + 1) return NOWHERE
    this.#value.read(this.#scan, slash + 1, last, false)
    return isPlaceholder(this.#scan, this.#value) ? NOWHERE : this.#plan(slash + 1, last, at + 1)
  }
}

/** `user:{SHA}…` */
const HASH =
  /:\{(?:SHA|SSHA|SHA256|SSHA256|SHA512|SSHA512|CRYPT|MD5|SMD5|PBKDF2[A-Z0-9-]{0,8})\}(?=[\w./$+=-]{16})/y
/** The port, the database and the user. */
const PGPASS = /:(?:\d{2,5}|\*):(?:[\w.-]{1,63}|\*):([\w.@-]{1,127}):(?=[^\s:])/y

/** `/`, a blank, a quote, a bracket of markup, or one of a marker. */
function endsAuthority(code: number): boolean {
  switch (code) {
    case SLASH:
    case 34:
    case 39:
    case 96:
    case 60:
    case 62:
    case 0xab:
    case 0xbb:
      return true
    default:
      return isSpace(code)
  }
}

/** `?`, `#`, `,` and round brackets. */
function endsWebAuthority(code: number): boolean {
  return code === 63 || code === 35 || code === 44 || code === 40 || code === 41
}

function endsAddress(code: number): boolean {
  switch (code) {
    case 34:
    case 39:
    case 96:
    case 60:
    case 62:
    case 40:
    case 41:
    case 91:
    case 93:
    case 123:
    case 125:
    case 124:
      return true
    default:
      return isSpace(code)
  }
}

function isQuote(code: number): boolean {
  return code === 34 || code === 39 || code === 96
}

function isHost(scan: Scan, at: number): boolean {
  return (scan.bits(at) & (NAME | DOT)) !== 0 || scan.code(at) === STAR
}
