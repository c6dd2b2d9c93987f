import type { ToolUser } from '../../families/record.ts'

const wordsIn = (given: unknown) => (typeof given === 'string' && given.trim() !== '' ? given.trim() : null)

/** A user of the tool. A user without a name is shown by e-mail address, otherwise by id. */
export function toUser(id: unknown, name: unknown, email: unknown, isActive = true): ToolUser {
  const address = wordsIn(email)
  return { id: String(id), name: wordsIn(name) ?? address ?? `User ${id}`, email: address, isActive }
}
