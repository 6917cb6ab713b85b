import { vocabulary, WordTable, words } from './word-table.ts'

/** A placeholder to be filled in. */
export const PLACEHOLDER = 1
/** No value at all, or a type of values. */
export const NO_VALUE = 2
/** Names for secrets: a value that repeats one is a label, or the name of a variable. */
export const SECRET_NAME = 4
/** A word that sentences have and passphrases have not. */
export const PROSE = 8
/** The beginning of a reference to a value: `process.env.X`. */
export const REFERENCE = 16

/** How something is encrypted or signed. */
export const ALGORITHM = 32

const PLACEHOLDERS = `
  change your yours example examples placeholder changeme changeit replaceme replace insert todo tbd fixme redacted hidden masked
  removed omitted xxx xxxx xxxxx xxxxxx here fill dummy sample somepassword yourpassword mypassword yourtoken yourkey`

const NO_VALUES = `
  null none nil undefined true false yes no on off y n na empty unset unknown required optional string str text number
  int uint bigint long byte decimal blob json jsonb timestamp nvarchar bytea slice vec box option int integer bool boolean bytes byte any object array list map dict buffer char varchar uuid date datetime float double
  never void enabled disabled missing default auto never always inherit ask prompt stdin env file expired invalid wrong
  hashed encrypted plaintext confirmed sensitive secretstr promise function func type input nullable readonly header query
  flag option argument parameter value body hover focus active reset secured protected protect changed set stored shared generated rotated short long`

const SECRET_NAMES = `
  password passwords passwd passphrase pwd pw pass secret secrets token tokens key keys credential credentials creds auth
  authorization apikey bearer basic passwort kennwort passwortes api schlüssel clave contraseña senha clé chave chiave
  passwoord wachtwoord geheimnis secreto segreto jeton hasło heslo lösenord adgangskode passord salasana parola şifre пароль
  Пароль パスワード private public access client`

const PROSE_WORDS = `
  a an the is are was were be been being to of in on at by for from with without and or not no if then than that this these
  those it its as so see must should may can will shall would could has have had do does did who what which when where why how
  use used using only least most more less than each every all any some our my we you he she they their his her least
  after before until while per via into under over between enter choose ask tell keep put get give take make read write
  please minimum maximum characters letters digits der die das den dem ein eine und oder nicht mit ohne mindestens zeichen
  le la les un une des et ou au aux du de sur dans el los las una uno y o con sin del en para por al raise return throw
  new await async const let var def class import export function stored moved sent lives found nobody somebody
  expires expired needs lost forgotten oublié vergessen zurücksetzen confirmation wird werden ist sind`

const REFERENCES = `
  process env environ environment config cfg conf os var data local locals settings req request ctx context params param
  props options opts secrets vault args argv module values app rails std system sys state store this self session user users
  form event event event body cookies headers credentials proptypes faker types schema crypto input response result results`

/** Also with digits behind them. */
const ALGORITHMS = `
  aes sha rsa ed hs rs es ps ecdsa eddsa hmac pbkdf bcrypt scrypt argon oauth oidc saml jwt base pkce tls ssl md gcm cbc oaep
  x ldap scram kerberos totp hotp webauthn fido`

/** Read from their starts. */
export const VALUE_WORDS = new WordTable(
  vocabulary(
    words(PLACEHOLDERS, PLACEHOLDER),
    words(NO_VALUES, NO_VALUE),
    words(SECRET_NAMES, SECRET_NAME),
    words(PROSE_WORDS, PROSE),
    words(REFERENCES, REFERENCE),
    words(ALGORITHMS, ALGORITHM),
  ),
  1,
)
