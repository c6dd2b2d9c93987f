import { answer, type TwinAnswer, type TwinRequest } from '../answers.ts'
import { type Clock, hourMs } from '../clock.ts'
import type { ToolRules } from '../tool-twin.ts'
import { createAccount, found, idOf, type User, type ZendeskOptions } from './account.ts'
import { commentOperations } from './comments.ts'
import { exportOperations } from './exports.ts'
import { createFields, fieldOperations } from './fields.ts'
import { groupOperations } from './groups.ts'
import { createGuide, guideOperations } from './guide.ts'
import { importOperations } from './import-ticket.ts'
import { type Plan, zendeskLimits } from './limits.ts'
import { addressOf, sendCount, sendList } from './lists.ts'
import { organizationOperations } from './organizations.ts'
import { shapes } from './shapes.ts'
import { ageTickets, ticketOperations } from './tickets.ts'
import { presentUser, userOperations, usualZone, zones } from './users.ts'

export interface ZendeskRules extends ZendeskOptions {
  plan?: Plan | null
  /** The e-mail address of each token's owner. */
  tokens: Readonly<Record<string, string>>
  /** True if tickets are deleted and archived as time passes. */
  isAging?: boolean
}

/** Only administrators may use exports and imports. */
const adminPaths = ['/api/v2/imports/', '/api/v2/incremental/']

export function zendeskRules(clock: Clock, { plan = null, tokens, isAging = true, ...options }: ZendeskRules) {
  const account = createAccount(clock, options)
  account.hasLimits = plan !== null
  createFields(account)
  const main = { name: 'Main', brand_url: '', has_help_center: true, default: true }
  account.brands.put({ id: '360000000000', ...main })
  const guide = createGuide(account)
  let agedAt = clock.now()

  const whoIs = (headers: object): User | undefined => {
    const said = 'authorization' in headers ? String(headers.authorization) : ''
    const [, scheme, text = ''] = /^(Basic|Bearer) (.+)$/.exec(said) ?? []
    const [, mail, key = ''] = /^(.+)\/token:(.+)$/.exec(Buffer.from(text, 'base64').toString()) ?? []
    const token = scheme === 'Bearer' ? text : key
    const email = tokens[token]
    if (email === undefined || (scheme === 'Basic' && mail?.toLowerCase() !== email)) return undefined
    return account.users.list((one) => one.email === email)[0]
  }
  const meOf = (headers: object): User => found(whoIs(headers))

  const admit = ({ headers, url }: TwinRequest): TwinAnswer | null => {
    // The address of a file contains its own secret.
    if (url.pathname.startsWith('/attachments/token/') || url.pathname.startsWith('/hc/')) return null
    const me = whoIs(headers)
    if (!me) return answer(401, { error: "Couldn't authenticate you" })
    const isGuide = url.pathname.startsWith('/api/v2/help_center/')
    if (isGuide && url.hash !== '#.json') return { status: 415, body: '' }
    if (me.role === 'end-user' || (me.role !== 'admin' && adminPaths.some((path) => url.pathname.startsWith(path))))
      return answer(403, { error: { title: 'Forbidden', message: 'You do not have access to this page.' } })
    return null
  }

  const imports = importOperations(account, meOf)
  const rules: ToolRules = {
    operations: [
      {
        ...shapes.me,
        act: ({ headers }) =>
          answer(200, { user: { ...presentUser(account, meOf(headers)), authenticity_token: null } }),
      },
      {
        ...shapes.locales,
        act() {
          const locales = account.locales.map((locale, at) => ({ id: at + 1, locale, name: locale, default: at === 0 }))
          return answer(200, { locales, count: locales.length, next_page: null, previous_page: null })
        },
      },
      {
        ...shapes.settings,
        act: () =>
          answer(200, {
            settings: {
              branding: { header_color: '1A00C3' },
              tickets: { agent_ticket_deletion: false },
              active_features: { on_hold_status: account.hasOnHold },
              statistics: { forum: false, search: true },
              localization: { locale_ids: [1], time_zone: usualZone, iana_time_zone: zones[usualZone] },
              user: {
                multiple_organizations: account.hasSeveralOrganizations,
                tagging: true,
                end_user_phone_number_validation: account.validatesPhones,
              },
            },
          }),
      },
      {
        ...shapes.brands,
        act: (request) =>
          sendList(request, account.brands.list(), {
            name: 'brands',
            present: (brand) => ({ ...brand, id: idOf(brand), url: account.address(`brands/${brand.id}.json`) }),
          }),
      },
      {
        ...shapes.forms,
        act: (request) =>
          sendList(request, account.forms.list(), {
            name: 'ticket_forms',
            present: (form) => ({ ...form, id: idOf(form) }),
          }),
      },
      {
        ...shapes.customObjects,
        act: () => answer(200, { custom_objects: Object.keys(account.customRecords).map((key) => ({ key })) }),
      },
      {
        ...shapes.customRecordsCount,
        act: ({ params }) => sendCount(account.now(), account.customRecords[String(params.key)] ?? 0),
      },
      { ...shapes.communityPosts, act: () => answer(200, { posts: [], count: account.communityPosts }) },
      ...userOperations(account),
      ...organizationOperations(account),
      ...groupOperations(account),
      ...fieldOperations(account),
      ...ticketOperations(account, meOf),
      ...commentOperations(account),
      ...exportOperations(account),
      ...imports.operations,
      ...guideOperations(account, guide, meOf),
    ],
    admit,
    limits: zendeskLimits(plan),
    addressOf,
    keyOf: ({ json }) => keyIn(json),
    settle() {
      imports.settle()
      if (!isAging || clock.now() - agedAt < hourMs) return
      agedAt = clock.now()
      ageTickets(account)
    },
  }
  return { rules, account, guide }
}

/** Our key in a request. */
function keyIn(json: unknown): string | undefined {
  const [record] = Object.values(json ?? {}) as ({ external_id?: string } | undefined)[]
  return typeof record?.external_id === 'string' ? record.external_id : undefined
}
