import { type Facts, ofTable } from './facts.ts'
import type { LedgerRecord } from './pair-service.ts'

export interface Message {
  text: string
  /** Author and time in the line that we add. */
  line: string
  isPublic: boolean
  author: string | null
  /** The author's possible names in a line. */
  names: string[]
  made: string
}

/** A ticket in a form that can be compared between both tools. */
export interface Ticket extends Record<string, unknown> {
  subject: string
  text: string
  line: string
  status: string
  priority: string | number
  group: string
  assignee: string | null
  people: string[]
  due: string | null
  parent: number | null
  dependsOn: number[]
  linked: number[]
  custom: string[]
  thread: Message[]
  files: string[]
  /** The files of private messages. */
  privateFiles?: string[]
  made: string
  author: string | null
  names: string[]
}

export interface DeskRules {
  status(given: string): string
  priority(given: string | number): string | number
  /** The day, if the destination can store it. */
  day(given: string | null): string | null
  /** The substitute for a missing subject. */
  noSubject: string
  /** The name that the destination gives to a file. */
  fileName?(name: string): string
  /** False if every reader of a ticket would see all of its files. */
  takesPrivateFiles?: boolean
  /** False if people without an account are not named. */
  namesAuthors?: boolean
  /** Custom fields that both sides have. */
  sharedFields: readonly string[]
  /** True for values that the destination does not offer. */
  isRefused?(field: string, value: string): boolean
  /** People without a counterpart in the destination. */
  agents: readonly string[]
  /** False for people whom the destination always adds or never adds by itself. */
  isCounted(person: string): boolean
}

/** Compares every field of every ticket, and reports lost and duplicate tickets. Returns the differences. */
export function compareDesks(source: Facts, made: Facts, records: readonly LedgerRecord[], rules: DeskRules): string[] {
  const wrong: string[] = []
  const same = (what: string, one: unknown, other: unknown) => {
    const [left, right] = [JSON.stringify(one), JSON.stringify(other)]
    if (left !== right) wrong.push(`${what}: ${left?.slice(0, 300)} became ${right?.slice(0, 300)}`)
  }
  const ids = new Map(
    records.filter(({ entity }) => entity === 'tickets').map((row) => [row.source_id, String(row.destination_id)]),
  )
  const idOf = (id: number | null) => (id === null ? null : (ids.get(String(id)) ?? 'lost'))
  const idsOf = (some: number[]) => some.map(idOf).sort()
  const tickets = ofTable(source, 'tickets') as [string, Ticket][]
  const there = new Map(ofTable(made, 'tickets') as [string, Ticket][])
  same('number of tickets', tickets.length, there.size)
  for (const [id, ticket] of tickets) {
    const what = `ticket ${id}`
    const other = there.get(String(ids.get(id)))
    if (!other) {
      wrong.push(`${what} is lost`)
      continue
    }
    same(`${what} subject`, ticket.subject.trim() || rules.noSubject, other.subject.trim())
    same(`${what} text`, ticket.text, other.text)
    same(`${what} status`, rules.status(ticket.status), other.status)
    same(`${what} priority`, rules.priority(ticket.priority), other.priority)
    same(`${what} group`, ticket.group, other.group)
    same(`${what} due`, rules.day(ticket.due), other.due)
    same(`${what} assignee`, rules.agents.includes(String(ticket.assignee)) ? ticket.assignee : null, other.assignee)
    same(`${what} people`, ticket.people.filter(rules.isCounted), other.people.filter(rules.isCounted))
    same(`${what} parent`, idOf(ticket.parent), other.parent === null ? null : String(other.parent))
    same(`${what} depends on`, idsOf(ticket.dependsOn), other.dependsOn.map(String).sort())
    same(`${what} linked`, idsOf(ticket.linked), other.linked.map(String).sort())
    same(`${what} custom`, sharedOf(ticket, true), sharedOf(other, false))
    const isSent = (file: string) => rules.takesPrivateFiles !== false || !ticket.privateFiles?.includes(file)
    same(`${what} files`, ticket.files.filter(isSent).map(renamed).sort(), other.files)
    sameOrigin(what, ticket, other)
    same(`${what} messages`, ticket.thread.length, other.thread.length)
    for (const [index, message] of ticket.thread.entries()) {
      const written = other.thread[index]
      if (!written) break
      same(`${what} message ${index}`, [message.text, message.isPublic], [written.text, written.isPublic])
      sameOrigin(`${what} message ${index}`, message, written)
    }
  }
  return wrong

  function renamed(file: string): string {
    const { name, ...rest } = JSON.parse(file)
    return JSON.stringify({ name: rules.fileName?.(name) ?? name, ...rest })
  }

  function sharedOf({ custom }: Ticket, isSource: boolean): string[] {
    return custom.filter((text) => {
      const [field, value] = JSON.parse(text) as [string, string]
      return rules.sharedFields.includes(field) && !(isSource && rules.isRefused?.(field, value))
    })
  }

  /** Compares author and time, which the tool stores or our line names. */
  function sameOrigin(
    what: string,
    one: Omit<Message, 'text' | 'isPublic'>,
    other: Omit<Message, 'text' | 'isPublic'>,
  ): void {
    const line = other.line.replace(/\W+/g, ' ')
    if (one.made !== other.made && !line.includes(one.made.replace(/\W+/g, ' '))) {
      wrong.push(`${what}: neither ${other.made} nor "${other.line}" is ${one.made}`)
    }
    const isSaid = one.names.some((name) => other.line.includes(name))
    if (rules.namesAuthors !== false && one.names.length > 0 && one.author !== other.author && !isSaid) {
      wrong.push(`${what}: ${one.names.join(', ')} is neither ${other.author} nor in "${other.line}"`)
    }
  }
}
