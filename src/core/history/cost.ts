import { formatSize, plural } from '../../util/text/units.ts'
import type { HistoryCost } from '../port/history.ts'

export function costLine({ snapshots, versions, textBytes }: HistoryCost): string {
  return `${plural(snapshots, 'snapshot')}, ${plural(versions, 'version')}, ${formatSize(textBytes)} of texts that only history holds`
}
