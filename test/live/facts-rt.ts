import iconv from 'iconv-lite'
import type { Message, Ticket } from './compare-desks.ts'
import { type Facts, keyOf, sha256, sortedTexts, words } from './facts.ts'
import { type Ask, inDatabase, type Place } from './place.ts'

interface Part {
  id: string
  transactionid: string
  filename: string | null
  contenttype: string
  contentencoding: string | null
  content: string | null
  headers: string
}

interface Transaction {
  id: string
  type: string
  ticket: number
  ismerged: boolean
  author: string | null
  names: string[]
  made: string
}

const origin = /^<div class="wherry-origin">([^\n]*?)<\/div>\n?/

/** Everything in a Request Tracker that people see. Deleted tickets, and disabled queues and users, are left out. */
export function readRt(place: Place): Promise<Facts> {
  return inDatabase(place, async (ask) => {
    const facts = new Map<string, Record<string, unknown>>()
    const queues = await ask<{ id: number }>(
      `select id, name, description, disabled from queues where name not like '\\_\\_\\_%'`,
    )
    for (const { id, ...queue } of queues) facts.set(keyOf('groups', id), queue)
    const people = await ask<{ id: number }>(
      `select u.id, lower(u.emailaddress) as mail, u.name as login, u.realname, u.organization, p.disabled from users u join principals p on p.id = u.id where u.name not in ('RT_System', 'Nobody')`,
    )
    for (const { id, ...person } of people) facts.set(keyOf('people', id), person)
    for (const { id, ...ticket } of await readTickets(ask)) facts.set(keyOf('tickets', id), ticket)
    return facts
  })
}

/** The same content without disabled records, because an undo can only disable them. */
export const onlyInUse = (facts: Facts): Facts => new Map([...facts].filter(([, { disabled }]) => disabled !== 1))

async function readTickets(ask: Ask): Promise<(Ticket & { id: number })[]> {
  const person = (id: string) =>
    `(select lower(coalesce(nullif(u.emailaddress, ''), u.name)) from users u where u.id = ${id} and u.name not in ('RT_System', 'Nobody'))`
  const role = (name: string) =>
    `(select coalesce(array_agg(${person('m.memberid')} order by 1), '{}') from groups g join groupmembers m on m.groupid = g.id where g.domain = 'RT::Ticket-Role' and g.instance = t.id and g.name = '${name}')`
  const namesOf = (name: string) =>
    `(select coalesce(array_agg(coalesce(nullif(u.realname, ''), u.emailaddress, u.name)::text), '{}') from groups g join groupmembers m on m.groupid = g.id join users u on u.id = m.memberid where g.domain = 'RT::Ticket-Role' and g.instance = t.id and g.name = '${name}')`
  const rows = await ask<Ticket & { id: number; requesters: string[]; ccs: string[]; unset: boolean }>(
    `select t.id, t.subject, t.status, t.priority, q.name as "group", ${person('t.owner')} as assignee, ${role('Requestor')} as requesters, ${role('Cc')} as ccs, to_char(nullif(t.due, '1970-01-01'), 'YYYY-MM-DD') as due, case when t.created < '1970-01-02' then '' else to_char(t.created, 'YYYY-MM-DD HH24:MI') end as made, ${person('t.creator')} as author, ${namesOf('Requestor')} as names, t.timeworked as minutes from tickets t join queues q on q.id = t.queue where t.status <> 'deleted' and t.effectiveid = t.id and t.type = 'ticket'`,
  )
  const transactions = await ask<Transaction>(
    `select x.id, x.type, t.effectiveid as ticket, t.effectiveid <> t.id as ismerged, ${person('x.creator')} as author, array[(select coalesce(nullif(u.realname, ''), u.name) from users u where u.id = x.creator)] as names, to_char(x.created, 'YYYY-MM-DD HH24:MI') as made from transactions x join tickets t on t.id = x.objectid where x.objecttype = 'RT::Ticket' and x.type in ('Create', 'Correspond', 'Comment') order by x.id`,
  )
  const parts = Map.groupBy(
    await ask<Part>(
      `select id, transactionid, filename, contenttype, contentencoding, content, headers from attachments order by id`,
    ),
    ({ transactionid }) => transactionid,
  )
  const links = await ask<{ type: string; localbase: number; localtarget: number }>(
    `select type, localbase, localtarget from links where localbase > 0 and localtarget > 0`,
  )
  const custom = await ask<{ id: number; name: string; value: string }>(
    `select v.objectid::int as id, f.name, coalesce(nullif(v.content, ''), v.largecontent) as value from objectcustomfieldvalues v join customfields f on f.id = v.customfield where v.objecttype = 'RT::Ticket' and v.disabled = 0 and f.name not in ('Wherry key', 'Scan')`,
  )
  const inUse = new Set(rows.map(({ id }) => id))
  return rows.map(({ requesters, ccs, ...row }) => {
    const said = transactions
      .filter(({ ticket }) => ticket === row.id)
      .map((one) => ({ ...one, ...messageOf(one, parts.get(one.id) ?? []) }))
    // Our tickets are created without a text; their text is the first message.
    const first = said.find(({ type, ismerged }) => type === 'Create' && !ismerged) ?? said[0]
    // A file that we write is a separate message.
    const thread = said.filter((one) => one !== first && !(one.line !== '' && one.text === '' && one.files.length > 0))
    const to = (type: string) =>
      links
        .filter((link) => link.type === type && link.localbase === row.id && inUse.has(link.localtarget))
        .map(({ localtarget }) => localtarget)
    return {
      ...row,
      text: first?.text ?? '',
      line: first?.line ?? '',
      people: [...new Set([...requesters, ...ccs])].sort(),
      parent: to('MemberOf')[0] ?? null,
      dependsOn: to('DependsOn').sort(),
      linked: to('RefersTo').sort(),
      custom: sortedTexts(
        custom.filter(({ id }) => id === row.id).map(({ name, value }) => [name, value.replace(/\r\n?/g, '\n')]),
      ),
      thread: thread.map(({ text, line, isPublic, author, names, made }) => ({
        text,
        line,
        isPublic,
        author,
        names,
        made,
      })),
      files: sortedTexts(said.flatMap(({ files }) => files)),
      privateFiles: sortedTexts(said.filter(({ isPublic }) => !isPublic).flatMap(({ files }) => files)),
    }
  })
}

