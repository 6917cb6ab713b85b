import { sqliteKeeps } from './sqlite.ts'

sqliteKeeps('what is stored')
