import { answer, type TwinRequest } from '../answers.ts'
import type { Clock } from '../clock.ts'
import type { ToolRules } from '../tool-twin.ts'
import { createAccount, type PipedriveOptions, purge } from './account.ts'
import { fieldOperations } from './fields.ts'
import { fileOperations } from './files.ts'
import { leadOperations } from './leads.ts'
import { type PipedrivePlan, pipedriveLimits } from './limits.ts'
import { linkOperations } from './links.ts'
import { noteOperations } from './notes.ts'
import { pipelineOperations } from './pipelines.ts'
import { recordOperations } from './records.ts'
import { searchOperations } from './search.ts'
import { createOAuth, settingOperations } from './settings.ts'

export interface PipedriveRules extends PipedriveOptions {
  token: string
  plan?: PipedrivePlan | null
}

export function pipedriveRules(clock: Clock, { token, plan = null, ...options }: PipedriveRules) {
  const account = createAccount(clock, options)
  const oauth = createOAuth(account)
  const operations = [
    ...settingOperations(account),
    ...recordOperations(account),
    ...fieldOperations(account),
    ...pipelineOperations(account),
    ...noteOperations(account),
    ...fileOperations(account),
    ...searchOperations(account),
    ...linkOperations(account),
    ...leadOperations(account),
    ...oauth.operations,
  ]
  const { limits, state } = pipedriveLimits(clock, operations, plan)
  const error_info = 'Please check developers.pipedrive.com'
  const refusal = (status: number, error: string) =>
    answer(status, { success: false, error, errorCode: status, error_info })
  const admit = ({ headers, method, url }: TwinRequest) => {
    const [, bearer] = /^Bearer (.+)$/.exec(headers.authorization ?? '') ?? []
    if (url.pathname === '/oauth/token' || headers['x-api-token'] === token) return null
    if (bearer === undefined || !oauth.isOpen(bearer)) return refusal(401, 'unauthorized access')
    return oauth.mayAsk(bearer, method, url.pathname) ? null : refusal(403, 'Scope and URL mismatch')
  }
  const rules: ToolRules = {
    operations,
    limits,
    admit,
    // Paths of v1 have two forms, paths of v2 only one.
    addressOf(url) {
      const address = new URL(url)
      address.pathname = url.pathname.replace(/^\/v1\//, '/api/v1/')
      return address
    },
    settle: () => purge(account),
    keyOf: ({ json }) => keyIn(json),
  }
  return { rules, account, oauth, limitState: state }
}

/** Our key is in a custom field, or in the text of a note. */
function keyIn(json: { custom_fields?: Record<string, unknown>; content?: string } | undefined): string | undefined {
  const values = Object.values(json?.custom_fields ?? {}).filter((value) => typeof value === 'string')
  return (values[0] as string | undefined) ?? json?.content
}
