import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { realOrSame } from '../../util/files/paths.ts'

interface CloudService {
  name: string
  /** Of one part of a path, or of several. */
  path: RegExp
  /** Files that the service keeps in the folder that it syncs. */
  markers: readonly string[]
}

const SERVICES: readonly CloudService[] = [
  { name: 'iCloud Drive', path: /\/Library\/Mobile Documents\/|\/iCloud ?Drive\//i, markers: [] },
  {
    name: 'Dropbox',
    path: /\/Dropbox( \([^/]*\))?\/|\/CloudStorage\/Dropbox/i,
    markers: ['.dropbox', '.dropbox.cache'],
  },
  {
    name: 'OneDrive',
    path: /\/OneDrive( - [^/]*)?\/|\/CloudStorage\/OneDrive/i,
    markers: ['.849C9593-D756-4E56-8D6E-42412F2A707B'],
  },
  {
    name: 'Google Drive',
    path: /\/(Google ?Drive|My Drive)\/|\/CloudStorage\/GoogleDrive/i,
    markers: ['.tmp.drivedownload', '.tmp.driveupload'],
  },
]

/**
 * The service that syncs the folder of a database, judged by its path or the files beside it. Such a service copies the
 * files of a database one by one while they are written: the copies are inconsistent.
 */
export function findCloudService(db: string): string | undefined {
  const path = realOrSame(db).replaceAll('\\', '/')
  return SERVICES.find(
    (service) => service.path.test(path) || isMarked(dirname(realOrSame(db)), service.markers),
  )?.name
}

function isMarked(folder: string, markers: readonly string[]): boolean {
  if (markers.some((marker) => existsSync(join(folder, marker)))) return true
  const above = dirname(folder)
  return above !== folder && isMarked(above, markers)
}

export function cloudWarning(service: string): string {
  return `the database is in a folder that ${service} syncs, which can damage it; keep it elsewhere with --db, as in --db ~/.local/share/remindb/notes.db`
}
