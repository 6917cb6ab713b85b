import { doctorJson } from '../../../core/doctor/doctor-json.ts'
import type { MemoryResource } from '../../model/resource.ts'

export const doctor: MemoryResource = {
  uri: 'remindb://doctor',
  name: 'doctor',
  title: 'Doctor',
  scope: 'memories:admin',
  description: 'Every check of the database, as `remindb doctor --json` prints it. Repairs nothing.',
  read: async (observer) => [...doctorJson(await observer.doctor())].join(''),
}
