import { sqliteKeeps } from './sqlite.ts'

sqliteKeeps('what comes with time')
