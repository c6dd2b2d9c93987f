/** Writes a number without an exponent: `5e-7` as `0.0000005`. Any other text stays as it is. */
export function plainNumber(text: string): string {
  const [, sign = '', whole = '', part = '', exponent] = /^(-?)(\d+)(?:\.(\d+))?[eE]([+-]?\d{1,3})$/.exec(text) ?? []
  if (exponent === undefined) return text
  const at = whole.length + Number(exponent)
  const digits = `${'0'.repeat(Math.max(0, 1 - at))}${whole}${part}`.padEnd(at, '0')
  const point = Math.max(1, at)
  const rest = digits.slice(point)
  return `${sign}${digits.slice(0, point)}${rest && `.${rest}`}`
}
