declare const __REMINDB_VERSION__: string

/** Put in by the build. */
export const VERSION = typeof __REMINDB_VERSION__ === 'string' ? __REMINDB_VERSION__ : 'unbuilt'
