import { type Commands, type CommandWord, isQuote } from './command-line.ts'
import { IF_NO_WORD, SURELY } from './key-name.ts'
import { isPlaceholder } from './placeholder.ts'
import { BLANK, isSpace } from './text/chars.ts'
import { COMMAND_KIND, KEYED_KIND } from './text/kinds.ts'
import { NAMES, type Scan } from './text/scan.ts'

/** Options that take a password, by program. After a letter `:` means that a user and a sign precede it, `+` that no blank does, `*` that one may. */
const OPTIONS: Readonly<Record<string, string>> = {
  curl: 'u:U:',
  http: 'a:',
  https: 'a:',
  xh: 'a:',
  lftp: 'u:',
  smbclient: 'U:',
  'redis-cli': 'a',
  mysql: 'p+',
  mysqldump: 'p+',
  mysqladmin: 'p+',
  mysqlimport: 'p+',
  mariadb: 'p+',
  '7z': 'p+',
  '7za': 'p+',
  rar: 'p+',
  unrar: 'p+',
  sshpass: 'p*',
  docker: 'p',
  podman: 'p',
  skopeo: 'p',
  nerdctl: 'p',
  helm: 'p',
  oc: 'p',
  az: 'p',
  twine: 'p',
  mongo: 'p',
  mongosh: 'p',
  mongodump: 'p',
  mongorestore: 'p',
  cqlsh: 'p',
  cf: 'p',
  rdesktop: 'p',
  ncftpput: 'p',
  ncftpget: 'p',
  sqlcmd: 'P',
  bcp: 'P',
  zip: 'P',
  unzip: 'P',
  mosquitto_pub: 'P',
  mosquitto_sub: 'P',
  ldapsearch: 'w',
  ldapadd: 'w',
  ldapmodify: 'w',
  ldapwhoami: 'w',
  'ssh-keygen': 'N',
}
/** Programs and files that name a value by the word before it: `password secret`. */
const NAMING = ['nmcli', 'machine', 'default']
/** Commands before a name and a value: `setx NAME value`. */
const SETTING = ['setx', 'setenv', 'set', 'ENV', 'ARG', 'define', 'option']

