import type { SettingName } from '../../runtime/settings/settings.ts'
import type { Palette } from '../../util/terminal/color.ts'
import type { TextInput } from '../../util/terminal/input.ts'
import type { Output } from '../../util/terminal/output.ts'

/** 0: done. 1: failed. 2: called in a wrong way. 130: interrupted, as shells count signals. */
export type ExitCode = 0 | 1 | 2 | 130

/** Which memory the command line names. */
export interface MemoryFlags {
  /** The value of `--db`. */
  db: string | undefined
  /** The value of `--spaces`. */
  spaces: string | undefined
  /** The value of `--space`. */
  space: string | undefined
}

/** The context of every command. */
export interface Context extends MemoryFlags {
  in: TextInput
  out: Output
  err: Output
  /** For `out`. */
  palette: Palette
  cwd: string
  /** The file that was started: commands shown to a person begin with it. */
  script: string
}

export type Flag =
  | { kind: 'switch'; short?: string; help: string }
  /** `many`: it may be given several times. `required`: usage shows it as such; the command checks it. */
  | { kind: 'text'; short?: string; value: string; many?: true; required?: true; help: string }
  | { kind: 'number'; short?: string; value: string; min: number; max?: number; help: string }
  /** From 0 to 1. */
  | { kind: 'fraction'; short?: string; value: string; help: string }
  /** Overrides a setting, which also explains and checks it. */
  | { kind: 'setting'; short?: string; value: string; setting: SettingName }

export type Flags = Record<string, Flag>

export interface Parameter {
  kind: 'text' | 'number'
  /** The least value of a number. */
  min?: number
  optional?: boolean
  /** One or more, up to the end of the line: only for the last one, of kind `text`. */
  many?: boolean
  /** An empty text is an answer, not a mistake. */
  mayBeEmpty?: boolean
  help: string
}

/** In the order in which they are given. */
export type Parameters = Record<string, Parameter>

export type FlagValues<F extends Flags> = {
  [K in keyof F]: F[K]['kind'] extends 'switch'
    ? boolean
    : F[K] extends { many: true }
      ? string[]
      : (F[K]['kind'] extends 'number' | 'fraction' ? number : string) | undefined
}

export type ParameterValues<P extends Parameters> = {
  [K in keyof P]:
    | (P[K]['many'] extends true ? string[] : P[K]['kind'] extends 'number' ? number : string)
    | (P[K]['optional'] extends true ? undefined : never)
}

export interface Input<F extends Flags = Flags, P extends Parameters = Parameters> {
  flags: FlagValues<F>
  parameters: ParameterValues<P>
}

/** One command of the program. Its name and summary are in `commands.ts`: the list of commands loads none of them. */
export interface Command<F extends Flags = Flags, P extends Parameters = Parameters> {
  parameters: P
  flags: F
  examples: string[]
  run(context: Context, input: Input<F, P>): Promise<ExitCode>
}

/** With its own flag `spaces` it works on a folder of spaces instead of one memory. */
export function isAboutSpaces({ flags }: Command): boolean {
  return 'spaces' in flags
}

export function defineCommand<const F extends Flags, const P extends Parameters>(
  command: Command<F, P>,
): Command<F, P> {
  return command
}

/** The command line is invalid. The message names the valid forms. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The user pressed Ctrl-C. The message reports the state of the work. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError'
}
