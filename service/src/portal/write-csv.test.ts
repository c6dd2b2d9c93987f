import { expect, test } from 'vitest'
import { csvLine } from './write-csv.ts'

const formulas = [
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  '\n=1',
  ' =1',
  '\u00a0=1',
  '\u200b=1',
  '\ufeff@x',
  '＝1',
  '＋1',
  '－1',
  '＠x',
  '﹦1',
  '\n  ＝1',
  '|cmd',
  '%x',
]

test.each(formulas)('a cell that begins with %j cannot run as a formula', (text) => {
  expect(csvLine([text])).toBe(`"'${text}"\r\n`)
})

test.each(['', 'a=b', '12', 'Ｔext', ' spaced', 'ﬁne'])('a cell with %j stays unchanged', (text) => {
  expect(csvLine([text])).toBe(`"${text}"\r\n`)
})

test('quotes are doubled, and a missing value is an empty cell', () => {
  expect(csvLine(['say "hi"', null, true, 3])).toBe('"say ""hi""","","true","3"\r\n')
})
