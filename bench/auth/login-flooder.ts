/** Tries passwords as fast as it can, each of another user and from another network, until it is asked to stop. A thread. */
import { Agent, request } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'

const CONNECTIONS = 16

const origin = workerData as string
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
const answers: Record<string, number> = {}
let isOn = true
let network = 0

parentPort?.once('message', () => {
  isOn = false
})
await Promise.all(Array.from({ length: CONNECTIONS }, tryPasswords))
agent.destroy()
parentPort?.postMessage(answers)

async function tryPasswords(): Promise<void> {
  const { cookie, csrf } = await openForm()
  while (isOn) {
    const from = ++network
    const [high, low] = [Math.floor(from / 65536), from % 65536].map((part) => part.toString(16))
    const headers = { cookie, 'x-forwarded-for': `2001:db9:${high}:${low}::1` }
    const fields = { csrf, next: '', name: `user${from}`, password: `guess number ${from}` }
    const { status } = await send(headers, new URLSearchParams(fields).toString())
    answers[status] = (answers[status] ?? 0) + 1
  }
}

async function openForm(): Promise<{ cookie: string; csrf: string }> {
  const { text, cookies } = await send({})
  const csrf = /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? ''
  return { cookie: cookies.map((line) => line.split(';')[0]).join('; '), csrf }
}

function send(
  headers: Record<string, string>,
  body?: string,
): Promise<{ status: number; text: string; cookies: string[] }> {
  const [method, type] =
    body === undefined ? ['GET', {}] : ['POST', { 'content-type': 'application/x-www-form-urlencoded' }]
  return new Promise((resolve, reject) => {
    const sent = request(
      `${origin}/auth/login`,
      { method: method as string, agent, headers: { ...(type as object), ...headers } },
      (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (piece: string) => {
          text += piece
        })
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, text, cookies: answer.headers['set-cookie'] ?? [] }),
        )
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}
