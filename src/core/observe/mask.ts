import type { DoctorReport } from '../doctor/doctor.ts'
import type { FilesEnvelope } from './files.ts'
import type { LogEnvelope } from './log.ts'
import type { OverviewEnvelope } from './overview.ts'
import type { SnapshotsEnvelope } from './snapshots.ts'

/** What clients that do not run the host are shown: a mask such as `space:acme` instead of every path of the host. */

export function maskOverview(overview: OverviewEnvelope, mask: string): OverviewEnvelope {
  const { snapshots } = overview
  const latest_message = maskMessage(snapshots.latest_message, mask)
  return { ...overview, db_path: mask, snapshots: { ...snapshots, latest_message } }
}

export function maskFiles({ roots }: FilesEnvelope, mask: string): FilesEnvelope {
  return { roots: roots.map(({ root, files }) => ({ root: maskRoot(root, mask), files })) }
}

export function maskSnapshots<E extends SnapshotsEnvelope>(envelope: E, mask: string): E {
  const snapshots = envelope.snapshots.map((one) => ({
    ...one,
    message: maskMessage(one.message, mask),
    compile_root: maskRoot(one.compile_root, mask),
  }))
  return { ...envelope, snapshots }
}

/** Who writes is for administrators, as the audit is: others see their own name. */
export function maskLog<E extends LogEnvelope>(envelope: E, mask: string, own: string | undefined): E {
  const { snapshots } = maskSnapshots(envelope, mask)
  const hidden = (author: string): string => (author === own ? author : mask)
  return { ...envelope, snapshots: snapshots.map((one) => ({ ...one, author: hidden(one.author) })) }
}

/** How many compile roots are gone is no secret; where they were is. */
export function maskDoctor(report: DoctorReport): DoctorReport {
  const checks = report.checks.map((check) =>
    check.name === 'stale_compile_root' ? { ...check, detail: check.detail.replace(/: .*\]/s, '') } : check,
  )
  return { ...report, checks }
}

/** '' is no root. */
function maskRoot(root: string, mask: string): string {
  return root === '' ? '' : mask
}

/** Unless somebody says otherwise, a compile is described by the path that was compiled; a revert names whose work was undone. */
function maskMessage(message: string, mask: string): string {
  if (message.startsWith('compile:')) return `compile:${mask}`
  return message.replace(/^revert .* since /, `revert ${mask} since `)
}

/** What may be the rest of a path that begins with a known folder. */
const REST = /^[^\s"'`,;()[\]{}]*/

/** A text such as an error message, with `mask` instead of every path that begins with one of `folders`. */
export function maskPaths(text: string, folders: readonly string[], mask: string): string {
  const longestFirst = folders.filter((folder) => folder.length > 1).sort((a, b) => b.length - a.length)
  return longestFirst.reduce((masked, folder) => {
    const [before = '', ...others] = masked.split(folder)
    return [before, ...others.map((after) => after.replace(REST, () => mask))].join('')
  }, text)
}
