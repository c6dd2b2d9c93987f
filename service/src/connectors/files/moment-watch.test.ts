import { describe, expect, test } from 'vitest'
import { MomentWatch } from './moment-watch.ts'
import { readMoment, toDay, toInstant } from './read-moment.ts'

describe('a value', () => {
  test.each([
    ['2024-12-31T23:59:00Z', '2024-12-31T23:59:00.000Z'],
    ['2024-12-31 23:59+01:00', '2024-12-31T22:59:00.000Z'],
    ['2024-12-31 23:59:59 UTC', '2024-12-31T23:59:59.000Z'],
    ['2024-12-31 23:59:59 -0530', '2025-01-01T05:29:59.000Z'],
    ['2024-12-31 23:59:59.123456+01', '2024-12-31T22:59:59.123Z'],
    ['2024/1/5 1:05 pm', '2024-01-05T13:05:00.000Z'],
    ['31.12.2024, 23:59:10', '2024-12-31T23:59:10.000Z'],
    ['31. Dezember 2024', '2024-12-31T00:00:00.000Z'],
    ['3 Mär 2024 14:05', '2024-03-03T14:05:00.000Z'],
    ['December 5th, 2024 12:05 AM', '2024-12-05T00:05:00.000Z'],
    ['31-DEC-24', '2024-12-31T00:00:00.000Z'],
    ['Mon, 30 Dec 2024 10:00:00 +0100', '2024-12-30T09:00:00.000Z'],
    ['20240229', '2024-02-29T00:00:00.000Z'],
    ['20240229235959', '2024-02-29T23:59:59.000Z'],
    ['1700000000', '2023-11-14T22:13:20.000Z'],
    ['1700000000.5', '2023-11-14T22:13:20.500Z'],
    ['1700000000123', '2023-11-14T22:13:20.123Z'],
    ['999999999', '2001-09-09T01:46:39.000Z'],
  ])('%s is one moment', (text, expected) => {
    const moment = readMoment(text)
    expect(moment && toInstant(moment)).toBe(expected)
  })

  test.each([
    '31.02.2024',
    '2025-02-29',
    '2024-13-01',
    '0000-00-00 00:00:00',
    '2024-12-31T25:00',
    'yesterday',
    'May',
    '3 foo 2024',
    '2024',
    '12:00',
    '45292',
    '1.7E+09',
    '12345678',
    '-1',
    '1'.repeat(5_000),
    '01/02/2024',
    '01-02-2024',
  ])('%s is ambiguous until somebody gives the format', (text) => {
    expect(readMoment(text)).toBeUndefined()
  })

  test('the day is the written one, even if the day in UTC differs', () => {
    const moment = readMoment('2024-12-31 00:30+02:00')
    expect(moment && [toDay(moment), toInstant(moment)]).toEqual(['2024-12-31', '2024-12-30T22:30:00.000Z'])
  })
})

describe('a column', () => {
  const look = (
    values: string[],
    { chosen, allowsShortYears = true }: { chosen?: 'dmy'; allowsShortYears?: boolean } = {},
  ) => {
    const watch = new MomentWatch({ allowsShortYears })
    values.forEach((value, index) => {
      watch.add(value, index + 2)
    })
    const { order, question, unreadable } = watch.result(chosen)
    return { order, question, unreadable: [unreadable.count, unreadable.lines] }
  }
  const settled = (order: string | undefined) => ({ order, question: null, unreadable: [0, []] })

  test.each<[string, string[], string | undefined]>([
    ['nothing depends on the order', ['2024-01-02', '1700000000', 'Feb 1, 2024', ''], undefined],
    ['one value shows that the day comes first', ['01/02/2024', '13/02/2024'], 'dmy'],
    ['one value shows that the month comes first', ['01-02-2024', '02-13-2024 4:05 PM'], 'mdy'],
    ['one value shows that the year comes first', ['24-12-11', '99-12-31', '24-02-03'], 'ymd'],
    ['days with dots are written day first', ['01.02.2024', '3.4.24'], 'dmy'],
    ['both readings are the same days', ['01/01/2024', '5/5/2024'], 'dmy'],
  ])('%s', (_name, values, order) => {
    expect(look(values)).toEqual(settled(order))
  })

  test('with two possible orders leads to a question, with an example that differs between them', () => {
    expect(look(['', '05/05/2024', '01/02/2024 10:00', 'never'])).toEqual({
      order: null,
      question: {
        order: null,
        example: '01/02/2024 10:00',
        readings: [
          { order: 'dmy', day: '2024-02-01', unreadable: 0 },
          { order: 'mdy', day: '2024-01-02', unreadable: 0 },
        ],
      },
      unreadable: [1, [5]],
    })
  })

  test('with short years may have three possible orders', () => {
    expect(look(['01/02/03']).question?.readings.map(({ day }) => day)).toEqual([
      '2003-02-01',
      '2003-01-02',
      '2001-02-03',
    ])
  })

  test('with contradicting values leads to a question that counts the unreadable values of each answer', () => {
    const values = ['31/12/2024', '12/31/2024', '12/30/2024', '01/02/2024']
    expect(look(values).question).toEqual({
      order: null,
      example: '01/02/2024',
      readings: [
        { order: 'dmy', day: '2024-02-01', unreadable: 2 },
        { order: 'mdy', day: '2024-01-02', unreadable: 1 },
      ],
    })
    expect(look(values, { chosen: 'dmy' })).toMatchObject({ order: 'dmy', unreadable: [2, [3, 4]] })
  })

  test('uses the customer’s choice as long as it is possible', () => {
    expect(look(['01/02/2024'], { chosen: 'dmy' })).toMatchObject({ order: 'dmy', question: { order: 'dmy' } })
    expect(look(['01/13/2024'], { chosen: 'dmy' })).toEqual(settled('mdy'))
  })

  test('of birthdays does not guess the century', () => {
    expect(look(['31.12.45', '31.12.1945'], { allowsShortYears: false })).toMatchObject({ unreadable: [1, [2]] })
  })

  test('lists the first lines with unreadable values, and counts the rest', () => {
    const lines = Array.from({ length: 20 }, (_, index) => index + 2)
    expect(look(Array.from({ length: 29 }, () => 'soon')).unreadable).toEqual([29, lines])
  })
})
