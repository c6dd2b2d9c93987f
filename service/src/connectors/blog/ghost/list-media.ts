import { readHtml } from '../../../text/plain-words.ts'
import { decodePart } from '../../kit/find-in-site.ts'
import type { RawRecord } from '../../kit/lens.ts'

/** A file that a text shows or links to, with the text's words about it. */
export interface UsedMedium extends RawRecord {
  /** The address of the file, which is its id: Ghost has no list of files. */
  id: string
  /** The address in the text. */
  url: string
  alt: string
  caption: string
}

/** Paths of files uploaded to a Ghost, on any server. Pictures may have several sizes and formats. */
const ownFile = /\/content\/(images|media|files)\/((?:size|format)\/[^/]+\/)*(\d{4}\/\d{2}\/[^/]+)$/

/** The id of a file, from its address. Null if the address is no file of a Ghost site. */
export function mediumId(address: string): string | null {
  const url = URL.parse(address.trim())
  if (!url || !/^https?:$/.test(url.protocol) || !ownFile.test(url.pathname)) return null
  const path = url.pathname.replace(ownFile, '/content/$1/$3')
  return `${url.origin}${path}`
}

type Text = Record<'html' | 'feature_image' | 'feature_image_alt' | 'feature_image_caption', string | null>

/** All files that a text uses, in order. The feature image may be on any server. */
export function listMedia(text: Partial<Text>): UsedMedium[] {
  const used: UsedMedium[] = []
  const above = text.feature_image?.trim()
  if (above && /^https?:\/\//.test(above) && URL.canParse(above)) {
    used.push({
      id: mediumId(above) ?? above,
      url: above,
      alt: text.feature_image_alt ?? '',
      caption: text.feature_image_caption ?? '',
    })
  }
  let figure: UsedMedium[] = []
  let caption: string | null = null
  readHtml(text.html ?? '', {
    onopentag(name, { src, href, alt }) {
      if (name === 'figure') figure = []
      if (name === 'figcaption') caption = ''
      const url = (name === 'a' ? href : ['img', 'video', 'audio'].includes(name) ? src : undefined)?.trim()
      const id = url === undefined ? null : mediumId(url)
      if (url === undefined || id === null) return
      const medium = { id, url, alt: alt ?? '', caption: '' }
      used.push(medium)
      if (name === 'img') figure.push(medium)
    },
    ontext(words) {
      if (caption !== null) caption += words
    },
    onclosetag(name) {
      if (name === 'figcaption' && caption !== null) {
        for (const medium of figure) medium.caption += caption
        caption = null
      }
      if (name === 'figure') figure = []
    },
  })
  return used
}

/** Adds a link to each video and audio player. The players are lost on the way to another tool, but the links stay. */
export function linkPlayers(html: string): string {
  const inserts: { at: number; link: string }[] = []
  readHtml(html, {
    onparserinit(parser) {
      this.onopentag = (name: string, { src }: Record<string, string>) => {
        if ((name !== 'video' && name !== 'audio') || !src || mediumId(src) === null) return
        const escaped = src.replace(/&/g, '&amp;').replace(/"/g, '&quot;')
        inserts.push({ at: parser.startIndex, link: `<p><a href="${escaped}">${fileName(src)}</a></p>` })
      }
    },
  })
  if (inserts.length === 0) return html
  const parts = inserts.map(({ at, link }, index) => html.slice(inserts[index - 1]?.at ?? 0, at) + link)
  return parts.join('') + html.slice(inserts.at(-1)?.at)
}

export function fileName(address: string): string {
  const path = URL.parse(address)?.pathname ?? ''
  const name = path.slice(path.lastIndexOf('/') + 1)
  return (decodePart(name) ?? name) || 'file'
}

const types: Record<string, string> = {
  ...{ jpg: 'image/jpeg', jpeg: 'image/jpeg', png: 'image/png', gif: 'image/gif', webp: 'image/webp' },
  ...{ svg: 'image/svg+xml', ico: 'image/x-icon', avif: 'image/avif', pdf: 'application/pdf', txt: 'text/plain' },
  ...{ mp4: 'video/mp4', webm: 'video/webm', mp3: 'audio/mpeg', wav: 'audio/wav', zip: 'application/zip' },
}
export const typeOf = (address: string): string | undefined =>
  types[/\.([a-z0-9]+)$/i.exec(fileName(address))?.[1]?.toLowerCase() ?? '']

/** The address of the original picture, which Ghost keeps beside the smaller version. */
export const originalOf = (address: string): string | null =>
  /\/content\/images\/.*\.(jpe?g|png|webp)$/i.test(address) ? address.replace(/(\.[a-z]+)$/i, '_o$1') : null
