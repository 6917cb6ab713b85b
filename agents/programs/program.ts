/** An agent program: how it is installed, configured and started. */
export interface Program {
  /** As the command line names it. */
  name: string
  title: string
  /** On npm. */
  package: string
  version: string
  /** The command that the package brings. */
  command: string
  /** What a reader of the result should know: why something cannot be otherwise, or which setting changes it. */
  notes: readonly string[]
  /** The name of a tool of the server `remindb`, as the model has to call it. */
  toolName(tool: string): string
  launch(setup: Setup): Launch
}

export interface Setup {
  /** Everything the program writes goes here: it is HOME, and XDG_* are below it. */
  home: string
  /** The project the program works in. */
  work: string
  /** Of the scripted model, without a slash at its end. */
  modelUrl: string
  server: ServerEntry
  prompt: string
  /** Whether the program is configured to call every tool of the server without asking. */
  isAllowed: boolean
}

export type ServerEntry = { kind: 'stdio'; command: string; args: string[] } | { kind: 'http'; url: string }

export interface Launch {
  args: string[]
  env: Record<string, string>
  /** Absolute path to text. */
  files: Record<string, string>
}

export const SERVER = 'remindb'

/** For programs whose key must look like one. It opens nothing: the model is on loopback. */
export const NO_KEY = 'sk-scripted-model'
