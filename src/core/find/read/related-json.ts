import type { RelatedAnswer } from './related-model.ts'

export function relatedJson({ anchor, related, leftOut, isComplete }: RelatedAnswer) {
  return { anchor, related, left_out: leftOut, complete: isComplete }
}
