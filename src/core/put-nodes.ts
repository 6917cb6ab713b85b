import { createApplier } from './apply.ts'
import type { Hash64 } from './digest.ts'
import type { DocumentToPlan } from './document-to-plan.ts'
import { createPlan } from './plan.ts'
import { planDocument } from './plan-document.ts'
import type { WriteSteps } from './port/store.ts'

/** Brings the nodes of a document to what its text says now. It asks a lot: an engine runs it where the answers are. */
export async function putNodes(
  tx: WriteSteps,
  hash: Hash64,
  input: DocumentToPlan,
  snapshotId: number,
): Promise<void> {
  const plan = createPlan()
  await planDocument(tx, hash, plan, input)
  const applier = createApplier(tx, { id: async () => snapshotId })
  await applier.apply(plan)
  await applier.finish()
}
