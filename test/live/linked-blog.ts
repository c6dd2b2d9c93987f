import type { Place } from './place.ts'
import { callAs, png } from './wordpress-seed.ts'

/** A link in the text, and the title of its target page; null if the link must stay in the source. */
export interface WrittenLink {
  label: string
  href: string
  title: string | null
}

export interface LinkedBlog {
  /** The id of the post with the links. */
  linking: string
  links: WrittenLink[]
  remove(): Promise<void>
}

/**
 * Writes a post into a WordPress that links to every kind of record in every form. Most targets are created after the
 * post.
 */
export async function writeLinkedBlog({ url, access }: Place): Promise<LinkedBlog> {
  const call = callAs(access)
  const made: string[] = []
  const make = async (list: string, body: object | FormData) => {
    const record = await call('POST', `/${list}`, body)
    made.unshift(`/${list}/${record.id}?force=true`)
    return record
  }
  const linking = await make('posts', { title: 'All the links', status: 'publish', content: 'soon' })
  const post = await make('posts', { title: 'Linked post', slug: 'linked-ünïcode', status: 'publish', content: 'x' })
  const page = await make('pages', { title: 'Linked page', status: 'publish', content: 'x' })
  const category = await make('categories', { name: 'Linked category' })
  const tag = await make('tags', { name: 'Linked tag' })
  await call('POST', `/posts/${post.id}`, { categories: [category.id], tags: [tag.id] })
  const guest = { author_name: 'Guest', author_email: 'guest@linked.example' }
  const comment = await make('comments', { post: post.id, content: 'Linked comment', status: 'approved', ...guest })
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(png(900, 300))]), 'linked.png')
  const picture = await make('media', form)
  const sizes = (picture.media_details as { sizes: { medium: { source_url: string } } }).sizes

  const canonical = String(post.link)
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
      'post with index.php': `${url}/index.php${pathname}`,
      'post from the root': pathname,
      'post from beside': `../${pathname.split('/').at(-2)}/`,
      'post in capitals': canonical.replace(/%[0-9a-f]{2}/g, (code) => code.toUpperCase()),
      'post by id': `${url}/?p=${post.id}`,
      'post by id from the root': `/?p=${post.id}`,
      'post by comment': `${canonical}#comment-${comment.id}`,
      'post by comment of a page': `${canonical}comment-page-1/#comment-${comment.id}`,
    }),
    ...to('Linked page', {
      'page canonical': String(page.link),
      'page by id': `${url}/?page_id=${page.id}`,
      'page by id as a post': `${url}/?p=${page.id}`,
    }),
    ...to('Linked tag', { 'tag canonical': String(tag.link) }),
    ...to('image/png', {
      'file itself': String(picture.source_url),
      'file in small': sizes.medium.source_url,
      'file from the root': new URL(String(picture.source_url)).pathname,
      'file by id': `${url}/?attachment_id=${picture.id}`,
      'file by its page': String(picture.link),
    }),
    ...to(null, {
      'page that is none': '/nowhere/at-all/',
      'post that is none': `${url}/?p=987654`,
      'the desk': 'wp-admin/',
    }),
  ]
  const content = links.map(({ label, href }) => `<p><a href="${href}">${label}</a></p>`).join('\n')
  await call('POST', `/posts/${linking.id}`, {
    content: `${content}\n<p><a href="https://example.org/x">foreign</a></p>\n<p>The end.</p>`,
  })
  return {
    linking: String(linking.id),
    links,
    async remove() {
      for (const route of made) await call('DELETE', route)
    },
  }
}
