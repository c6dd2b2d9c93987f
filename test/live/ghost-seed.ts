import { createHmac } from 'node:crypto'
import type { AccountAccess } from '../../service/src/connectors/contract/contract.ts'
import { png } from './wordpress-seed.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers of the tool, as a test looks at them
export type GhostCall = (method: string, route: string, body?: object | FormData) => Promise<any>

/** Calls Ghost's API without our connector, so that a test does not see the site through our own code. */
export function callGhost({ instanceUrl, token }: Pick<AccountAccess, 'instanceUrl' | 'token'>): GhostCall {
  const sign = () => {
    const [kid, secret = ''] = String(token).split(':')
    const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
    const iat = Math.floor(Date.now() / 1000)
    const signed = `${encode({ alg: 'HS256', typ: 'JWT', kid })}.${encode({ iat, exp: iat + 60, aud: '/admin/' })}`
    return `${signed}.${createHmac('sha256', Buffer.from(secret, 'hex')).update(signed).digest('base64url')}`
  }
  return async (method, route, body) => {
    const isForm = body instanceof FormData
    const answer = await fetch(`${instanceUrl}/ghost/api/admin${route}`, {
      method,
      headers: { authorization: `Ghost ${sign()}`, ...(body && !isForm ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${route}: ${answer.status} ${text}`)
    return text === '' ? null : JSON.parse(text)
  }
}

export function upload(call: GhostCall, route: string, name: string, data: Buffer, type: string, field = 'file') {
  const form = new FormData()
  form.set(field, new Blob([new Uint8Array(data)], { type }), name)
  return call('POST', route, form)
}

export const photo = png(2400, 20)

export interface SeededGhost {
  posts: string[]
  page: string
  ada: string
  photoUrl: string
}

/** Creates about forty records with every peculiarity that we know. `prefix` separates several runs on one site. */
export async function seedGhost(call: GhostCall, staffCall: GhostCall | null, prefix: string): Promise<SeededGhost> {
  const ada = staffCall ? await addAuthor(call, staffCall, prefix) : await ownerOf(call)
  const tags: string[] = []
  for (const name of [`${prefix} Küche & Bad`, `${prefix} "q" 🚀`, `#${prefix}-internal`]) {
    tags.push((await call('POST', '/tags/', { tags: [{ name, description: 'Über <Dinge>' }] })).tags[0].id)
  }
  const photoUrl = (await upload(call, '/images/upload/', `${prefix} bild ü.png`, photo, 'image/png')).images[0].url
  const small = (await upload(call, '/images/upload/', `${prefix}-small.png`, png(30, 30), 'image/png')).images[0].url
  const paper = (await upload(call, '/files/upload/', `${prefix}-paper.txt`, Buffer.from('plain\n'), 'text/plain'))
    .files[0].url
  const posts: string[] = []
  const add = async (post: object, kind: 'posts' | 'pages' = 'posts'): Promise<string> => {
    const made = await call('POST', `/${kind}/?source=html`, { [kind]: [{ authors: [{ id: ada }], ...post }] })
    return made[kind][0].id
  }
  const date = '2015-05-05T05:05:05.000Z'
  posts.push(
    await add({
      title: 'Whole & "odd" 🚀',
      slug: `${prefix}-whole`,
      html: `<p>Hello <strong>x</strong></p><figure><img src="${photoUrl}" alt="Alt &quot;x&quot;"><figcaption>Cap <em>here</em></figcaption></figure><p><a href="${paper}">paper</a></p>`,
      status: 'published',
      published_at: date,
      custom_excerpt: 'Short & sweet',
      featured: true,
      tags: tags.map((id) => ({ id })),
      feature_image: photoUrl,
      feature_image_alt: 'Above',
      feature_image_caption: 'Caption <em>above</em>',
      meta_title: 'SEO',
      meta_description: 'What it is about',
      canonical_url: 'https://example.com/original',
    }),
  )
  posts.push(await add({ title: 'Draft', html: `<p><img src="${photoUrl}"><img src="${small}"></p>`, status: 'draft' }))
  posts.push(
    await add({ title: 'Later', html: '<p>x</p>', status: 'scheduled', published_at: '2036-01-01T00:00:00.000Z' }),
  )
  posts.push(await add({ title: 'Members', html: '<p>x</p>', status: 'published', visibility: 'members' }))
  posts.push(await add({ title: 'Paid', html: '<p>x</p>', status: 'published', visibility: 'paid' }))
  posts.push(
    await add({ title: 'Before time', html: '', status: 'published', published_at: '1969-07-20T20:17:40.000Z' }),
  )
  posts.push(
    await add({
      title: 'RTL مرحبا',
      html: '<p dir="rtl">مرحبا 👩‍👩‍👧 𝔘</p><table><tr><td>1</td></tr></table>',
      status: 'published',
    }),
  )
  posts.push(
    await add({
      title: 'Links',
      html: `<p>See <a href="${new URL(photoUrl).origin}/${prefix}-whole/">the first</a>.</p>`,
      status: 'published',
    }),
  )
  for (let index = 0; index < 5; index += 1) posts.push(await add({ title: `More ${index}`, html: '<p>x</p>' }))
  const page = await add(
    { title: 'About', slug: `${prefix}-about`, html: `<p><img src="${small}"></p>`, status: 'published' },
    'pages',
  )
  const rows = Array.from({ length: 12 }, (_, index) =>
    [
      `${prefix}m${index}@mail.example`,
      `"Member ${index}, Ü"`,
      `"Note ""${index}"""`,
      index % 2 === 0,
      '2016-01-01T00:00:00.000Z',
      index === 0 ? `"${prefix} VIP"` : '',
    ].join(','),
  )
  const table = `email,name,note,subscribed_to_emails,created_at,labels\n${rows.join('\n')}\n`
  const label = (await upload(call, '/members/upload/', 'm.csv', Buffer.from(table), 'text/csv', 'membersfile')).meta
    .import_label
  await call('DELETE', `/labels/${label.id}/`)
  const found = await call('GET', `/members/?filter=${encodeURIComponent(`email:'${prefix}m0@mail.example'`)}`)
  const member_id = found.members[0].id
  const comment = async (fields: object) =>
    (await call('POST', '/comments/', { comments: [{ post_id: posts[0], member_id, ...fields }] })).comments[0].id
  const first = await comment({ html: '<p>First<br>line</p>', created_at: '2015-06-01T00:00:00.000Z' })
  const second = await comment({ html: '<p>Answer 🚀</p>', parent_id: first })
  await comment({ html: '<p>To the answer</p>', parent_id: first, in_reply_to_id: second })
  const hidden = await comment({ html: '<p>Hidden</p>' })
  await call('PUT', `/comments/${hidden}/`, { comments: [{ id: hidden, status: 'hidden' }] })
  const gone = await comment({ html: '<p>Deleted</p>' })
  await call('PUT', `/comments/${gone}/`, { comments: [{ id: gone, status: 'deleted' }] })
  await comment({ html: '<p>On a page</p>', post_id: page })
  for (let index = 0; index < 8; index += 1) await comment({ html: `<p>More of it ${index}</p>` })
  return { posts, page, ada, photoUrl }
}

/** No endpoint creates authors, but the import of a site does. */
async function addAuthor(call: GhostCall, staffCall: GhostCall, prefix: string): Promise<string> {
  const email = `${prefix}ada@customer.example`
  const users = [{ id: 'u1', name: 'Ada Ünlü', slug: `${prefix}-ada`, email, status: 'active' }]
  const data = {
    users,
    roles: [{ id: 'r1', name: 'Author' }],
    roles_users: [{ id: 'x', user_id: 'u1', role_id: 'r1' }],
  }
  const site = { db: [{ meta: { exported_on: 1, version: '6.0.0' }, data }] }
  await upload(staffCall, '/db/', 'authors.json', Buffer.from(JSON.stringify(site)), 'application/json', 'importfile')
  const found = await call('GET', `/users/?filter=${encodeURIComponent(`email:'${email}'`)}`)
  return found.users[0].id
}

const ownerOf = async (call: GhostCall): Promise<string> => (await call('GET', '/users/?limit=1')).users[0].id
