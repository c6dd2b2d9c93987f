import { Secret, TOTP } from 'otpauth'
import type { OperatorRole } from '../../service/src/db/operator-tables.ts'
import { createOperator } from '../../service/src/operators/manage-operators.ts'
import type { TestService } from '../support/service.ts'

export const goodPassword = 'correct horse battery'

/** A separate browser, which keeps and sends the console's cookie. */
export function openBrowser(service: Pick<TestService, 'origin'>) {
  let cookie: string | null = null
  return {
    cookie: () => cookie,
    setCookie(value: string | null) {
      cookie = value
    },
    async ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
      const response = await fetch(`${service.origin}/console/api${path}`, {
        method,
        headers: {
          ...(cookie !== null && { cookie }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          'sec-fetch-site': 'same-origin',
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const set = response.headers.get('set-cookie')
      if (set !== null) cookie = set.split(';')[0] ?? null
      const text = await response.text()
      return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) }
    },
  }
}

export type Browser = ReturnType<typeof openBrowser>

/** The code that an authenticator app shows. */
export const codeOf = (secret: string): string => new TOTP({ secret: Secret.fromBase32(secret) }).generate()

/** An account that its owner has set up in a browser, which is signed in. */
export async function setUpOperator(service: TestService, name: string, role: OperatorRole) {
  const { id, setup_code } = await createOperator(service.db, { name, role })
  const browser = openBrowser(service)
  const { body } = await browser.ask('POST', '/setup/begin', { setup_code })
  const code = codeOf(body.secret)
  const done = await browser.ask('POST', '/setup', { setup_code, password: goodPassword, code })
  if (done.status !== 204) throw new Error(`the set-up was answered with ${done.status}`)
  // A code can be used once. Without this, nobody could sign in before the next half minute.
  await service.db.updateTable('operators').set({ totp_step: null }).where('id', '=', id).execute()
  return { id, name, browser, secret: String(body.secret) }
}
