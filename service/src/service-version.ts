import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkoutDir } from './config.ts'

/** The version of this service, as in its package. */
export const serviceVersion: string = JSON.parse(
  readFileSync(join(checkoutDir, 'service/package.json'), 'utf8'),
).version
