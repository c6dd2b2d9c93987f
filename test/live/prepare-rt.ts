import type { Place } from './place.ts'

/** Creates accounts for people of the source, and some earlier records. It does nothing the second time. */
export async function prepareRt({ url, access }: Place): Promise<void> {
  const call = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${url}/REST/2.0${path}`, {
      method,
      headers: { authorization: `token ${access.token}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return { isFine: answer.ok, text: await answer.text() }
  }
  if ((await call('GET', '/user/ann.stone@customer.example')).isFine) return
  await call('PUT', '/user/root', { Timezone: 'UTC' })
  for (const name of ['ann.stone', 'bob.hadad']) {
    const mail = `${name}@customer.example`
    await call('POST', '/user', { Name: mail, EmailAddress: mail, RealName: name, Privileged: 1 })
  }
  const ticket = { Queue: 'General', Subject: 'Same title', Content: 'Was here before.', ContentType: 'text/plain' }
  await call('POST', '/ticket', { ...ticket, Requestor: ['someone@elsewhere.example'] })
}
