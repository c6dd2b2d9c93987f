import { answer, type TwinAnswer, type TwinRequest } from '../answers.ts'
import { type Clock, hourMs } from '../clock.ts'
import type { ToolRules } from '../tool-twin.ts'
import { type Agent, createAccount, type FreshdeskOptions, found } from './account.ts'
import { companyOperations } from './companies.ts'
import { contactOperations } from './contacts.ts'
import { conversationOperations } from './conversations.ts'
import { createFields, fieldOperations } from './fields.ts'
import { fileOperations } from './files.ts'
import { freshdeskLimits, type Plan } from './limits.ts'
import { searchOperations } from './search.ts'
import { solutionOperations } from './solutions.ts'
import { staffOperations } from './staff.ts'
import { ageTickets, findTicket, ticketOperations } from './tickets.ts'

export interface FreshdeskRules extends FreshdeskOptions {
  plan?: Plan | null
  /** The e-mail address of each key's owner. */
  keys: Readonly<Record<string, string>>
  /** True if tickets are archived and deleted as time passes. */
  isAging?: boolean
}

/**
 * Only administrators may read agents, groups and fields; everybody may read their own account and fields of tickets.
 */
const adminPaths = /^\/api\/v2\/(agents(?!\/me$)|groups|admin\/|email\/|contact_fields|company_fields)/

export function freshdeskRules(clock: Clock, { plan = null, keys, isAging = true, ...options }: FreshdeskRules) {
  const account = createAccount(clock, options)
  createFields(account)
  let agedAt = clock.now()

  /** The key is the user name; any password is accepted. */
  const whoIs = (headers: object): Agent | undefined => {
    const said = 'authorization' in headers ? String(headers.authorization) : ''
    const [, text = ''] = /^Basic (.+)$/.exec(said) ?? []
    const [, key = ''] = /^([^:]+):/.exec(Buffer.from(text, 'base64').toString()) ?? []
    return account.agents.list(({ email }) => email === keys[key])[0]
  }
  const meOf = (headers: object): Agent => found(whoIs(headers))

  const admit = ({ headers, url }: TwinRequest): TwinAnswer | null => {
    // The address of a file contains its own secret.
    if (!url.pathname.startsWith('/api/')) return null
    const me = whoIs(headers)
    if (!me)
      return answer(401, {
        code: 'invalid_credentials',
        message: 'You have to be logged in to perform this action.',
      })
    if (!account.hasSolutions && url.pathname.startsWith('/api/v2/solutions/')) {
      const message = 'The Solutions feature is not supported in your plan. Please upgrade your account to use it.'
      return answer(403, { code: 'require_feature', message })
    }
    if (!me.isAdmin && adminPaths.test(url.pathname))
      return answer(403, { code: 'access_denied', message: 'You are not authorized to perform this action.' })
    return null
  }

  const rules: ToolRules = {
    operations: [
      ...staffOperations(account, meOf),
      ...companyOperations(account),
      ...contactOperations(account),
      ...fieldOperations(account),
      ...ticketOperations(account, meOf),
      ...conversationOperations(account, meOf, (request) => findTicket(account, request)),
      ...searchOperations(account),
      ...solutionOperations(account, meOf),
      ...fileOperations(account),
    ],
    admit,
    limits: freshdeskLimits(plan),
    keyOf: ({ json }) => json?.unique_external_id ?? json?.tags?.[0],
    settle() {
      if (!isAging || clock.now() - agedAt < hourMs) return
      agedAt = clock.now()
      ageTickets(account)
    },
  }
  return { rules, account }
}
