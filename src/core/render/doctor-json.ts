import { jsonPieces } from '../../util/text/json-pieces.ts'
import type { DoctorReport } from '../doctor/doctor.ts'

/** The text of `doctor --json` and of `remindb://doctor`, in pieces: one function, so that they cannot differ. */
export function doctorJson(report: DoctorReport): Generator<string> {
  return jsonPieces(report)
}
