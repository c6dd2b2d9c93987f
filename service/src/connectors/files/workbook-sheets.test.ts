import { expect, test } from 'vitest'
import { workbookOf } from '../../../../test/connectors/workbook-of.ts'
import { workbookToCsv } from './workbook-sheets.ts'

test('each sheet becomes a table with unchanged values', async () => {
  const bytes = workbookOf({
    'Tickets & more': [
      ['id', 'subject', 'created_at', 'due', 'is_open', 'amount', 'broken'],
      [
        1,
        'Rake, "bent"\nsince May',
        new Date('2024-05-01T09:30:00Z'),
        new Date('2024-05-02'),
        true,
        0.1,
        { error: '#DIV/0!' },
      ],
      [12345678901234, ' spaces stay ', null, null, false, -3, null],
    ],
    Empty: [],
    People: [[{ inline: 'name' }], ['Ada <b>Byron</b>']],
  })
  expect(await workbookToCsv(bytes)).toEqual([
    {
      name: 'Tickets & more',
      csv: [
        'id,subject,created_at,due,is_open,amount,broken',
        '1,"Rake, ""bent""\nsince May",2024-05-01T09:30:00,2024-05-02,true,0.1,',
        '12345678901234," spaces stay ",,,false,-3,',
      ].join('\n'),
    },
    { name: 'People', csv: 'name\nAda <b>Byron</b>' },
  ])
})
