import type { OutgoingPart } from '../../contract/contract.ts'
import { wordsOf } from '../../kit/compared-texts.ts'
import { safeFileName } from '../../kit/files.ts'
import type { RawRecord } from '../../kit/lens.ts'

// Which stored message or file of a new ticket is which sent one.

export interface Message {
  html_body: string
  created_at?: string
}

/** The stored message of each sent one: by its time and words, and otherwise by its place among the others. */
export function pairMessages(sent: readonly Message[], stored: readonly RawRecord[]): (RawRecord | undefined)[] {
  const mark = ({ created_at: at, html_body }: RawRecord | Message) => `${Date.parse(String(at))} ${wordsOf(html_body)}`
  const marked = Map.groupBy(stored, mark)
  const same = sent.map((message) => marked.get(mark(message))?.shift())
  const left = stored.filter((message) => !same.includes(message))
  return same.map((message) => message ?? left.shift())
}

/** The stored file of each file of a message, by its name, and otherwise by its place among the others. */
export function pairFiles(parts: readonly OutgoingPart[], stored: readonly RawRecord[]): [string, RawRecord][] {
  const left = [...stored]
  const pairs: [string, RawRecord][] = []
  const others = parts.filter(({ key, fields }) => {
    const at = left.findIndex((file) => safeFileName(file.file_name) === safeFileName(fields.file_name))
    if (at >= 0) pairs.push(...left.splice(at, 1).map((file): [string, RawRecord] => [key, file]))
    return at < 0
  })
  if (others.length === left.length) for (const [at, file] of left.entries()) pairs.push([others[at]?.key ?? '', file])
  return pairs
}
