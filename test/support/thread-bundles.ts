import { useThreadBundles } from '../../src/util/thread-file.ts'

useThreadBundles(process.env.REMINDB_TEST_THREADS ?? '')
