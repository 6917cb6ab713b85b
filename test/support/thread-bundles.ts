import { useThreadBundles } from '../../src/util/files/thread-file.ts'

useThreadBundles(process.env.REMINDB_TEST_THREADS ?? '')
