import Type from 'typebox'
import { Check } from 'typebox/value'
import { cutText } from '../../../text/cut-text.ts'
import type { OutgoingContent, SentRelation, SideRecords } from '../../contract/contract.ts'
import type { Sent } from '../../kit/http.ts'
import { digestOf } from '../../kit/keys.ts'
import type { RawRecord } from '../../kit/lens.ts'
import type { IntercomApi } from './api.ts'
import { linksLabel } from './own-fields.ts'

// Company and tags of a ticket. Intercom does not tell them, so an attribute of the ticket notes those that we gave it.

/** The company and the tags of a ticket. They are written into an attribute once the ticket has them. */
export interface Links {
  company: string | null
  tags: string[]
}
export const noLinks: Links = { company: null, tags: [] }
export const linksOf = ({ fields }: Pick<OutgoingContent, 'fields'>): Links => ({
  company: (fields.organization as SentRelation | null | undefined)?.destinationId ?? null,
  tags: [...new Set(((fields.tags ?? []) as string[]).map((name) => cutText(name.trim(), 255)))].sort(),
})
export const isNone = ({ company, tags }: Links) => company === null && tags.length === 0
export const asCustom = (links: Links): OutgoingContent['customFields'] => ({
  ' links': { label: linksLabel, type: 'text', value: isNone(links) ? null : JSON.stringify(links) },
})
const linksShape = Type.Object({ company: Type.Union([Type.String(), Type.Null()]), tags: Type.Array(Type.String()) })
/** People may have changed the attribute. */
export function linksIn({ ticket_attributes: attributes }: RawRecord): Links {
  try {
    const links = JSON.parse(String((attributes as Record<string, unknown> | null)?.[linksLabel]))
    if (Check(linksShape, links)) return links
  } catch {}
  return noLinks
}

export interface TagContext {
  api: IntercomApi
  me: string
  tags(): Promise<Map<string, string>>
  sides: SideRecords | undefined
}

/** Adds the wanted tags, and takes those away that the source has lost since. Tags of people stay. */
export async function setTags(
  context: TagContext,
  ticketPath: string,
  before: readonly string[],
  wanted: readonly string[],
) {
  const { api, me } = context
  const path = `${ticketPath}/tags`
  const json = { admin_id: me }
  const sent: (Sent | null)[] = []
  for (const name of before.filter((one) => !wanted.some((other) => isSameTag(one, other)))) {
    const id = (await context.tags()).get(name.toLowerCase())
    const taken = id === undefined ? null : await api.http.send('DELETE', `${path}/${id}`, { json })
    // People may have removed the tag before.
    if (taken?.result === 'refused' && taken.status !== 404) sent.push(taken)
  }
  for (const name of wanted) {
    const id = await tagId(context, name)
    sent.push(id === null ? null : await api.http.send('POST', path, { json: { id, ...json } }))
  }
  return sent.every((one) => one?.result === 'done')
}
const isSameTag = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

/** Finds a tag by name, ignoring case, or creates it. An undo lists the tags that we created. */
async function tagId({ api, tags, sides }: TagContext, name: string): Promise<string | null> {
  const known = await tags()
  const there = known.get(name.toLowerCase())
  if (there !== undefined) return there
  const side = { kind: tagKind, mark: digestOf(name.toLowerCase(), 16), destinationId: null, version: null }
  await sides?.note(side)
  const sent = await api.http.send('POST', '/tags', { json: { name } })
  if (sent.result === 'refused') {
    await sides?.forget(side)
    return null
  }
  const id = String(api.one(sent.json).id)
  await sides?.note({ ...side, destinationId: id })
  known.set(name.toLowerCase(), id)
  return id
}

export const tagKind = 'tag'
/** The ids of the workspace's tags, by name in small letters. */
export const readTags = async (api: IntercomApi): Promise<Map<string, string>> =>
  new Map((await api.short('/tags', 'data')).map(({ id, name }) => [String(name ?? '').toLowerCase(), String(id)]))
