/** What `digestOf` gives for the newest schema: test/store/foreign-objects.test.ts computes it. */
export const SCHEMA_DIGEST = 'ca181b73c7e7d792fbef13c5700bd707d3c743661cfbff8573221ab561e35632'
