import { sqliteKeeps } from './sqlite.ts'

sqliteKeeps('the whole memory')
