const isRead = (method: string) => method === 'GET'

const rules: [path: RegExp, scopes: (method: string, path: string) => readonly string[]][] = [
  [/^\/v1\/(users\/me|currencies)$/, () => ['base']],
  [/^\/v1\/users/, () => ['users:read']],
  [/^\/v1\/roles/, () => ['admin']],
  [/^\/v2\/itemSearch/, () => ['search:read']],
  [/^\/v2\/activityFields/, () => ['admin']],
  [/^\/v1\/activityTypes/, (method) => (isRead(method) ? ['activities:read', 'activities:full', 'admin'] : ['admin'])],
  [/^\/v2\/(pipelines|stages)/, (method) => (isRead(method) ? ['deals:read', 'deals:full', 'admin'] : ['admin'])],
  [/^\/v\d\/dealFields/, (method, path) => fieldScopes('deal', 'deals', method, path)],
  [/^\/v\d\/(person|organization)Fields/, (method, path) => fieldScopes('contact', 'contacts', method, path)],
  [/^\/v1\/files/, (method) => both(method, ['deals', 'activities', 'contacts'])],
  [/^\/v1\/notes/, (method) => both(method, ['deals', 'contacts'])],
  [/^\/v\d\/lead/, (method) => both(method, ['leads'])],
  [/^\/v2\/projects/, (method) => both(method, ['projects'])],
  [/^\/v1\/callLogs/, () => ['phone-integration']],
  [/^\/v\d\/deals/, (method) => both(method, ['deals'])],
  [/^\/v\d\/(persons|organization)/, (method) => both(method, ['contacts'])],
  [/^\/v\d\/activit/, (method) => both(method, ['activities'])],
]

function both(method: string, names: readonly string[]): string[] {
  const full = names.map((name) => `${name}:full`)
  return isRead(method) ? [...full, ...names.map((name) => `${name}:read`)] : full
}

/** More apps may change fields and their options than may add or delete a field. */
function fieldScopes(name: string, of: string, method: string, path: string): string[] {
  const own = ['admin', `${name}-fields:full`]
  if (isRead(method)) return [...own, `${of}:read`, `${of}:full`]
  return method === 'PATCH' || path.endsWith('/options') ? [...own, `${of}:full`] : own
}

/** The scopes for a request; an app needs one of them. */
export function scopesFor(method: string, pathname: string): readonly string[] {
  const path = pathname.replace(/^\/api/, '')
  return rules.find(([pattern]) => pattern.test(path))?.[1](method, path) ?? []
}

export const allScopes =
  'base users:read search:read admin deals:full contacts:full activities:full leads:full deal-fields:full contact-fields:full'
