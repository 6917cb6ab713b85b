/** Shows a memory and follows it. All that comes from the memory is set as text: whoever wrote it may not be a friend. */
import { createClient, UnreachableError } from './mcp.js'

const DEFAULT_SERVER = 'http://127.0.0.1:7474/mcp'
const PAGE_SIZE = 50
const DEEPEST_INDENT = 6
const RETRY_MS = 2_000
const [TREE, GRAPH, SNAPSHOTS, TEMPERATURE] = ['tree', 'graph', 'snapshots', 'temperature'].map(uriOf)
const WATCHED = [TREE, GRAPH, SNAPSHOTS, TEMPERATURE, ...['files', 'rescan'].map(uriOf)]

const server = new URLSearchParams(location.search).get('server') ?? DEFAULT_SERVER
const client = createClient(server, { name: 'remindb-browser-example', version: '1.0.0' })
const told = new Map(WATCHED.map((uri) => [uri, { count: 0, last: undefined }]))
const problems = new Map()
const part = (id) => document.getElementById(id)

const readOverview = createReader('remindb://overview', showOverview)
const readTree = createReader(`${TREE}?limit=${PAGE_SIZE}`, showTree)
/** What is drawn from what: the overview cannot be subscribed to, but it changes with these. */
const READERS = new Map([
  [TREE, [readTree, readOverview]],
  [GRAPH, [readOverview]],
  [SNAPSHOTS, [readOverview]],
  [TEMPERATURE, [readTree, readOverview]],
])

showChanges()
await client.watch(WATCHED, {
  onLive() {
    showState('live', 'live')
    showProblem(server, '')
    readOverview()
    readTree()
  },
  onChange(uri) {
    const row = told.get(uri)
    if (row === undefined) return
    row.count += 1
    row.last = new Date()
    showChanges()
    for (const read of READERS.get(uri) ?? []) read()
  },
  onLost(reason, pauseMs) {
    showState('lost', `not connected, again in ${Math.ceil(pauseMs / 1000)} s`)
    showProblem(server, explain(reason))
  },
})

/**
 * A function that reads `uri` and shows it. However often it is called, one read runs at a time and one more follows, so what is
 * shown last is the newest. A page that nobody sees reads when it is looked at again; what fails is tried again.
 */
function createReader(uri, show) {
  let isReading = false
  let isStale = false
  async function refresh() {
    isStale = true
    if (isReading) return
    isReading = true
    try {
      while (isStale && !document.hidden) {
        isStale = false
        show(await client.read(uri))
        showProblem(uri, '')
      }
    } catch (error) {
      showProblem(uri, explain(error))
      isStale = true
      setTimeout(refreshIfStale, RETRY_MS)
    } finally {
      isReading = false
    }
  }
  const refreshIfStale = () => isStale && refresh()
  document.addEventListener('visibilitychange', refreshIfStale)
  return refresh
}

function showOverview({ nodes, snapshots, temperature, relations }) {
  const numbers = {
    nodes: nodes.total,
    tokens: nodes.tokens,
    snapshots: snapshots.count,
    links: relations.total,
    hot: temperature.hot,
    cold: temperature.cold,
  }
  const pairs = Object.entries(numbers).map(([name, value]) =>
    element('div', {}, [element('dt', {}, name), element('dd', { id: name }, value.toLocaleString('en'))]),
  )
  part('overview').replaceChildren(...pairs)
}

function showTree({ nodes, next_cursor }) {
  part('tree').replaceChildren(...nodes.map(lineOf))
  const rest = next_cursor === null ? '' : `The first ${nodes.length}. There are more.`
  part('tree-rest').textContent = nodes.length === 0 ? 'Nothing is remembered yet.' : rest
}

function lineOf({ type, label, depth, temperature }) {
  const heat = { min: 0, max: 1, value: temperature, title: `heat ${temperature.toFixed(2)}` }
  const line = element('li', {}, [
    element('span', { className: 'label', dir: 'auto', title: label }, label),
    element('span', { className: 'type' }, type),
    element('meter', heat),
  ])
  line.style.setProperty('--depth', Math.min(depth, DEEPEST_INDENT))
  return line
}

function showChanges() {
  const rows = [...told].map(([uri, { count, last }]) =>
    element('tr', {}, [
      element('td', {}, uri.slice(uriOf('').length)),
      element('td', { id: `told-${uri.slice(uriOf('').length)}` }, String(count)),
      element('td', {}, last?.toLocaleTimeString('en-GB') ?? '–'),
    ]),
  )
  part('changes').replaceChildren(...rows)
}

function showState(state, text) {
  part('state').dataset.state = state
  part('state').textContent = text
}

/** Each about one thing, so that what goes well does not hide what does not. */
function showProblem(about, problem) {
  problems.set(about, problem)
  const text = [...new Set(problems.values())].filter((one) => one !== '').join('\n')
  part('problem').hidden = text === ''
  part('problem').textContent = text
}

function explain(error) {
  if (!(error instanceof UnreachableError)) return error.message
  return `No answer from ${server}.
Either nothing runs there, or it does not let this page in. To let it in, add "${location.origin}" to server.http.allowed_origins in your user file (or to REMINDB_SERVER_HTTP_ALLOWED_ORIGINS) and start the server again.`
}

/** The only way in which this page makes elements: what is inside is text or elements, never markup. */
function element(name, properties, inside = '') {
  const made = Object.assign(document.createElement(name), properties)
  made.append(...[inside].flat())
  return made
}

function uriOf(name) {
  return `remindb://${name}`
}
