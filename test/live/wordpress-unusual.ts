import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Place } from './place.ts'
import { callAs } from './wordpress-seed.ts'

const run = promisify(execFile)

/** Adds records that a site gets only by accident: a missed schedule, and a comment on a file. */
export async function addUnusual({ access, folder }: Pick<Place, 'access' | 'folder'>): Promise<void> {
  const call = callAs(access)
  const make = (title: string, more: object = {}) =>
    call('POST', '/posts', {
      title,
      status: 'future',
      date_gmt: '2036-02-02T00:00:00Z',
      content: `<p>${title}</p>`,
      ...more,
    })
  const missed = [await make('Missed its time'), await make('Missed with a password', { password: 'p' })]
  await make('Waits with a password', { password: 'p' })
  await call('POST', '/posts', { title: 'Draft with a password', status: 'draft', password: 'p', content: '<p>x</p>' })
  const ids = missed.map(({ id }) => id).join(',')
  const late = `update wp_posts set post_date = '2021-03-03 04:00:00', post_date_gmt = '2021-03-03 03:00:00' where ID in (${ids})`
  await run('mariadb', ['--no-defaults', `--socket=${folder}/db.sock`, '-u', 'root', 'wordpress', '-e', late])
  const [medium] = (await call('GET', '/media?per_page=1&orderby=id&order=asc')) as unknown as { id: number }[]
  await call('POST', `/media/${medium?.id}`, { comment_status: 'open' })
  const guest = { author_name: 'Guest', author_email: 'on.a.file@guest.example', status: 'approved' }
  const first = await call('POST', '/comments', { post: medium?.id, content: 'On a file', ...guest })
  await call('POST', '/comments', { post: medium?.id, content: 'An answer on a file', parent: first.id, ...guest })
}

/** A site's public view: titles of texts, whether a password is required, and the words of comments. */
export async function readAsAnyone({ url }: Pick<Place, 'url'>): Promise<Map<string, number>> {
  const seen = new Map<string, number>()
  const read = async (list: string) => {
    for (let page = 1; ; page += 1) {
      const answer = await fetch(`${url}/?rest_route=/wp/v2/${list}&per_page=100&page=${page}`)
      const some = answer.ok
        ? ((await answer.json()) as Record<string, { rendered: string; protected?: boolean }>[])
        : []
      for (const { title, content } of some) {
        const html = title?.rendered ?? content?.rendered ?? ''
        // WordPress writes one character in two ways.
        const words = html
          .replace(/<[^>]*>/g, '')
          .replaceAll('&#038;', '&amp;')
          .trim()
        const what = `${list} ${words} ${content?.protected ? 'with a password' : 'open'}`
        seen.set(what, (seen.get(what) ?? 0) + 1)
      }
      if (some.length < 100) return
    }
  }
  for (const list of ['posts', 'pages', 'comments']) await read(list)
  return seen
}