/** Commands and calls whose argument is known by its position. A match ends where the argument begins. */
const SHAPES: readonly { prefix: string; shape: RegExp; level: number }[] = [
  {
    prefix: 'net',
    shape:
      /net use(?: [^\s/«]{1,80}){0,4} \/user:[^\s«]{1,60} (?=[^\s/])|net user [^\s/«]{1,40} (?=[^\s/])/iy,
    level: IF_NO_WORD,
  },
  { prefix: 'netsh', shape: /netsh wlan [^\n«]{0,80}? key=(?!clear\b)/y, level: SURELY },
  { prefix: 'wpa_passphrase', shape: /wpa_passphrase [^\s«]{1,40} (?=\S)/y, level: SURELY },
  {
    prefix: 'rabbitmqctl',
    shape: /rabbitmqctl (?:add_user|change_password) [^\s«]{1,40} (?=\S)/y,
    level: SURELY,
  },
  { prefix: 'xfreerdp', shape: /xfreerdp [^\n«]{0,80}?\/p:(?=\S)/y, level: SURELY },
  { prefix: 'add-mask', shape: /add-mask::(?=\S)/y, level: SURELY },
  ...['NetworkCredential', 'PSCredential', 'HTTPBasicAuth', 'BasicAuth', 'WiFi'].map((prefix) => ({
    prefix,
    shape: /\w{4,20}(?:\.begin)?\(\s?(?:"[^"\n«]{0,60}"|'[^'\n«]{0,60}'|\w{1,30}), ?(?=["'])/y,
    level: SURELY,
  })),
]

/** The words that begin or name a command. */
export const COMMAND_WORDS: readonly { prefix: string; found: CommandWord }[] = [
  ...Object.entries(OPTIONS).map(([prefix, options]) => ({ prefix, found: { options } })),
  ...NAMING.map((prefix) => ({ prefix, found: { isNaming: true } as const })),
  ...SETTING.map((prefix) => ({ prefix, found: { read: readSetting } })),
  { prefix: 'htpasswd', found: { options: 'b' } },
  { prefix: 'chpasswd', found: { read: readPiped } },
  { prefix: 'echo', found: { read: readEcho } },
  { prefix: 'WIFI', found: { read: readWifi } },
  { prefix: 'variable', found: { read: readVariable } },
  { prefix: 'Env', found: { read: readEnvironment } },
  ...SHAPES.map(({ prefix, shape, level }) => ({
    prefix,
    found: { read: (commands: Commands, at: number) => readShape(commands, at, shape, level) },
  })),
  { prefix: 'ConvertTo-SecureString', found: { read: readSecureString } },
]

/** `setx NAME value`, `ENV NAME value`, `#define NAME "value"`, `option key 'value'`. */
function readSetting(commands: Commands, at: number, end: number): void {
  const { key, scan } = commands
  let name = commands.skipBlanks(end)
  if (scan.code(name) === 45) name = commands.skipBlanks(scan.runEnd(NAMES, name))
  const nameEnd = scan.runEnd(NAMES, name)
  if (nameEnd === name || name === end || (scan.bits(nameEnd) & BLANK) === 0) return
  const isOption = scan.text.startsWith('option', at)
  const level = key.read(scan, nameEnd)
  const isKey = isOption && scan.text.slice(name, nameEnd) === 'key'
  const isSetting = !isOption && key.isConfig(scan) && (level >= IF_NO_WORD || key.isEnv)
  if (isKey || isSetting || (isOption && level === SURELY))
    commands.readArgument(commands.skipBlanks(nameEnd), SURELY, KEYED_KIND)
}

/** `root:secret" | chpasswd`: the input of the program comes before it. */
function readPiped({ scan, value }: Commands, at: number): void {
  let end = at
  while (end > scan.floor && at - end < 8 && isPipe(scan, end - 1)) end--
  if (isQuote(scan.code(end - 1))) end--
  let from = end
  while (from > scan.floor && end - from < 64 && !isSpace(scan.code(from - 1)) && scan.code(from - 1) !== 58)
    from--
  if (end === at || scan.code(from - 1) !== 58 || end - from < 3) return
  value.read(scan, from, end, true)
  if (!isPlaceholder(scan, value)) scan.hit(COMMAND_KIND, from, from, end)
}

/** `echo secret | sudo -S`. */
function readEcho(commands: Commands, _at: number, end: number): void {
  const { scan } = commands
  if (scan.code(end) !== 32) return
  const from = scan.text.startsWith('-n ', end + 1) ? end + 4 : end + 1
  const pipe = commands.pipeAfter(from)
  if (pipe > from && pipe - from <= MAX_PIPED) commands.readArgument(from, SURELY, COMMAND_KIND)
}

function isPipe(scan: Scan, at: number): boolean {
  return (scan.bits(at) & BLANK) !== 0 || scan.code(at) === 124
}

/** An argument that its place makes a secret. */
function readShape(commands: Commands, at: number, shape: RegExp, level: number): void {
  shape.lastIndex = at
  const found = shape.exec(commands.scan.text)
  if (found) commands.readArgument(at + found[0].length, level, COMMAND_KIND)
}

/** `Env:NAME`, and `-Value secret` after it. */
function readEnvironment({ pair, scan }: Commands, _at: number, end: number): void {
  if (scan.code(end) === 58) pair.notePending(end + 1, scan.runEnd(NAMES, end + 1))
}

/** The content of a QR code for a network: `WIFI:T:WPA;S:name;P:secret;;`. */
function readWifi({ scan, value }: Commands, at: number): void {
  WIFI.lastIndex = at
  const found = WIFI.exec(scan.text)
  if (!found) return
  const end = at + found[0].length
  const from = end - (found[1] as string).length
  value.read(scan, from, end, true)
  if (!isPlaceholder(scan, value)) scan.plan(KEYED_KIND, from, from, end)
}

/** `variable "db_password" {`, and `default = "secret"` in it. */
function readVariable({ pair, scan }: Commands, _at: number, end: number): void {
  if (scan.code(end + 1) !== 34) return
  const nameEnd = scan.runEnd(NAMES, end + 2)
  if (scan.code(nameEnd) === 34) pair.notePending(end + 2, nameEnd)
}

/** `ConvertTo-SecureString "secret" -AsPlainText`. */
function readSecureString(commands: Commands, _at: number, end: number): void {
  const { scan } = commands
  let from = commands.skipBlanks(end)
  for (let count = 0; count < 3 && scan.code(from) === 45; count++)
    from = commands.skipBlanks(scan.runEnd(NAMES, from))
  if (isQuote(scan.code(from))) commands.readArgument(from, SURELY, COMMAND_KIND)
}

const MAX_PIPED = 80
const WIFI = /WIFI:(?:[A-OQ-Z]:(?:\\.|[^;\\\n«]){0,64};){0,4}P:((?:\\.|[^;\\\n«]){1,80}(?=;)|[^;\s«]{1,80})/y
