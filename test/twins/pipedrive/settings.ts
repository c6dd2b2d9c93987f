import { randomBytes } from 'node:crypto'
import { answer, type TwinRequest } from '../answers.ts'
import { minuteMs, secondMs } from '../clock.ts'
import { type Account, isLive, notFound, ok, refused, toV1Time, type User } from './account.ts'
import { offset, operation, type Priced, v1, yesNo } from './lists.ts'
import { allScopes, scopesFor } from './scopes.ts'
import { activityType } from './shapes.ts'

const presentUser = (account: Account, { id, name, email, isActive, isAdmin }: User) => ({
  id,
  name,
  default_currency: 'EUR',
  locale: 'et_EE',
  lang: 1,
  email,
  phone: null,
  activated: true,
  last_login: '2026-01-01 00:00:00',
  created: '2020-01-01 00:00:00',
  modified: '2026-01-01 00:00:00',
  has_created_company: id === account.me,
  access: [{ app: 'sales', admin: isAdmin, permission_set_id: '62cc4d7f-4038-4352-abf3-a8c1c822b631' }],
  active_flag: isActive,
  timezone_name: 'Europe/Berlin',
  timezone_offset: '+01:00',
  role_id: 1,
  icon_url: null,
  is_you: id === account.me,
  is_deleted: !isActive,
})

const keyOf = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]+/g, '_')

export function makeActivityType({ activityTypes, nextId }: Account, name: string, isCustom = true, isActive = true) {
  const made = { id: Number(nextId('activityTypes')), name, key: keyOf(name), isActive, isCustom }
  activityTypes.push(made)
  return made
}

export function settingOperations(account: Account): Priced[] {
  const { users, currencies, activityTypes } = account
  const groups = account.settings.groups ?? [{ name: 'Default group' }]
  const presentType = ({ id, name, key, isActive, isCustom }: (typeof activityTypes)[number], at: number) => ({
    id,
    order_nr: at + 1,
    name,
    key_string: key,
    icon_key: 'task',
    active_flag: isActive,
    color: 'FFFFFF',
    is_custom_flag: isCustom,
    add_time: '2020-01-01 00:00:00',
    update_time: toV1Time(account.now()),
  })
  const user = (id: unknown) =>
    users.find((one) => String(one.id) === String(id)) ?? refused(404, 'User not found or not accessible.')
  return [
    operation(20, 'GET', `${v1}/users`, () => ok(users.map((one) => presentUser(account, one)))),
    operation(2, 'GET', `${v1}/users/me`, () =>
      ok({
        ...presentUser(account, user(account.me)),
        company_id: 54_235_233,
        company_name: 'Rake & Söhne 🌾',
        company_domain: 'rake-sandbox',
        company_country: 'EE',
        company_industry: 'IT Services',
        language: { language_code: 'en', country_code: 'US' },
      }),
    ),
    operation(2, 'GET', `${v1}/users/:id`, ({ params }) => ok(presentUser(account, user(params.id)))),
    operation(
      20,
      'GET',
      `${v1}/currencies`,
      ({ query }) => {
        const term = (query.get('term') ?? '').toLowerCase()
        const found = currencies.filter((code) => code.toLowerCase().includes(term))
        return ok(
          found.map((code, at) => ({
            id: at + 1,
            code,
            name: code,
            decimal_points: code === 'JPY' ? 0 : 2,
            symbol: code,
            active_flag: true,
            is_custom_flag: false,
          })),
        )
      },
      { query: { term: true } },
    ),
    operation(
      20,
      'GET',
      `${v1}/roles`,
      ({ query }) => {
        const start = Number(query.get('start') ?? 0)
        return ok(
          groups.map(({ name }, at) => ({
            ...{ id: at + 1, parent_role_id: at === 0 ? null : 1, name, active_flag: true, level: at === 0 ? 1 : 2 },
            ...{ assignment_count: '1', sub_role_count: '0' },
          })),
          { pagination: { start, limit: 100, more_items_in_collection: false } },
        )
      },
      { query: offset },
    ),
    operation(
      20,
      'GET',
      `${v1}/roles/:id/pipelines`,
      ({ params, query }) => {
        const { hidden = [] } = groups[Number(params.id) - 1] ?? notFound('Role')
        const visible = query.get('visible') !== 'false'
        const shown = account.pipelines.list((one) => isLive(one) && hidden.includes(one.body.name) !== visible)
        return ok({ pipeline_ids: shown.map(({ id }) => Number(id)), visible })
      },
      { query: { visible: yesNo } },
    ),
    operation(20, 'GET', `${v1}/activityTypes`, () => ok(activityTypes.map(presentType))),
    operation(
      10,
      'POST',
      `${v1}/activityTypes`,
      ({ json }) => ok(presentType(makeActivityType(account, json.name), activityTypes.length)),
      { json: activityType },
    ),
    operation(6, 'DELETE', `${v1}/activityTypes/:id`, ({ params }) => {
      const type = activityTypes.find(({ id }) => String(id) === params.id) ?? notFound('Activity type')
      type.isActive = false
      return ok({ id: type.id })
    }),
  ]
}

