import type { RawRecord } from '../../kit/lens.ts'

// Files of messages, and pictures in texts. Their addresses are signed, expire, and differ in each answer.

type Raw = Readonly<Record<string, unknown>>

const anAddress = /https?:\/\/[^\s"'<>]+/gi
const withoutSignature = (address: string) =>
  /[?&;](?:expires|signature)=/i.test(address) ? address.slice(0, address.indexOf('?')) : address
const hostOf = (address: string) => URL.parse(address)?.hostname ?? ''
/** Whether Intercom hosts the picture. Pictures from other sites stay links. */
const isOwn = (address: string, site: string) =>
  withoutSignature(address) !== address ||
  /(?:^|\.)intercom[\w-]*\.\w+$/.test(hostOf(address)) ||
  hostOf(address) === hostOf(site)
const inHtml = (address: string) => address.replaceAll('&', '&amp;')

/**
 * Replaces addresses that change with each answer: files get a stable address of ours, other addresses lose their
 * signature.
 */
export function stableText(body: string, files: readonly RawRecord[]): string {
  let text = body
  for (const { url, shown } of files) {
    for (const address of new Set([String(url), inHtml(String(url))])) text = text.replaceAll(address, String(shown))
  }
  return text.replace(anAddress, withoutSignature)
}

const picture = /<img\b[^<>]{0,2000}?\ssrc\s*=\s*["']([^"'<>]{1,4000})["']/gi
const mostPictures = 300
const nameIn = (address: string) => {
  const last = URL.parse(address)?.pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(last).slice(-200)
  } catch {
    return last.slice(-200)
  }
}

const listed = (value: unknown): Raw[] =>
  [value].flat().filter((one): one is Raw => typeof one === 'object' && one !== null && 'url' in one)

/**
 * The files of one message. Intercom gives files no ids, so their position identifies them. Files in a ticket's
 * attributes belong to its first message. `visible` names the attributes that customers see.
 */
export function filesOf(
  message: Raw,
  at: string,
  parent: { entity: string; sourceId: string },
  createdAt: unknown,
  author: unknown,
  site: string,
  isPrivate = false,
  visible: readonly unknown[] = [],
): RawRecord[] {
  const body = typeof message.body === 'string' ? message.body : ''
  const attributes = Object.entries((message.attributes ?? {}) as object).flatMap(([attribute, value]) =>
    listed(value).map((file) => ({ ...file, isHidden: !visible.includes(attribute) })),
  )
  const given: Raw[] = [...listed(message.attachments ?? []), ...attributes]
  const whole = given.map(({ url, name, content_type: type, filesize, isHidden }, index) => ({
    id: `${at}-f${index}`,
    url: String(url),
    file_name: typeof name === 'string' && name !== '' ? name : nameIn(String(url)) || 'file',
    content_type: typeof type === 'string' && type !== '' ? type : null,
    size: Number.isInteger(filesize) ? filesize : null,
    is_private: isPrivate || isHidden === true,
  }))
  const shown = [...body.matchAll(picture)]
    .slice(0, mostPictures)
    .map(([, source = '']) => source.replaceAll('&amp;', '&'))
  const alone = [...new Set(shown)].filter((url) => isOwn(url, site) && !whole.some((file) => file.url === url))
  const pictures = alone.map((url, index) => ({
    ...{ id: `${at}-i${index}`, url, content_type: null, size: null, is_private: isPrivate },
    file_name: /\.\w{2,5}$/.test(nameIn(url)) ? nameIn(url) : `picture-${index + 1}`,
  }))
  return [...whole, ...pictures].map((file) => ({
    ...file,
    shown: `${site}/files/${file.id}`,
    is_inline: shown.includes(file.url),
    parent,
    created_at: createdAt ?? null,
    author_agent: author ?? null,
  }))
}
