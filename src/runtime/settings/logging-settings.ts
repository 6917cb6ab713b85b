import { join, resolve } from 'node:path'
import { isInside } from '../../util/files/paths.ts'
import type { LoggingOptions } from '../logs/logging.ts'
import type { Config } from './config.ts'
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
  const path = config['server.logging.output_path']
  const hasSessionLogs = config['server.logging.session_files.enabled']
  return {
    level: config['server.logging.level'],
    format: config['server.logging.format'],
    output: {
      stream: process.stderr,
      ...(path === 'stderr' ? {} : fileAt(resolve(stateFolder, path), stateFolder)),
    },
    bufferSize: config['server.logging.buffer_size'],
    sessionLogs: hasSessionLogs
      ? {
          folder: sessionLogFolder(stateFolder),
          maxFileBytes: sizeBytes(config['server.logging.session_files.max_file_size']),
        }
      : undefined,
  }
}

/** A log outside the folder's own `.remindb` is in a place that the operator chose. */
function fileAt(file: string, stateFolder: string): Pick<LoggingOptions['output'], 'file' | 'within'> {
  return isInside(stateFolder, file) ? { file, within: stateFolder } : { file }
}
