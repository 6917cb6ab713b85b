import type { Space } from '../../core/accounts/model.ts'
import type { SpaceStats } from '../../runtime/spaces/space-stats.ts'
import type { Palette } from '../../util/terminal/color.ts'
import { alignColumns } from '../../util/terminal/table.ts'
import { formatSize } from '../../util/text/units.ts'

export function spaceJson({ id, name, createdAt, archivedAt }: Space) {
  return { id, name, created_at: seconds(createdAt), archived_at: seconds(archivedAt) }
}

export function spaceLines(spaces: readonly Space[], palette: Palette): string[] {
  const rows = spaces.map((space) => [space.name, space.id, day(space.createdAt), stateOf(space)])
  return table(['space', 'id', 'created', 'state'], rows, palette)
}

export function statsJson({ space, nodes, bytes, changedAt, members, keys }: SpaceStats) {
  return { ...spaceJson(space), nodes, bytes, changed_at: seconds(changedAt), members, keys }
}

export function statsLines(stats: readonly SpaceStats[], palette: Palette): string[] {
  const rows = stats.map(({ space, nodes, bytes, changedAt, members, keys }) => [
    ...[space.name, String(nodes), formatSize(bytes), day(changedAt)],
    ...[String(members), String(keys), stateOf(space)],
  ])
  return table(['space', 'nodes', 'size', 'changed', 'members', 'keys', 'state'], rows, palette)
}

function table(head: string[], rows: string[][], palette: Palette): string[] {
  const [first = '', ...lines] = alignColumns([head, ...rows])
  return [palette.bold(first), ...lines]
}

function stateOf({ archivedAt }: Space): string {
  return archivedAt === null ? 'active' : 'archived'
}

function day(time: number | null): string {
  return time === null ? 'never' : new Date(time).toISOString().slice(0, 'yyyy-mm-dd'.length)
}

function seconds(time: number | null): number | null {
  return time === null ? null : Math.floor(time / 1000)
}
