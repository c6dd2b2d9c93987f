/**
 * The address to show for a post or page. Everyone who knows the address of a draft can read it, and a link would
 * publish that address. So a draft gets the address of its editor.
 */
export function safeAddress(entity: 'posts' | 'pages', { id, url }: { id: string; url: string }): string {
  const site = /^(.*)\/p\/[0-9a-f-]{36}\/?$/.exec(url)?.[1]
  return site === undefined ? url : `${site}/ghost/#/editor/${entity === 'posts' ? 'post' : 'page'}/${id}`
}