export const oauthClient = { id: '0123456789abcdef', secret: 'pd-client-secret', redirectUri: 'https://app.test/back' }

/** Access by OAuth: the client uses Basic, tokens last an hour, and the answer has the company's address. */
export function createOAuth(account: Account) {
  const { clock } = account
  const codes = new Map<string, { until: number; scope: string }>()
  const refreshes = new Map<string, string>()
  const tokens = new Map<string, { until: number; scope: string }>()
  const wrong = (error: string, status = 400) => answer(status, { success: false, error, error_description: error })
  const give = (refresh_token: string, scope: string) => {
    const access_token = `v1u:${randomBytes(24).toString('base64')}`
    tokens.set(access_token, { until: clock.now() + 3_599 * secondMs, scope })
    refreshes.set(refresh_token, scope)
    return answer(200, {
      access_token,
      token_type: 'Bearer',
      expires_in: 3_599,
      refresh_token,
      scope,
      api_domain: account.origin,
    })
  }
  const basic = Buffer.from(`${oauthClient.id}:${oauthClient.secret}`).toString('base64')
  const act = ({ form, headers }: TwinRequest) => {
    if (headers.authorization !== `Basic ${basic}`) return wrong('invalid_client', 401)
    const part = (name: string) => String(form?.get(name) ?? '')
    if (part('grant_type') === 'refresh_token') {
      const scope = refreshes.get(part('refresh_token'))
      return scope === undefined ? wrong('invalid_grant') : give(part('refresh_token'), scope)
    }
    const known = codes.get(part('code'))
    codes.delete(part('code'))
    if (!known || clock.now() >= known.until || part('redirect_uri') !== oauthClient.redirectUri)
      return wrong('invalid_grant')
    return give(`1:1:${randomBytes(20).toString('hex')}`, known.scope)
  }
  return {
    operations: [
      operation(0, 'POST', '/oauth/token', act, { form: ['grant_type', 'code', 'redirect_uri', 'refresh_token'] }),
    ],
    /** The code with which a user returns after consent. It lasts five minutes, and works once. */
    code(scope = allScopes): string {
      const code = randomBytes(20).toString('hex')
      codes.set(code, { until: clock.now() + 5 * minuteMs, scope })
      return code
    },
    isOpen: (token: string): boolean => clock.now() < (tokens.get(token)?.until ?? 0),
    /** True if the user has agreed to this kind of request. */
    mayAsk(token: string, method: string, pathname: string): boolean {
      const scopes = tokens.get(token)?.scope.split(' ') ?? []
      return scopesFor(method, pathname).some((scope) => scopes.includes(scope))
    },
    /** Ends all access, as uninstalling the app does. */
    revoke(): void {
      refreshes.clear()
      tokens.clear()
    },
  }
}
