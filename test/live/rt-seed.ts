// Odd data for a real Request Tracker, small enough for a quick run.

const hebrew = 'הזמנה לא הגיעה 🚚 – בדיקה'
const long = 'A very long line that says little. '.repeat(400)

/** Fills an empty installation. `receiveMail` adds data that only a mail can bring. */
export async function seedRt(url: string, token: string, receiveMail: () => Promise<unknown>): Promise<void> {
  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    const answer = await fetch(`${url}/REST/2.0${path}`, {
      method,
      headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text.slice(0, 200)}`)
    return text === '' ? null : JSON.parse(text)
  }
  const create = async (path: string, body: object) => String(((await call('POST', path, body)) as { id: string }).id)
  const userId = async (login: string) =>
    Number(((await call('GET', `/user/${encodeURIComponent(login)}`)) as { id: number }).id)
  const say = (ticket: string, kind: 'comment' | 'correspond', Content: string, more: object = {}) =>
    call('POST', `/ticket/${ticket}/${kind}`, { Content, ContentType: 'text/plain', ...more })

  await call('PUT', '/user/root', { Timezone: 'UTC' })
  const support = await create('/queue', { Name: 'Support', Description: 'Fragen & Störungen' })
  const old = await create('/queue', { Name: 'Altes', Description: '' })
  for (const [Name, RealName] of [
    ['amelia', 'Amelia Stone'],
    ['jurgen', 'Jürgen Müller'],
    ['gone', 'Left Long Ago'],
  ]) {
    await create('/user', { Name, RealName, EmailAddress: `${Name}@agents.example`, Privileged: 1 })
  }
  await call('PUT', `/queue/${support}`, { AdminCc: ['amelia'] })
  const people = [
    {
      EmailAddress: 'omar@customer.example',
      RealName: 'عمر حداد',
      Organization: 'Müller GmbH',
      Lang: 'ar',
      Timezone: 'Africa/Cairo',
    },
    {
      EmailAddress: 'priya@customer.example',
      RealName: "Priya O'Iyer",
      Organization: 'müller gmbh',
      WorkPhone: '+44 20 1',
      MobilePhone: '+44 7',
    },
    {
      EmailAddress: 'zofia@customer.example',
      RealName: 'Zofia Wójcik',
      Organization: 'Müller GmbH',
      Comments: 'VIP\nzwei Zeilen',
      City: 'Kraków',
      Zip: '30-001',
    },
  ]
  for (const person of people)
    await create('/user', {
      ...person,
      Name: person.EmailAddress,
      CustomFields: { Contract: `K-${person.RealName.length}` },
    })
  await create('/user', { Name: 'walk-in', RealName: 'Walk In', FreeformContactInfo: 'no address' })
  for (let index = 0; index < 5; index += 1) {
    const mail = `extra${index}@customer.example`
    await create('/user', { Name: mail, EmailAddress: mail, RealName: index % 2 === 0 ? '' : `Extra ${index}` })
  }

  const first = await create('/ticket', {
    Queue: support,
    Subject: 'Mails with parts',
    Content: `Plain text,\r\nwith <b>no</b> HTML & an emoji 🚀\n\n${hebrew}`,
    ContentType: 'text/plain',
    Requestor: ['priya@customer.example', 'omar@customer.example'],
    Cc: ['zofia@customer.example'],
    AdminCc: ['jurgen'],
    Owner: 'amelia',
    Status: 'open',
    Priority: 72,
    Due: '2024-05-01 10:00:00',
    TimeEstimated: 90,
    Created: '2019-03-04 05:06:07',
    Creator: await userId('priya@customer.example'),
    CustomFields: {
      Severity: 'High',
      Components: ['API', 'データ'],
      'Customer number': "O'Neil & <Söhne>",
      Aliases: ['b', 'a'],
      'Reported on': '2024-02-29',
      'Promised at': '2024-05-01 12:30:00',
      'Notes for QA': `eins\nzwei\n${long}`,
      Scan: {
        FileName: 'scan.bin',
        FileType: 'application/octet-stream',
        FileContent: Buffer.from([0, 1, 2]).toString('base64'),
      },
    },
    Attachments: [
      {
        FileName: 'dump.bin',
        FileType: 'application/octet-stream',
        FileContent: Buffer.from([0, 255, 13, 10]).toString('base64'),
      },
    ],
  })
  await say(first, 'correspond', 'An answer.', { TimeTaken: 15 })
  await say(first, 'comment', `<p>Only <em>among us</em> &amp; agents. ${hebrew}</p>`, {
    ContentType: 'text/html',
    Attachments: [
      {
        FileName: '=?UTF-8?B?5pel5pysLmNzdg==?=',
        FileType: 'text/csv',
        FileContent: Buffer.from('id;n\r\n1;ü\r\n').toString('base64'),
      },
    ],
  })
  await receiveMail()

  const second = await create('/ticket', {
    Queue: old,
    Subject: hebrew,
    Content: long,
    ContentType: 'text/plain',
    Requestor: ['omar@customer.example'],
    Owner: 'gone',
    Status: 'resolved',
    Resolved: '2020-01-02 03:04:05',
    Created: '1955-01-01 00:00:00',
  })
  const third = await create('/ticket', {
    Queue: 'General',
    Subject: '',
    Content: '<p>HTML with an <b>empty subject</b></p>',
    ContentType: 'text/html',
    Status: 'open',
    Requestor: ['walk-in'],
  })
  const fourth = await create('/ticket', {
    Queue: 'General',
    Subject: 'Rejected, without a text',
    Status: 'resolved',
    _RecordTransaction: 0,
  })
  for (let index = 0; index < 12; index += 1) {
    await create('/ticket', {
      Queue: support,
      Subject: `Same title`,
      Content: `Number ${index}`,
      ContentType: 'text/plain',
      Requestor: [`extra${index % 5}@customer.example`],
      Priority: index * 10,
    })
  }
  const merged = await create('/ticket', {
    Queue: support,
    Subject: 'Merged away',
    Content: 'What was merged',
    ContentType: 'text/plain',
    Requestor: ['zofia@customer.example'],
  })
  await say(merged, 'correspond', 'Said before the merge')
  await call('PUT', `/ticket/${merged}`, { MergeInto: Number(first) })
  const deleted = await create('/ticket', {
    Queue: support,
    Subject: 'Deleted',
    Content: 'x',
    ContentType: 'text/plain',
  })
  await call('PUT', `/ticket/${third}`, {
    AddMemberOf: [Number(first)],
    AddDependsOn: [Number(second)],
    AddRefersTo: [Number(fourth), 'https://example.com/a?b=1'],
  })
  await call('PUT', `/ticket/${third}`, { Status: 'stalled' })
  await call('PUT', `/ticket/${fourth}`, { Status: 'rejected' })
  await call('PUT', `/ticket/${fourth}`, { AddRefersTo: [Number(deleted)] })
  await call('DELETE', `/ticket/${deleted}`)
  for (let index = 0; index < 25; index += 1) await say(third, 'comment', `Thread ${index}`)
  await call('PUT', '/user/gone', { Disabled: 1 })
  await call('PUT', `/queue/${old}`, { Disabled: 1 })
}
