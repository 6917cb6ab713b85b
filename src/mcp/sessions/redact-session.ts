import type { Redact } from '../../core/redact.ts'
import type { ClientMeta } from '../model/observer.ts'
import type { Session } from './registry.ts'

/** A session that is safe to show and store: clients can put secrets into their names. */
export function redactSession(redact: Redact, session: Session): Session {
  return { ...session, client_meta: redactClient(redact, session.client_meta) }
}

function redactClient(redact: Redact, { name, title, version, protocol }: ClientMeta): ClientMeta {
  return {
    name: redact(name),
    ...(title === undefined ? {} : { title: redact(title) }),
    version: redact(version),
    protocol: redact(protocol),
  }
}
