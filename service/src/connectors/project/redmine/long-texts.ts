import { runBeside } from '../../../threads/run-beside.ts'
import * as version from './issue-version.ts'
import * as marks from './markers.ts'
import * as native from './native-issue.ts'
import type { Raw } from './schema.ts'
import * as helpdesk from './to-helpdesk.ts'
import * as project from './to-project.ts'
import type { Writing } from './writing.ts'

// The same functions. For long texts they run in a thread, beside the event loop.

export const toHelpdesk = runBeside(new URL('./to-helpdesk.ts', import.meta.url).href, helpdesk)
export const toProjectTool = runBeside(new URL('./to-project.ts', import.meta.url).href, project)
export const issues = runBeside(new URL('./native-issue.ts', import.meta.url).href, native)
const versions = runBeside(new URL('./issue-version.ts', import.meta.url).href, version)
export const versionOf = (issue: Raw<'issue'>, { accountId, family }: Pick<Writing, 'accountId' | 'family'>) =>
  versions('issueVersion', issue, { accountId, family })
export const markers = runBeside(new URL('./markers.ts', import.meta.url).href, marks)
