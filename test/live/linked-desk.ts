import type { WrittenLink } from './linked-blog.ts'
import type { Place } from './place.ts'

export interface LinkedDesk {
  /** Tickets whose descriptions contain the links: as HTML, and as plain text. */
  linking: string[]
  links: WrittenLink[]
  remove(): Promise<void>
}

/** Writes tickets into a Request Tracker that link to others in every form. */
export async function writeLinkedDesk({ url, access }: Place): Promise<LinkedDesk> {
  const call = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${url}/REST/2.0${path}`, {
      method,
      headers: { authorization: `token ${access.token}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text.slice(0, 200)}`)
    return text === '' ? null : JSON.parse(text)
  }
  const made: string[] = []
  const create = async (Subject: string, Content: string, ContentType: string, more: object = {}) => {
    const { id } = await call('POST', '/ticket', { Queue: 'Support', Subject, Content, ContentType, ...more })
    made.push(String(id))
    return String(id)
  }
  const file = { FileName: 'linked.txt', FileType: 'text/plain', FileContent: Buffer.from('x').toString('base64') }
  const ticket = await create('Linked ticket', 'Hello', 'text/plain', { Attachments: [file] })
  await call('POST', `/ticket/${ticket}/correspond`, { Content: 'Linked message', ContentType: 'text/plain' })
  const history = await call('GET', `/ticket/${ticket}/history?fields=Type&per_page=100`)
  const message = history.items.find(({ Type }: { Type: string }) => Type === 'Correspond').id
  const attachments = await call('GET', `/ticket/${ticket}/attachments?fields=Filename,TransactionId&per_page=100`)
  const { id: part, TransactionId } = attachments.items.find(({ Filename = '' }) => Filename === 'linked.txt')
  const transaction = typeof TransactionId === 'object' ? TransactionId.id : TransactionId

  const to = (title: string | null, forms: Record<string, string>): WrittenLink[] =>
    Object.entries(forms).map(([label, href]) => ({ label, href, title }))
  const links = [
    ...to('Linked ticket', {
      'the ticket': `${url}/Ticket/Display.html?id=${ticket}`,
      'the message': `${url}/Ticket/Display.html?id=${ticket}#txn-${message}`,
      'the history': `${url}/Ticket/History.html?id=${ticket}`,
      'for customers': `${url}/SelfService/Display.html?id=${ticket}`,
      'by REST': `${url}/REST/2.0/ticket/${ticket}`,
      'other scheme': `${url.replace('http:', 'https:')}/Ticket/Display.html?id=${ticket}`,
    }),
    ...to('linked.txt', { 'the file': `${url}/Ticket/Attachment/${transaction}/${part}/linked.txt` }),
    ...to(null, {
      'no ticket': `${url}/Ticket/Display.html?id=987654`,
      'a search': `${url}/Search/Results.html?Query=id%3E1`,
    }),
  ]
  const html = links.map(({ label, href }) => `<p><a href="${href.replaceAll('&', '&amp;')}">${label}</a></p>`)
  const words = links.map(({ label, href }) => `${label}: ${href}`)
  const linking = [
    await create('Links in markup', html.join(''), 'text/html'),
    await create('Links in words', words.join('\n\n'), 'text/plain'),
  ]
  return {
    linking,
    links,
    async remove() {
      for (const id of made) await call('DELETE', `/ticket/${id}`)
    },
  }
}
