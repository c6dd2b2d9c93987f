import sanitizeHtml from 'sanitize-html'
import { Markup } from './html.ts'

const TAGS =
  'p br hr strong b em i u s ul ol li blockquote pre code table thead tbody tr th td h1 h2 h3 h4 h5 h6 div span a img'

/** Shows untrusted text: plain formatting, safe links, and only pictures that Harbour stores. */
export function showRichText(text: string, publicUrl: string): Markup {
  const ownFile = `${publicUrl}/files/`
  const clean = sanitizeHtml(text, {
    allowedTags: TAGS.split(' '),
    allowedAttributes: { a: ['href', 'rel'], img: ['src', 'alt'], '*': ['dir'], td: ['colspan'], th: ['colspan'] },
    allowedSchemes: ['http', 'https', 'mailto'],
    allowProtocolRelative: false,
    exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !/^\/files\/\d+$/.test(attribs.src ?? ''),
    transformTags: {
      a: (tagName, { href }) => ({
        tagName,
        attribs: { ...(href !== undefined && { href }), rel: 'nofollow noopener noreferrer' },
      }),
      img: (tagName, { src = '', alt = '' }) => ({
        tagName,
        attribs: { src: src.startsWith(ownFile) ? src.slice(publicUrl.length) : '', alt },
      }),
    },
  })
  return new Markup(clean)
}
