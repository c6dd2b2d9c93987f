/**
 * The time of a ticket's first message, where the tool takes the oldest message for the description: a second before the
 * others if one of them is older than the ticket, such as a mail that the ticket was made from.
 */
export function startOf(ticket: string | null, others: readonly { createdAt: string | null }[]): string | null {
  const moments = others.flatMap(({ createdAt }) => (createdAt === null ? [] : [Date.parse(createdAt)]))
  const oldest = moments.reduce((least, at) => Math.min(least, at), Number.POSITIVE_INFINITY)
  const isOlder = oldest < (ticket === null ? Number.POSITIVE_INFINITY : Date.parse(ticket))
  return isOlder ? new Date(oldest - 1_000).toISOString() : ticket
}
