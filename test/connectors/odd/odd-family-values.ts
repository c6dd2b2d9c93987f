import type { FieldType } from '../../../service/src/families/definition.ts'

/** Values that are valid and odd, by the type of their field. */
const values: Partial<Record<FieldType, readonly unknown[]>> = {
  text: [
    '   ',
    'a, b; c',
    '🚢⚓️👩‍👩‍👧‍👦',
    'שלום ‏مرحبا‎',
    'x'.repeat(300),
    'e\u0301 é',
    '<b>&amp;</b> {{x}} "q" \\ \' `',
    '123456789012345678901234567890',
    'UPPER',
    'upper',
    'a\tb\u00a0c',
    'null',
    '0',
  ],
  long_text: ['   ', 'one\r\ntwo\n\n  three', '🚢 '.repeat(3_000), '<script>x</script>&', 'שלום\n‏مرحبا', '='],
  rich_text: [
    { format: 'html', body: '   ' },
    { format: 'html', body: '<p>שלום ‏مرحبا‎ 🚢</p><ul><li>x</li></ul>' },
    { format: 'html', body: '<p>{{x}} $y &amp;amp; <b>b</p><table><tr><td>1<td>2</table>' },
    { format: 'plain', body: 'a < b & c\n\n> d' },
    { format: 'markdown', body: '# H\n\n*a* _b_ `c` | d |\n\n1. x' },
    { format: 'html', body: `<p>${'w'.repeat(5_000)}</p>` },
  ],
  integer: [0, -1, Number.MAX_SAFE_INTEGER, 1, 42],
  decimal: [0, -0.1, 1e29, 123_456_789_012.345, 0.000_000_1],
  boolean: [true, false],
  date: ['0001-01-01', '9999-12-31', '2024-02-29', '1969-12-31', '2020-05-05'],
  datetime: [
    '2020-05-05T05:05:05.005Z',
    '0001-01-01T00:00:00.000Z',
    '9999-12-31T23:59:59.999Z',
    '1969-12-31T23:59:59.999Z',
    '2024-02-29T12:00:00.000Z',
  ],
  url: [
    'https://example.com/ä?q=1&r=%20#c',
    'https://xn--bcher-kva.example:8443/a',
    `https://example.com/${'x'.repeat(2_500)}`,
    'http://192.0.2.1/',
  ],
  email: [
    '+a=b!c@example.com',
    ".o'neil@sub.example.com",
    `${'l'.repeat(60)}@example.com`,
    '.UPPER@Example.COM',
    '@xn--bcher-kva.example',
    '.a@b.museum',
  ],
  phone: ['+44 (0)1632 960001 ext. 7', '110', '١٢٣٤٥', '+'.padEnd(40, '1'), 'call me'].map((number) => ({ number })),
  money: [
    { amount: '0.00', currency: 'EUR' },
    { amount: '-5', currency: 'JPY' },
    { amount: '123456789012345678901234567890.12', currency: 'USD' },
    { amount: '0.001', currency: 'KWD' },
  ],
  address: [
    { line1: '   ' },
    { line1: 'ul. Żółta 1', line2: 'שלום', city: 'Łódź', region: '🚢', postalCode: 'BS1 4DB', country: 'GB' },
    { city: 'x'.repeat(300) },
  ],
}

export const oddOf = (type: FieldType, turn: number): unknown => {
  const all = values[type] ?? []
  return all[turn % all.length]
}

export const oddFileNames = [
  'a/b\\c.txt',
  '../../etc/passwd',
  'quote " and \' .pdf',
  'line\nbreak\r.txt',
  `${'n'.repeat(296)}.txt`,
  '🚢 ⚓️.png',
  'שלום ‏مرحبا‎.doc',
  'no extension',
  '.hidden',
  '   ',
  'a;b=c%20d?e#f.txt',
  'CON',
]

/** The content of the nth file. Every fourth is empty. */
export const oddBytes = (at: number): Buffer => (at % 4 === 0 ? Buffer.alloc(0) : Buffer.from(`file ${at} \0 \xff`))
