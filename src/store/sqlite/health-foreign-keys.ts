import { fail, pass, RESTORE } from '../../core/doctor/check.ts'
import type { Check } from './check.ts'
import type { Context } from './context.ts'

interface Broken {
  child: string
  parent: string
  count: number
}

export function foreignKeysCheck({ db }: Context): Check {
  return {
    name: 'foreign_keys',
    run() {
      const broken = db
        .prepare<[], Broken>(
          'SELECT "table" AS child, parent, count(*) AS count FROM pragma_foreign_key_check() GROUP BY 1, 2',
        )
        .all()
      if (broken.length === 0) return pass('every row that another refers to is there')
      const counts = broken.map(({ child, parent, count }) => `${count} of ${child} to ${parent}`)
      return fail(`references to rows that are not there: ${counts.join(', ')}; ${RESTORE}`)
    },
    /** History is a line: the parent of a snapshot is the one before it. Nothing else can be told from what is left. */
    heal() {
      db.exec(`UPDATE snapshots SET parent_id = (SELECT max(p.id) FROM snapshots p WHERE p.id < snapshots.id)
        WHERE NOT EXISTS (SELECT 1 FROM snapshots p WHERE p.id = snapshots.parent_id)`)
    },
  }
}
