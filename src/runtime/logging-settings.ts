import { join, resolve } from 'node:path'
import type { Config } from './config.ts'
import type { LoggingOptions } from './logging.ts'
import { sizeBytes } from './setting-values.ts'

/** Where the logs of sessions are. */
export function sessionLogFolder(stateFolder: string): string {
  return join(stateFolder, 'logs')
}

/** How a server logs, as its settings say. */
export function loggingOptions(
  config: Config,
  stateFolder: string,
): Pick<LoggingOptions, 'level' | 'format' | 'output' | 'bufferSize' | 'sessionLogs'> {
  const path = config['server.logging.output_path'] as string
  const hasSessionLogs = config['server.logging.session_files.enabled'] as boolean
  return {
    level: config['server.logging.level'] as LoggingOptions['level'],
    format: config['server.logging.format'] as LoggingOptions['format'],
    output: { stream: process.stderr, ...(path === 'stderr' ? {} : { file: resolve(stateFolder, path) }) },
    bufferSize: config['server.logging.buffer_size'] as number,
    sessionLogs: hasSessionLogs
      ? {
          folder: sessionLogFolder(stateFolder),
          maxFileBytes: sizeBytes(config['server.logging.session_files.max_file_size']),
        }
      : undefined,
  }
}
