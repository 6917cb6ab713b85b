/** What `digestOf` gives for the newest schema: test/store/foreign-objects.test.ts computes it. */
export const SCHEMA_DIGEST = '8879ea6b0863fff2beeff1e5a835d3cc33d4d5aa596ebbc69cb81031c332271b'
