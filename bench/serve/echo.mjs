// The floor of a start: a server that answers whatever it is asked, in as few lines as that takes.
let rest = ''
process.stdin.setEncoding('utf8').on('data', (piece) => {
  const lines = (rest + piece).split('\n')
  rest = lines.pop()
  for (const line of lines) {
    const { id } = JSON.parse(line)
    if (id !== undefined) process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: {} })}\n`)
  }
})
