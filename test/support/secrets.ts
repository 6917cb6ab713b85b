/** One made-up secret of each built-in kind. Put together here: nothing in the repository looks like a real one. */

const mixed = (length: number): string => 'a1B2c3D4e5'.repeat(Math.ceil(length / 10)).slice(0, length)
const upper = (length: number): string => mixed(length).toUpperCase()
const hex = (length: number): string => 'a1b2c3d4e5'.repeat(Math.ceil(length / 10)).slice(0, length)
const digits = (length: number): string => '1234567890'.repeat(Math.ceil(length / 10)).slice(0, length)
const jwtPart = (length: number): string => `eyJ${mixed(length)}`
const pem = (label: string, body: string): string =>
  `-----BEGIN ${label}PRIVATE KEY-----\n${body}\n-----END ${label}PRIVATE KEY-----`

/** In the order of the built-in kinds; `all` is secret, and what stands before it in `text`, and `after`, is not. */
export const SECRETS: readonly { kind: string; text: string; all: string; after: string }[] = [
  whole('aws_access_key', `AKIA${upper(16)}`),
  whole('aws_access_key', `ASIA${upper(16)}`),
  whole('gcp_oauth_client_secret', `GOCSPX-${mixed(28)}`),
  whole('google_api_key', `AIza${mixed(35)}`),
  ...['p', 'o', 'u', 's', 'r'].map((letter) => whole('github_pat', `gh${letter}_${mixed(36)}`)),
  whole('github_fine_grained_pat', `github_pat_${mixed(22)}_${mixed(59)}`),
  whole('gitlab_pat', `glpat-${mixed(20)}`),
  whole('gitlab_pat', `glpat-${mixed(60)}.01.${hex(9)}`),
  whole('anthropic_api_key', `sk-ant-api03-${mixed(93)}`),
  whole('anthropic_api_key', `sk-ant-sid01-${mixed(86)}`),
  whole('huggingface_token', `hf_${mixed(34)}`),
  whole('openai_api_key', `sk-${mixed(20)}T3BlbkFJ${mixed(20)}`),
  ...['proj', 'svcacct', 'admin'].map((use) =>
    whole('openai_api_key', `sk-${use}-${mixed(74)}T3BlbkFJ${mixed(74)}`),
  ),
  whole('stripe_secret_key', `sk_live_${mixed(24)}`),
  whole('stripe_secret_key', `rk_test_${mixed(99)}`),
  whole('stripe_webhook_secret', `whsec_${mixed(32)}`),
  whole('discord_bot_token', `M${mixed(23)}.${mixed(6)}.${mixed(27)}`),
  whole('discord_bot_token', `O${mixed(25)}.${mixed(7)}.${mixed(38)}`),
  whole('discord_webhook', `https://discord.com/api/webhooks/${digits(18)}/${mixed(68)}`),
  whole('discord_webhook', `https://canary.discordapp.com/api/v10/webhooks/${digits(18)}/${mixed(68)}`),
  whole('slack_token', `xoxb-${digits(11)}-${digits(12)}-${mixed(24)}`),
  whole('slack_webhook', `https://hooks.slack.com/services/T${upper(8)}/B${upper(8)}/${mixed(24)}`),
  whole('mailgun_api_key', `key-${hex(32)}`),
  whole('sendgrid_api_key', `SG.${mixed(22)}.${mixed(43)}`),
  whole('npm_token', `npm_${mixed(36)}`),
  whole('pypi_token', `pypi-AgEIcHlwaS5vcmc${mixed(150)}`),
  whole('linear_api_key', `lin_api_${mixed(40)}`),
  whole('jwt', `${jwtPart(33)}.${jwtPart(60)}.${mixed(43)}`),
  whole('db_connection_string', 'postgres://app:pa55-word@db.example.org:5432/app?sslmode=require'),
  whole('db_connection_string', 'MONGODB+SRV://app:pa55@cluster.example.org/app'),
  whole('db_connection_string', 'redis://:pa55word@cache.example.org:6379/0'),
  kept('bearer_auth_header', 'Authorization: Bearer ', mixed(40)),
  kept('bearer_auth_header', 'authorization: bearer ', `${mixed(40)}==`),
  whole('basic_auth_url', 'https://app:pa55word@example.org/repository.git'),
  whole('private_key_block', pem('', `MII${mixed(61)}\n${mixed(40)}==`)),
  whole('private_key_block', pem('OPENSSH ', mixed(64))),
  whole(
    'private_key_block',
    pem('RSA ', `Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,${upper(32)}\n\n${mixed(64)}`),
  ),
  kept('env_secret_assignment', 'DEPLOY_PASSWORD=', 'correct-horse'),
  kept('env_secret_assignment', 'API_KEY=', mixed(12)),
  whole('openrouter_api_key', `sk-or-v1-${hex(64)}`),
  whole('groq_api_key', `gsk_${mixed(52)}`),
  whole('xai_api_key', `xai-${mixed(80)}`),
  whole('perplexity_api_key', `pplx-${mixed(48)}`),
  whole('vault_token', `hvs.${mixed(24)}`),
  whole('vault_token', `hvb.${mixed(130)}`),
  whole('vault_token', `s.${mixed(24)}`),
  whole('docker_token', `dckr_pat_${mixed(27)}`),
  whole('docker_token', `dckr_oat_${mixed(32)}`),
  ...['dop', 'doo', 'dor'].map((use) => whole('digitalocean_token', `${use}_v1_${hex(64)}`)),
  whole('atlassian_token', `ATATT3xFfGF0${mixed(180)}=${upper(8)}`),
  whole('atlassian_token', `ATBB${mixed(32)}`),
  whole('telegram_bot_token', `${digits(10)}:AA${mixed(33)}`),
  ...['at', 'ca', 'pa', 'ss'].map((use) => whole('shopify_token', `shp${use}_${hex(32)}`)),
  whole('twilio_api_key', `SK${hex(32)}`),
  kept('azure_account_key', 'AccountName=acme;AccountKey=', `${mixed(86)}==`),
  kept('azure_account_key', 'Endpoint=sb://acme.example.org/;SharedAccessKey=', `${mixed(43)}=`),
  kept('basic_auth_header', 'Authorization: Basic ', 'YW5uYTpsaWxhYy1TdG9uZS03'),
  kept('basic_auth_header', 'proxy-authorization: basic ', 'cHJveHl1c2VyOm9sZG1pbGwyMg=='),
  kept('url_password', 'ftp://anna:', 'seashell4', '@ftp.example.org/in'),
  kept('url_password', 'jdbc:oracle:thin:scott/', 'larkspur9', '@ora.example.org:1521:XE'),
  kept('command_line_password', 'curl -u user:', 'pw9539'),
  kept('command_line_password', './login --password ', 'tightrope6'),
  kept('command_line_password', 'sshpass -p ', 'hopscotch8'),
  whole('password_hash', `$2y$10$${mixed(53)}`),
  whole('password_hash', `$apr1$${mixed(8)}$${mixed(22)}`),
  kept('keyed_secret', 'password=', 'foo123'),
  kept('keyed_secret', 'DB_PASSWORD: ', 'topsecret'),
  kept('keyed_secret', 'aws_secret_access_key = ', mixed(40)),
]

function whole(kind: string, text: string) {
  return { kind, text, all: text, after: '' }
}

function kept(kind: string, before: string, all: string, after = '') {
  return { kind, text: before + all + after, all, after }
}

/** The first of each kind. */
export const SECRET_BY_KIND: ReadonlyMap<string, string> = new Map(
  SECRETS.toReversed().map(({ kind, text }) => [kind, text]),
)

export function secretOf(kind: string): string {
  const secret = SECRET_BY_KIND.get(kind)
  if (secret === undefined) throw new Error(`no secret of kind ${kind}`)
  return secret
}
