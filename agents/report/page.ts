import { PROGRAMS } from '../programs/programs.ts'
import { grouped } from './markdown.ts'
import type { Report } from './report.ts'
import { tablesOf } from './tables.ts'

/** `docs/reference/agents.md`, made from a result. */
export function pageOf(report: Report): string {
  const { programs, calls, instead, missing } = tablesOf(report, { isAligned: false })
  const parts = [
    ...introduction(report),
    ...['## Programs', ABOUT_PROGRAMS, programs, ...missing],
    notesOf(report),
    ...['## Calls', ABOUT_CALLS, calls],
    ...['## What did not arrive', ABOUT_INSTEAD, instead],
    ...MEASURE,
  ]
  return `${parts.join('\n\n')}\n`
}

function notesOf({ programs }: Report): string {
  const measured = PROGRAMS.filter(({ name }) => programs.some((one) => one.name === name))
  const lines = measured.flatMap(({ title, notes }) =>
    notes.length === 0 ? [] : [`- **${title}**: ${notes.join(' ')}`],
  )
  return lines.join('\n')
}

const introduction = ({ date, nodes }: Report): string[] => [
  '# What agents get',
  `Between a server and a model stands a program. It passes on the text of an answer or its JSON, cuts what is long, hides tools
behind a search, or asks a person before it makes a call. This page shows what reached the model in the programs people use. It was
measured on ${date}, with the real programs, a scripted model and a memory of ${grouped(nodes)} nodes. \`npm run agents -- --write\` measures
again and writes this page.`,
]

const ABOUT_PROGRAMS = `JSON is \`structuredContent\`; only [keys](keys.md) send it besides a text. A schema change is a keyword that the program removed (\`-\`), added (\`+\`) or changed (\`~\`). A
tool search is measured where the program has one: in brackets is the place of the right tool among all that were found. The
last row is about a program that was configured with the server and nothing else, with nobody to ask; for all other rows it was allowed to
call every tool. Where stdio and HTTP differ, both are shown.`

const ABOUT_CALLS = `The characters that the server sent as text, and what the model read, in characters. Budgets and limits are the defaults. **Cut**: a part
is missing. **Replaced**: the model read something else, such as the name of a file. **Refused**: the call did not reach the server.`

const ABOUT_INSTEAD = `Every answer that was not whole, and the beginning of what the model read. Names of files are left out (\`…\`). A program that checks
arguments itself, or asks a person first, keeps the call from the server.`

const MEASURE = [
  '## Measure it yourself',
  `\`\`\`sh
npm run agents
npm run agents -- codex opencode --transport http
npm run agents -- codex --use codex@0.150.0 --keep
\`\`\``,
  `Programs are installed from the package registry into \`node_modules/.cache/agents\`, in the versions shown unless \`--use\` names another. Nothing
else uses the network: the model is on loopback, the programs get no key, and a proxy refuses whatever they try to reach outside. What they
write goes into a temporary folder that is removed at the end; \`--keep\` leaves it there, with every request to the model (\`model.jsonl\`) and every
message of MCP (\`mcp.jsonl\`). A program that cannot be installed or does not run is skipped, with the reason.
A run is made again, at most twice, where the program asked its model before it was connected to the server, as on a busy machine.
It runs on Linux and macOS, one program at a time, and takes about ten minutes once the programs are installed.
\`npm run agents -- --help\` lists all flags.`,
]
