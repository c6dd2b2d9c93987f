import { AccountRefusedError, FileMissingError, ObstacleError, RetryableError } from '../../errors.ts'
import { callTool, streamFromTool } from '../../outbound/call-tool.ts'
import { downloadFile } from '../../outbound/download-file.ts'
import { readLimitHeaders } from '../../outbound/limits.ts'
import { writeEach, writeParts } from './write-each.ts'

/**
 * What a connector from outside is handed when it is loaded. It stands in another folder and cannot import this code;
 * and an error means something only if it is one of these very classes. docs/connectors.md says what each is for.
 */
export const kit = {
  callTool,
  streamFromTool,
  downloadFile,
  readLimitHeaders,
  writeEach,
  writeParts,
  AccountRefusedError,
  FileMissingError,
  ObstacleError,
  RetryableError,
} as const

export type Kit = typeof kit
