/**
 * Opens the page to which the portal sends people, and answers there as a person would. Resolves to the redirect
 * address.
 */
export async function signInAtDesk(redirectTo: string, answer: 'allow' | 'deny' = 'allow'): Promise<string> {
  const cookies = new Map<string, string>()
  const go = async (address: string, init: RequestInit = {}): Promise<string> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const reply = await fetch(address, { redirect: 'manual', ...init, headers: { cookie } })
    await reply.text()
    for (const line of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    const location = reply.headers.get('location')
    if (location === null) throw new Error(`the desk answered ${reply.status} and leads nowhere`)
    return new URL(location, address).href
  }
  const question = await go(redirectTo)
  const body = new URLSearchParams({ answer })
  return go(await go(question, { method: 'POST', body }))
}
