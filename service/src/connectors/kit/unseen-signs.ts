/**
 * Hexadecimal digits in characters without width, for tools that have no field for our key but keep every character of
 * a text. `digits` are two or four such characters.
 */
export function unseenSigns(digits: readonly string[], hexLength: number, opening: string, ending = '') {
  const base = digits.length
  const count = (hexLength * 4) / Math.log2(base)
  return {
    /** Number of characters, all together. */
    length: opening.length + count + ending.length,
    /** Finds signs as a whole, because they can contain their own opening. The first group is the code. */
    pattern: new RegExp(`${opening}([${digits.join('')}]{${count}})${ending}`, 'g'),
    write(hex: string): string {
      const code = BigInt(`0x${hex}`).toString(base).padStart(count, '0')
      return `${opening}${Array.from(code, (digit) => digits[Number(digit)]).join('')}${ending}`
    },
    read(code: string): string {
      const value = [...code].reduce((sum, sign) => sum * BigInt(base) + BigInt(digits.indexOf(sign)), 0n)
      return value.toString(16).padStart(hexLength, '0')
    },
  }
}
