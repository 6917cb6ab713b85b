import { TRANSPORTS, type Transport } from '../scenarios.ts'
import { ASPECTS, type Aspect, formOf, isWhole } from './aspects.ts'
import { grouped, markdownTable, type TableStyle } from './markdown.ts'
import type { ProgramResult, Report, RunResult, StepResult } from './report.ts'

export interface Tables {
  /** What each program does with what the server sends. */
  programs: string
  /** What the model read of each call. */
  calls: string
  /** What the model read instead of an answer; empty where every answer arrived. */
  instead: string
  /** Which programs or runs are missing, and why. */
  missing: string[]
}

export function tablesOf(report: Report, style: TableStyle): Tables {
  const measured = report.programs.filter(({ skipped }) => skipped === undefined)
  return {
    programs: markdownTable(programRows(measured), style),
    calls: markdownTable(callRows(measured), style),
    instead: markdownTable(insteadRows(measured), style),
    missing: report.programs.flatMap(missingOf),
  }
}

function missingOf({ title, version, skipped, runs }: ProgramResult): string[] {
  if (skipped !== undefined) return [`Skipped: ${title} ${version} ${skipped}.`]
  return runs.flatMap(({ failure, scenario, transport }) =>
    failure === undefined ? [] : [`Incomplete: ${title}, ${scenario} over ${nameOf(transport)}: ${failure}.`],
  )
}

function programRows(programs: readonly ProgramResult[]): string[][] {
  const head = ['', ...programs.map(({ title, version }) => `${title} ${version}`)]
  const rows = ASPECTS.map((aspect) => [
    aspect.title,
    ...programs.map((program) => aspectOf(aspect, program)),
  ])
  return [head, ...rows]
}

function aspectOf({ scenarios, of, isJoint }: Aspect, { runs }: ProgramResult): string {
  if (isJoint) return of(runs.filter(({ scenario }) => scenarios.includes(scenario)))
  return byTransport((transport) => {
    const some = runs.filter((run) => run.transport === transport && scenarios.includes(run.scenario))
    return some.length > 0 ? of(some) : undefined
  })
}

const nameOf = (transport: Transport): string => (transport === 'http' ? 'HTTP' : transport)

/** One cell for both transports where they agree. */
function byTransport(cellFor: (transport: Transport) => string | undefined): string {
  const cells = TRANSPORTS.flatMap((transport) => {
    const cell = cellFor(transport)
    return cell === undefined ? [] : [{ transport, cell }]
  })
  const [first] = cells
  if (!first) return ''
  if (cells.every(({ cell }) => cell === first.cell)) return first.cell
  return cells.map(({ transport, cell }) => `${nameOf(transport)}: ${cell}`).join('; ')
}

const isScript = ({ scenario }: RunResult): boolean => scenario !== 'unattended'

function callRows(programs: readonly ProgramResult[]): string[][] {
  const steps = Map.groupBy(
    programs.flatMap(({ runs }) => runs.filter(isScript).flatMap((run) => run.steps)),
    ({ name }) => name,
  )
  const rows = [...steps].map(([name, all]) => [
    `${name} (\`${all[0]?.tool}\`)`,
    grouped(Math.max(...all.map(({ textLength }) => textLength))),
    ...programs.map((program) => callOf(name, program)),
  ])
  return [['call', 'sent', ...programs.map(({ title }) => title)], ...rows]
}

/** The longest over both transports: names of temporary files differ by a character. */
function callOf(name: string, { runs }: ProgramResult): string {
  const steps = runs.filter(isScript).flatMap((run) => run.steps.filter((step) => step.name === name))
  const longest = Math.max(...steps.map(({ gotLength }) => gotLength))
  const forms = byTransport((transport) => {
    const run = runs.find(
      (one) => one.transport === transport && one.steps.some((step) => step.name === name),
    )
    const step = run?.steps.find((one) => one.name === name)
    return step && formOf(step)
  })
  return forms === '' ? '' : `${forms}, ${grouped(longest)}`
}

function insteadRows(programs: readonly ProgramResult[]): string[][] {
  const lost = programs.flatMap(({ title, runs }) =>
    runs.flatMap((run) =>
      run.steps
        .filter((step) => !isWhole(step))
        .map((step) => ({ title, name: callName(run, step), form: formOf(step), quote: quoteOf(step) })),
    ),
  )
  const alike = Map.groupBy(lost, ({ title, form, quote }) => `${title} ${form} ${beginningOf(quote)}`)
  const rows = [...alike.values()].map((some) => {
    const [{ title, form, quote } = { title: '', form: '', quote: '' }] = some
    return [title, [...new Set(some.map(({ name }) => name))].join(', '), form, quote]
  })
  return [['program', 'calls', '', 'the model read'], ...rows]
}

function callName(run: RunResult, { name }: StepResult): string {
  return isScript(run) ? name : `${name} unattended`
}

/** Sizes, ids and names differ between answers that were treated alike. */
function beginningOf(quote: string): string {
  return quote.replaceAll(/\d+|Memory\w+/g, '').slice(0, 40)
}

function quoteOf({ instead = '' }: StepResult): string {
  const line = instead.replaceAll(/\s+/g, ' ').replaceAll('`', "'").trim()
  return line === '' ? 'nothing: the tool was not offered' : `\`${line}\``
}
