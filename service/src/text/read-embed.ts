import type { TextLoss } from '../warnings/codes.ts'
import type { DocumentBuilder, Leave } from './build-document.ts'
import type { Losses } from './document.ts'
import { safeUrl } from './safe-url.ts'

const kinds: Record<string, TextLoss> = {
  ...{ video: 'video_linked', audio: 'audio_linked' },
  ...{ iframe: 'embed_linked', embed: 'embed_linked', object: 'embed_linked' },
}

export const isEmbed = (name: string): boolean => Object.hasOwn(kinds, name)

export interface Embed {
  /** The address of an inner `source` or `embed`, for an element that has no address itself. */
  address: string
  leave: Leave
}

/** Turns a video, a sound or a frame of another site into a link, because no format can hold it. */
export function openEmbed(
  builder: DocumentBuilder,
  name: string,
  attribs: Record<string, string>,
  losses: Losses,
): Embed {
  const label = (attribs.title ?? '').replace(/\s+/g, ' ').trim()
  const embed: Embed = {
    address: attribs.src ?? attribs.data ?? '',
    leave() {
      const href = safeUrl(withScheme(embed.address), 'link')
      losses.add(href === null ? 'embed_removed' : (kinds[name] ?? 'embed_linked'))
      const words = label || href
      if (!words) return
      const isLink = href !== null && !builder.isInside('href')
      const path = isLink ? [...builder.path, { href, title: '' }] : builder.path
      builder.add({ type: 'text', value: ' ' })
      builder.add({ type: 'text', value: words }, path)
      builder.add({ type: 'text', value: ' ' })
    },
  }
  return embed
}

/** Adds a scheme to `//host/path`, which depends on the scheme of the old page. */
const withScheme = (address: string) => (/^\/\/[^/]/.test(address.trim()) ? `https:${address.trim()}` : address)
