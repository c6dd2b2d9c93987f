import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkoutDir } from './config.ts'

/** The version of the service, as its package says it. */
export function serviceVersion(): string {
  const { version } = JSON.parse(readFileSync(join(checkoutDir, 'service/package.json'), 'utf8')) as { version: string }
  return version
}