/** Of several alternatives, people see the richer one. */
function messageOf(
  { type }: Transaction,
  parts: readonly Part[],
): Pick<Message, 'text' | 'line' | 'isPublic'> & { files: object[] } {
  const bodies = parts.filter(({ filename, contenttype }) => !filename && /^text\/(plain|html)$/.test(contenttype))
  const body = bodies.find(({ contenttype }) => contenttype === 'text/html') ?? bodies[0]
  const given = body ? decode(body).toString('utf8') : ''
  const [whole = '', line = ''] = origin.exec(given) ?? []
  const files = parts.filter((part) => part.filename || !/^(text\/(plain|html)|multipart\/.*)$/.test(part.contenttype))
  return {
    text: words(given.slice(whole.length).replace(/#\d+/g, ' '), body?.contenttype === 'text/html' ? 'html' : 'plain'),
    line: words(line, 'html'),
    isPublic: type !== 'Comment',
    files: files.map((part) => ({
      name: part.filename ?? `attachment-${part.id}.${part.contenttype.split('/')[1]}`,
      sha: sha256(bytesOf(part)),
    })),
  }
}

/**
 * Request Tracker converted plain text and HTML from other encodings to UTF-8, and says so in a header. Other texts
 * stay unchanged.
 */
function bytesOf(part: Part): Buffer {
  const [, encoding = 'utf-8'] = /^X-RT-Original-Encoding: (\S+)/im.exec(part.headers) ?? []
  const isTurned = /^Content-Type:.*charset="?utf-8/im.test(part.headers) && !/^utf-8/i.test(encoding)
  return isTurned ? iconv.encode(decode(part).toString('utf8'), encoding) : decode(part)
}

function decode({ content, contentencoding }: Part): Buffer {
  const given = content ?? ''
  if (contentencoding === 'base64') return Buffer.from(given, 'base64')
  if (contentencoding !== 'quoted-printable') return Buffer.from(given)
  const bytes = given
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/gi, (_whole, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1')
}
