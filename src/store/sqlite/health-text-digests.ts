import { contentDigest } from '../../util/hash.ts'
import { type Check, fail, pass, RESTORE } from './check.ts'
import type { Context } from './context.ts'

interface StoredText {
  digest: string
  body: unknown
}

/** What was stored cannot be told from its digest: nothing to heal with. */
export function textDigestCheck({ db }: Context): Check {
  return {
    name: 'text_digest',
    run() {
      let total = 0
      let wrong = 0
      const texts = db.prepare<[], StoredText>('SELECT lower(hex(digest)) AS digest, body FROM texts')
      for (const text of texts.iterate()) {
        total++
        if (!isAsStored(text)) wrong++
      }
      return wrong === 0
        ? pass(`${total} texts are what was stored`)
        : fail(`${wrong} texts are not what was stored; ${RESTORE}`)
    },
  }
}

export function isAsStored({ digest, body }: StoredText): boolean {
  return typeof body === 'string' && contentDigest(body) === digest
}
