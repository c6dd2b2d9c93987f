/** A custom value as text, for a field of the tool that has no other place for it. */
export function customWords(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  const { address, number, amount, currency, destinationId } = value as Record<string, unknown>
  if (amount !== undefined) return `${amount} ${currency}`
  return String(address ?? number ?? destinationId ?? Object.values(value).filter(Boolean).join(', '))
}
