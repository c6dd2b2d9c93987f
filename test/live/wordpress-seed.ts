import { crc32, deflateSync } from 'node:zlib'
import type { AccountAccess } from '../../service/src/connectors/contract/contract.ts'

export type Call = (
  method: 'GET' | 'POST' | 'DELETE',
  route: string,
  body?: object | FormData,
) => Promise<{ id: number } & Record<string, unknown>>

/** Calls the API without our connector, so that a test does not see the site through our own code. */
export function callAs({ instanceUrl, username, token }: AccountAccess): Call {
  return async (method, route, body) => {
    const form = body instanceof FormData
    const response = await fetch(`${instanceUrl}/?rest_route=/wp/v2${route.replace('?', '&')}`, {
      method,
      headers: {
        authorization: `Basic ${Buffer.from(`${username}:${token}`).toString('base64')}`,
        ...(body && !form ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: form ? body : JSON.stringify(body) } : {}),
    })
    const json = (await response.json()) as { id: number } & Record<string, unknown>
    if (!response.ok) throw new Error(`${method} ${route}: ${response.status} ${JSON.stringify(json)}`)
    return json
  }
}

/** A picture of one colour and of this size. */
export function png(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const size = Buffer.alloc(4)
    size.writeUInt32BE(data.length)
    const sum = Buffer.alloc(4)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([size, body, sum])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 2, 0, 0, 0], 8)
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 3, 120)])
  const rows = Buffer.concat(Array.from({ length: height }, () => row))
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

export const classicText = 'First line\nsecond line\n\nA new paragraph with <em>markup</em> & more.'

export interface Seeded {
  image: number
  imageUrl: string
  imageSmallUrl: string
  large: number
  post: number
  protectedPost: number
  page: number
  deletedUser: number
}

/** Creates about fifty records with every peculiarity that we know. `prefix` separates several runs on one site. */
export async function seedWordpress(call: Call, prefix: string): Promise<Seeded> {
  const upload = (data: Buffer, name: string, fields: Record<string, string> = {}) => {
    const form = new FormData()
    for (const [field, value] of Object.entries(fields)) form.set(field, value)
    form.set('file', new Blob([new Uint8Array(data)]), name)
    return call('POST', '/media', form)
  }
  const user = (name: string) =>
    call('POST', '/users', {
      username: `${prefix}${name}`,
      name: `${name} Ünlü`,
      email: `${prefix}${name}@customer.example`,
      password: `${prefix}-${Math.random()}`,
      roles: ['author'],
    })
  const ada = (await user('ada')).id
  const gone = (await user('gone')).id
  const top = (await call('POST', '/categories', { name: `${prefix} Küche & Bad`, description: 'Über <Dinge>' })).id
  const sub = (await call('POST', '/categories', { name: `${prefix} News`, slug: `${prefix}-sub`, parent: top })).id
  await call('POST', '/categories', { name: `${prefix} News`, slug: `${prefix}-other` })
  // More than a page of categories, because they are listed differently from all other records.
  for (let index = 0; index < 12; index += 1)
    await call('POST', '/categories', { name: `${prefix} ${index}`, parent: top })
  const tag = (await call('POST', '/tags', { name: `${prefix} <b>ü</b> "q" 🚀` })).id
  const image = await upload(png(900, 300), `${prefix} bild ü (1).png`, {
    title: 'Bild & <em>mehr</em>',
    alt_text: 'Alt "x"',
    caption: 'Caption <em>here</em>',
    description: 'Long words',
    date_gmt: '2014-03-03T03:03:03Z',
    author: String(ada),
  })
  const large = await upload(png(2700, 20), `${prefix}-panorama.png`)
  await upload(Buffer.from('plain text\n'), `${prefix}-notes.txt`)
  const sizes = (image.media_details as { sizes: Record<string, { source_url: string }> }).sizes
  const imageUrl = String(image.source_url)
  const imageSmallUrl = String(sizes.medium?.source_url)

  const texts: object[] = [
    {
      title: 'Block post &amp; <em>title</em>',
      content: `<!-- wp:paragraph -->\n<p>Hello</p>\n<!-- /wp:paragraph -->\n\n<!-- wp:image {"id":${image.id}} -->\n<figure class="wp-block-image"><img src="${imageSmallUrl}" alt="" class="wp-image-${image.id}"/></figure>\n<!-- /wp:image -->`,
      status: 'publish',
      date_gmt: '2015-05-05T05:05:05Z',
      featured_media: image.id,
      sticky: true,
      tags: [tag],
      categories: [sub, top],
    },
    {
      title: 'Classic post',
      content: `${classicText}\n\n<a href="${imageUrl}"><img src="${imageSmallUrl}" /></a>\n\n[caption width="300"]<img src="${imageUrl}" /> below[/caption]`,
      status: 'publish',
      comment_status: 'closed',
      format: 'image',
      excerpt: 'Short & <b>sweet</b>',
    },
    { title: 'Before time', status: 'publish', date_gmt: '1969-07-20T20:17:40Z', format: 'aside', content: 'x' },
    { title: 'Draft', status: 'draft', content: '' },
    { title: 'Waiting', status: 'pending', content: '<p>Please look</p>' },
    { title: 'Secret', status: 'private', content: '<p>Ours</p>' },
    { title: 'Later', status: 'future', date_gmt: '2036-01-01T00:00:00Z', content: '<p>Soon</p>' },
    {
      title: 'Later',
      status: 'publish',
      slug: `${prefix}-ünicode-العربية-🚀`,
      content: '<p dir="rtl">مرحبا 👩‍👩‍👧 𝔘</p>',
    },
    { title: 'Protected', status: 'publish', password: 'pass & word', content: '<p>For a few</p>' },
    { title: '', status: 'publish', content: 'No title at all' },
  ]
  const posts: number[] = []
  for (const text of texts) posts.push((await call('POST', '/posts', { author: ada, ...text })).id)
  const [post = 0] = posts
  const page = (
    await call('POST', '/pages', {
      title: 'Parent',
      status: 'publish',
      menu_order: 3,
      content: 'p',
      comment_status: 'open',
    })
  ).id
  await call('POST', '/pages', { title: 'Child', status: 'draft', parent: page, content: '' })

  const comment = async (fields: object) => {
    const guest = {
      author_name: 'Guest <b>& Co',
      author_email: `${prefix}@guest.example`,
      author_url: 'https://guest.example/',
    }
    return (
      await call('POST', '/comments', { post, status: 'approved', ...('author' in fields ? {} : guest), ...fields })
    ).id
  }
  const first = await comment({ content: 'First\nline <strong>two</strong>', date_gmt: '2015-06-01T00:00:00Z' })
  const second = await comment({ content: 'Answer', parent: first, author: ada })
  await comment({ content: 'Answer to the answer 🚀', parent: second })
  await comment({ content: 'Waits', status: 'hold' })
  const spam = await comment({ content: 'Buy now', status: 'spam' })
  await comment({ content: 'Answer to spam', parent: spam })
  await comment({ content: 'From someone who left', author: gone })
  await comment({ content: 'On a page', post: page })
  for (let index = 0; index < 8; index += 1) await comment({ content: `More of it ${index}` })
  await call('DELETE', `/users/${gone}?force=true&reassign=${ada}`)
  return {
    image: image.id,
    imageUrl,
    imageSmallUrl,
    large: large.id,
    post,
    protectedPost: posts[8] ?? 0,
    page,
    deletedUser: gone,
  }
}
