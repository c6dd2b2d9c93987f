import { createHash } from 'node:crypto'
import type { Ask } from './place.ts'

// A tool's content, read from its own database, in a form that can be compared between tools.

export type Fact = Record<string, unknown>
/** Facts by table and id. */
export type Facts = ReadonlyMap<string, Fact>

export const keyOf = (table: string, id: string | number) => `${table} ${id}`

/** The facts that did not exist before. */
export function newFacts(before: Facts, now: Facts): Facts {
  return new Map([...now].filter(([key]) => !before.has(key)))
}

export const ofTable = (facts: Facts, table: string): [id: string, fact: Fact][] =>
  [...facts].flatMap(([key, fact]) => {
    return key.startsWith(`${table} `) ? [[key.slice(table.length + 1), fact] as [string, Fact]] : []
  })

/** Values as sorted texts, for lists whose order does not count. */
export const sortedTexts = (things: readonly unknown[]): string[] => things.map((thing) => JSON.stringify(thing)).sort()

export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/**
 * The words of a text without markup: two texts are equal if their words are equal. Addresses are left out, because
 * links point to the records' new addresses.
 */
export function words(text: unknown, format: 'html' | 'markup' | 'plain'): string {
  const given = typeof text === 'string' ? text : ''
  const tags = {
    html: /<style.*?<\/style>|<[^>]*>/gs,
    markup: /<\/?(notextile|pre|code|kbd|b|details|summary|abbr|mark)\b[^<>]*>/g,
    plain: /(?!)/g,
  }
  // The characters that hide text from Redmine can be in the middle of a word.
  const withoutTags = given.replace(/<(span|notextile)><\/\1>/g, '').replace(tags[format], ' ')
  const decoded = format === 'plain' ? withoutTags : decodeEntities(withoutTags)
  const plain = decoded.replace(/https?:\/\/[^\s"'<>)\]]+/g, ' ').normalize('NFC')
  return (plain.match(/[\p{L}\p{N}\p{M}\p{Extended_Pictographic}]+/gu) ?? []).join(' ')
}

const named: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", nbsp: ' ' }

export function decodeEntities(text: string): string {
  return text.replace(/&(#x?[0-9a-f]+|[a-z]+);/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return named[name.toLowerCase()] ?? whole
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}

/** Every row of every table, except columns in which a tool records who read what and when. */
export async function readRows(
  ask: Ask,
  isIgnored: (table: string, column?: string) => boolean,
  isIgnoredRow: (table: string, row: Fact) => boolean = () => false,
): Promise<Facts> {
  const rows = new Map<string, Fact>()
  const tables = await ask<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  for (const { name } of tables.filter((table) => !isIgnored(table.name))) {
    const all = await ask<Fact>(`select * from "${name}"`)
    for (const row of all.filter((one) => !isIgnoredRow(name, one))) {
      const kept = Object.fromEntries(Object.entries(row).filter(([column]) => !isIgnored(name, column)))
      rows.set(keyOf(name, sha256(Buffer.from(JSON.stringify(kept)))), kept)
    }
  }
  return rows
}

/** The differences, in a few words. */
export function listChanges(before: Facts, now: Facts): string[] {
  const tell = (facts: Facts, other: Facts, word: string) =>
    [...facts].flatMap(([key, fact]) => {
      return other.has(key) ? [] : [`${word} ${key.split(' ')[0]}: ${JSON.stringify(fact).slice(0, 300)}`]
    })
  return [...tell(before, now, 'lost'), ...tell(now, before, 'left')]
}
