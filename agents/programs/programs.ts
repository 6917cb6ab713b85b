import { claudeCode } from './claude-code.ts'
import { cline } from './cline.ts'
import { codex, codexCodeMode } from './codex.ts'
import { copilotCli, copilotCliClaude } from './copilot-cli.ts'
import { geminiCli } from './gemini-cli.ts'
import { openCode } from './opencode.ts'
import type { Program } from './program.ts'
import { qwenCode } from './qwen-code.ts'

/** In the order of the table. */
export const PROGRAMS: readonly Program[] = [
  claudeCode,
  codex,
  codexCodeMode,
  openCode,
  geminiCli,
  qwenCode,
  copilotCli,
  copilotCliClaude,
  cline,
]
