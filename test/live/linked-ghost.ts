import { callGhost, upload } from './ghost-seed.ts'
import type { LinkedBlog, WrittenLink } from './linked-blog.ts'
import type { Place } from './place.ts'
import { png } from './wordpress-seed.ts'

/**
 * Writes a post into a Ghost that links to every kind of record in every form. Most targets are created after the post.
 */
export async function writeLinkedGhost({ url, access }: Place): Promise<LinkedBlog> {
  const call = callGhost(access)
  const made: string[] = []
  const make = async (list: string, body: object) => {
    const record = (await call('POST', `/${list}/?source=html`, { [list]: [body] }))[list][0]
    made.unshift(`/${list}/${record.id}/`)
    return record
  }
  const published = { html: '<p>x</p>', status: 'published' }
  const linking = await make('posts', { ...published, title: 'All the links' })
  const tag = await make('tags', { name: 'Linked tag' })
  const post = await make('posts', { ...published, title: 'Linked post', slug: 'linked-post', tags: [{ id: tag.id }] })
  const page = await make('pages', { ...published, title: 'Linked page', slug: 'linked-page' })
  const image = (await upload(call, '/images/upload/', 'linked.png', png(1200, 300), 'image/png')).images[0].url
  const shown = `<figure><img src="${image}"></figure>`

  const canonical = `${url}/linked-post/`
  const { host, pathname } = new URL(canonical)
  const to = (title: string | null, forms: Record<string, string>): WrittenLink[] =>
    Object.entries(forms).map(([label, href]) => ({ label, href, title }))
  const links = [
    ...to('Linked post', {
      'post canonical': canonical,
      'post without slash': canonical.replace(/\/$/, ''),
      'post with query': `${canonical}?utm_source=mail`,
      'post with anchor': `${canonical}#part`,
      'post without scheme': `//${host}${pathname}`,
      'post with other scheme': canonical.replace('http:', 'https:'),
      'post from the root': pathname,
      'post for phones': `${canonical}amp/`,
      'post by its own word': `__GHOST_URL__${pathname}`,
    }),
    ...to('Linked page', { 'page canonical': `${url}/linked-page/` }),
    ...to('Linked tag', { 'tag canonical': `${url}/tag/${tag.slug}/` }),
    ...to('image/png', {
      'file itself': image,
      'file in small': image.replace('/content/images/', '/content/images/size/w600/'),
      'file from the root': new URL(image).pathname,
    }),
    ...to(null, { 'page that is none': '/nowhere/at-all/', 'the desk': `${url}/ghost/` }),
  ]
  const [before] = (await call('GET', `/posts/${linking.id}/`)).posts
  const html = links.map(({ label, href }) => `<p><a href="${href}">${label}</a></p>`).join('\n')
  await call('PUT', `/posts/${linking.id}/?source=html`, {
    posts: [
      {
        html: `${html}\n<p><a href="https://example.org/x">foreign</a></p>${shown}`,
        updated_at: before.updated_at,
      },
    ],
  })
  if (post.slug !== 'linked-post' || page.slug !== 'linked-page') throw new Error('the slugs were taken')
  return {
    linking: linking.id,
    links,
    async remove() {
      for (const route of made) await call('DELETE', route)
    },
  }
}
