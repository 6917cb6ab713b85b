/** Takes secrets out of a text. Doing it twice changes nothing. `ingest/redact` has the one we use. */
export type Redact = (text: string) => string
