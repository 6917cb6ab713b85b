/** How far a compile is: files are read first, then written. */
export interface CompileProgress {
  phase: 'read' | 'write'
  done: number
  total: number
}

/** Files that are done, as one figure that only grows: one that is read but not written is half done. */
export function filesDone({ phase, done, total }: CompileProgress): { done: number; total: number } {
  return { done: Math.floor((phase === 'read' ? done : total + done) / 2), total }
}

/** Below an answer that may not know everything yet. */
export function compilingLine(progress: CompileProgress): string {
  const { done, total } = filesDone(progress)
  const count = (files: number): string => files.toLocaleString('en-US')
  return total === 0
    ? 'still compiling: looking for files'
    : `still compiling: ${count(done)} of ${count(total)} ${total === 1 ? 'file' : 'files'}`
}

/** Replaces the answer of a memory that is still empty. */
export const NOTHING_YET = 'nothing is stored yet'
