import { vocabulary, WordTable, words } from './word-table.ts'

/** Its value is secret: `password`. */
export const STRONG = 1
/** Secret with another word before it: `db_pass`. */
export const PASS = 2
/** `key`: the word before it decides which kind. */
export const KEY = 4
/** `token`: the same. */
export const TOKEN = 8
/** Before `key` or `token`: a secret one. */
export const SECRET_OF = 16
/** Before `key` or `token`: a public one. */
export const PLAIN_OF = 32
/** After the word that matters: `password_prod`. */
export const TAIL = 64
/** `Authorization`: a scheme precedes the secret. */
export const AUTHORIZATION = 128
/** `name: DB_PASSWORD`, and `value:` after it. */
export const NAME_OF = 256
export const VALUE_OF = 512
/** Secret when the value looks like one. */
export const WEAK = 1024
/** Before `password`: a label or a switch more often than a secret. */
export const ASKED_OF = 2048
/** `secret_id`. */
export const ID = 4096
/** `keyMaterial`. */
export const MATERIAL = 262144
/** Its value may have several words. */
export const PHRASE = 524288
/** Its value is a number. */
export const PIN = 8192
/** `secret` alone: the name of one, in a file that refers to it. */
export const SECRET = 16384
/** `kind: Secret`, and the content of `data:`. */
export const KIND_OF = 32768
export const DATA_OF = 65536
/** Before a name: the call gives the secret, it does not take it. */
export const GETTER = 131072

const STRONG_WORDS = `
  password passwords passwd passphrase passwort passwörter kennwort passcode pwd pw pswd passw userpass
  apikey secretkey accesskey privatekey masterkey encryptionkey signingkey authkey accountkey sharedaccesskey
  accesstoken authtoken refreshtoken clientsecret appsecret secrets psk wpapsk mdp motdepasse passe
  dbpass sshpass mypass smtppass adminpass rootpass ftppass mailpass ldappass keypass storepass requirepass masterauth
  dockerconfigjson dockercfg bottoken
  contraseña contrasena senha пароль Пароль ПАРОЛЬ 密码 密碼 口令 パスワード 暗証番号 비밀번호 암호 wachtwoord
  lösenord adgangskode passord salasana hasło haslo heslo jelszó parolă parola şifre sifre κωδικός  पासवर्ड סיסמה khẩu
  zugangscode geheimzahl`

const SECRET_WORDS = `
  api secret private access account master encryption encrypt signing signature auth authentication authorization shared service
  ssh deploy deployment admin app application storage subscription jwt session hmac aes rsa cipher crypto crypt webhook bot
  refresh bearer client oauth user root server recovery registry vault consumer personal runner integration functions function
  install provisioning unseal seed wallet network fi security pat gpg pgp wireguard preshared pre wpa wifi fernet license ingest ingestion write sas x csrf
  aws azure gcp google openai anthropic claude gemini stripe github gh gitlab slack telegram discord twilio sendgrid mailgun
  mailchimp postmark npm pypi huggingface hf groq xai openrouter perplexity pplx docker dockerhub digitalocean atlassian jira
  confluence bitbucket shopify datadog dd sentry cloudflare cf heroku netlify vercel supabase firebase algolia mapbox linear
  notion figma pinecone cohere mistral replicate tavily serper brave deepseek together elevenlabs assemblyai weaviate qdrant
  circleci travis codecov sonar snyk grafana newrelic pagerduty okta auth0 cosmos servicebus tailscale databricks snowflake
  consul nomad terraform tf pulumi dropbox zoom hubspot salesforce airtable asana trello zendesk intercom segment mixpanel
  amplitude launchdarkly fcm apns vapid plaid square paypal braintree coinbase binance infura alchemy`

const PLAIN_WORDS = `
  public pub primary foreign partition sort cache publishable routing next page prev previous pad eos bos unk sep cls stop mask
  special max min num total per count row object map hash index natural composite unique translation message lookup group
  dedupe idempotency hot arrow escape return enter shift ctrl control alt meta tab space design continuation sync answer site
  column surrogate candidate join order range bucket metric label tag config registry storage3 local ansi first last input
  output prompt completion word sub reserved legend color colour dictionary json xml array each every any this that
  keyboard music major minor house car door piano host known pinned verify verification verifying`

const ASKED_WORDS = `
  confirm repeat forgot forgotten reset change changed show hide enter retype verify update wrong invalid missing empty weak
  no has is require requires required use uses allow allows need needs check validate forget incorrect generate suggest strong
  existing pull label hint ask`

const GETTER_WORDS = `
  get read fetch find load lookup check verify validate reset has is create generate prompt ask forgot require input type
  field by label text reading expect assert describe it test match matches parse decode next no`

const TAIL_WORDS = `
  prod production dev development staging stage test testing live old new backup current default value val base
  plain plaintext raw encoded string literal b c d v ci local staging1 primary secondary main live1`

/** Read from their ends: the last word of a name says most. */
export const KEY_WORDS = new WordTable(
  vocabulary(
    words(STRONG_WORDS, STRONG),
    words(ASKED_WORDS, ASKED_OF),
    words(GETTER_WORDS, GETTER),
    words('secret', STRONG | SECRET),
    words('pass', PASS),
    words('passphrase', PHRASE),
    words('phrase mnemonic', KEY | PHRASE),
    words('id', ID),
    words('material', MATERIAL),
    words('pin', PIN),
    words('kind', KIND_OF),
    words('data', DATA_OF),
    words('key schlüssel clé clave chave chiave sleutel nyckel ключ klucz', KEY),
    words('token pat jeton', TOKEN),
    words(SECRET_WORDS, SECRET_OF),
    words(PLAIN_WORDS, PLAIN_OF),
    words(TAIL_WORDS, TAIL),
    words('authorization', AUTHORIZATION),
    words('name key variable var setting property', NAME_OF),
    words('value val content default', VALUE_OF),
    words('credential credentials creds auth otp salt nonce cookie sig signature sessionid', WEAK),
  ),
  -1,
)

/** Also secret as the end of a longer word: `rootpassword`. */
export const KEY_ENDINGS = new WordTable(
  vocabulary(words('password passwd passphrase passwort kennwort apikey secretkey authtoken', STRONG)),
  -1,
)
export const MIN_ENDING = 6
export const MAX_ENDING = 10
