import { runBeside } from '../../../threads/run-beside.ts'
import * as marks from './markers.ts'
import * as native from './native-issue.ts'
import type { Raw } from './schema.ts'
import * as mapping from './to-records.ts'
import type { Writing } from './writing.ts'

// The same functions. For long texts they run in a thread, beside the event loop.

export const records = runBeside(new URL('./to-records.ts', import.meta.url).href, mapping)
export const issues = runBeside(new URL('./native-issue.ts', import.meta.url).href, native)
export const markers = runBeside(new URL('./markers.ts', import.meta.url).href, marks)
export const versionOf = (issue: Raw<'issue'>, { accountId, family }: Pick<Writing, 'accountId' | 'family'>) =>
  issues('issueVersion', issue, accountId, family)
