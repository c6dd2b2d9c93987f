import type { WrittenLink } from './linked-blog.ts'
import type { Place } from './place.ts'
import { callRedmine } from './redmine-live.ts'

export interface LinkedRedmine {
  /** The issue with the links. */
  linking: string
  /**
   * Links to issues; to notes and files, which are copied later; to records that only a Redmine has; and to records
   * that are not copied.
   */
  links: Record<'issues' | 'later' | 'pages' | 'none', WrittenLink[]>
  remove(): Promise<void>
}

/**
 * Writes an issue into a Redmine that links to every kind of record in every form. All targets exist before the issue.
 */
export async function writeLinkedRedmine(place: Place): Promise<LinkedRedmine> {
  const { url } = place
  const { json: found } = await callRedmine(place, 'GET', '/projects/alpha.json')
  const project_id = found.project.id
  const create = async (subject: string, more: object = {}): Promise<number> => {
    const { status, json } = await callRedmine(place, 'POST', '/issues.json', {
      issue: { project_id, subject, ...more },
    })
    if (status !== 201) throw new Error(`an issue was refused: ${JSON.stringify(json)}`)
    return json.issue.id
  }
  const uploaded = await fetch(`${url}/uploads.json?filename=linked.txt`, {
    method: 'POST',
    headers: { 'x-redmine-api-key': String(place.access.token), 'content-type': 'application/octet-stream' },
    body: 'x',
  })
  const { upload } = (await uploaded.json()) as { upload: { token: string } }
  const uploads = [{ token: upload.token, filename: 'linked.txt', content_type: 'text/plain' }]
  const issue = await create('Linked issue', { uploads })
  await callRedmine(place, 'PUT', `/issues/${issue}.json`, { issue: { notes: 'Linked note' } })
  const { json } = await callRedmine(place, 'GET', `/issues/${issue}.json?include=journals,attachments`)
  const file = json.issue.attachments[0].id
  const change = json.issue.journals[0].id
  const page = { wiki_page: { text: 'h1. Linked' } }
  await callRedmine(place, 'PUT', '/projects/alpha/wiki/Linked_page.json', page)

  const to = (title: string | null, forms: Record<string, string>): WrittenLink[] =>
    Object.entries(forms).map(([label, href]) => ({ label, href, title }))
  const links: LinkedRedmine['links'] = {
    issues: [
      ...to('Linked issue', {
        'the issue': `${url}/issues/${issue}`,
        'as a file': `${url}/issues/${issue}.pdf`,
        'with a query': `${url}/issues/${issue}?tab=history`,
        'to edit': `${url}/issues/${issue}/edit`,
        'other scheme': `${url.replace('http:', 'https:')}/issues/${issue}`,
        'from the root': `/issues/${issue}`,
        [`#${issue}`]: '',
      }),
    ],
    later: [
      ...to('Linked issue', {
        'the note': `${url}/issues/${issue}#note-1`,
        'the change': `${url}/issues/${issue}#change-${change}`,
        [`#${issue}-1`]: '',
        [`#${issue}#note-1`]: '',
      }),
      ...to('linked.txt', {
        'the file': `${url}/attachments/${file}`,
        'the download': `${url}/attachments/download/${file}/linked.txt`,
      }),
    ],
    pages: to('Linked_page', {
      'the page': `${url}/projects/alpha/wiki/Linked_page`,
      'Linked page': '',
    }),
    none: to(null, {
      'no issue': `${url}/issues/987654`,
      'a search': `${url}/issues?query_id=1`,
      'from the root, to nothing': '/news/987654',
    }),
  }
  // References have no address: they are written as people do.
  const written = Object.values(links)
    .flat()
    .map(({ label, href }) =>
      href === '' ? (label === 'Linked page' ? '[[Linked page]]' : label) : `"${label}":${href}`,
    )
  const linking = await create('All the links', { description: `${written.join('\n\n')}\n\n!#${issue} is none.` })
  return {
    linking: String(linking),
    links,
    async remove() {
      for (const id of [linking, issue]) await callRedmine(place, 'DELETE', `/issues/${id}.json`)
      await callRedmine(place, 'DELETE', '/projects/alpha/wiki/Linked_page.json')
    },
  }
}

/** Opens an address of a Redmine and returns its content. */
export const lookInRedmine =
  (place: Place) =>
  async (url: string): Promise<string> => {
    const path = url.slice(place.url.length).replace(/#.*$/, '')
    const file = /^\/attachments\/(?:download\/)?(\d+)/.exec(path)?.[1]
    const asked = file === undefined ? `${path}.json` : `/attachments/${file}.json`
    const { status, json } = await callRedmine(place, 'GET', asked)
    return `${status} ${json?.issue?.subject ?? json?.attachment?.filename ?? json?.wiki_page?.title}`
  }
