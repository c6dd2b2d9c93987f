import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { WriteLoss } from '../../../warnings/codes.ts'
import { closedProject } from './directory.ts'
import { linkReferences, toWikiTitle } from './link-references.ts'
import { type ProjectStatus, planMoves } from './locks.ts'
import { hashKey, markLine, markText, readMarked, withoutMarks, writeLine, writeLineIn } from './markers.ts'
import { issueForm } from './native-issue.ts'
import { showsFile } from './reading.ts'
import {
  nameChoices,
  readCustomValue,
  readFieldDefinitions,
  toCustomValues,
  type Vocabulary,
  writeCustomValue,
} from './vocabulary.ts'
import { splitName, toLogin } from './write-contacts.ts'
import { toFileName } from './write-files.ts'
import { toIdentifier } from './write-projects.ts'

describe('marks', () => {
  const text = fc.string({ unit: 'binary' }).map((value) => value.replace(/\r\n?/g, '\n'))

  test('are read back together with the original text, for any text and key', () => {
    fc.assert(
      fc.property(text, fc.string(), fc.boolean(), (body, key, isAuthorKept) => {
        const mark = { hash: hashKey(key), isAuthorKept }
        expect(readMarked(markText(body, mark, 'Ada, 2001'))).toEqual({ text: body, mark })
        expect(readMarked(markLine(body, mark, 'Ada'), 'line')).toEqual({ text: body, mark })
      }),
    )
  })

  test('a mark is read even if it contains its own opening characters', () => {
    const keys = Array.from({ length: 2_000 }, (_, index) => `imp_x/comments/8-${index}`)
    const lost = keys.filter(
      (key) => readMarked(markText('x', { hash: hashKey(key), isAuthorKept: false }, '')).mark?.hash !== hashKey(key),
    )
    expect(lost).toEqual([])
  })

  test('are invisible, and are removed when the text is read for another tool', () => {
    const marked = markText('Hello', { hash: hashKey('k'), isAuthorKept: true }, 'Ada')
    expect(marked.replace(/[\u200b-\u200d\u2060]/g, '')).toBe('Hello\n\nAda')
    expect(withoutMarks(marked)).toBe('Hello\n\nAda')
    expect(readMarked('no mark at all\r\n').mark).toBeNull()
  })

  test('the line after a mark names author, time and old number if they are known', () => {
    expect(writeLine('Ada', '2001-02-03T04:05:06.000Z', '#7')).toBe('Ada, 2001-02-03 04:05 UTC, was #7')
    expect(writeLine(null, null)).toBe('')
    expect(writeLineIn('textile', '{{toc}} @ada', null, '#7')).toBe('&#123;{toc}} &#64;ada, was &#35;7')
    expect(writeLineIn('redmine_markdown', '*Ada*', null, '#7')).toBe('\\*Ada\\*, was &#35;<span></span>7')
    expect(writeLineIn('textile', null, null)).toBe('')
  })
})

describe('references', () => {
  const link = (text: string, format: 'textile' | 'markdown' = 'textile') =>
    linkReferences(text, format, 'https://r.example')

  test.each([
    ['see #12', 'see "#12":https://r.example/issues/12'],
    [
      '#12, #13-4 and ##14.',
      '"#12":https://r.example/issues/12, "#13-4":https://r.example/issues/13#note-4 and "##14":https://r.example/issues/14.',
    ],
    ['(#5#note-2)', '("#5#note-2":https://r.example/issues/5#note-2)'],
    ['[[alpha:Some page|it]]', '"it":https://r.example/projects/alpha/wiki/Some_page'],
    ['<pre>#12</pre> @#12@ "#12":http://x.example/ http://x.example/#12 a#12 #12a', null],
    ['<pre>\n#12 never ends', null],
    ['[[Page]] of no project stays, and C#7', null],
    ['!#12, (!#13-4) !##14 !#note-2 !version#3 !alpha:#5', null],
    ['![[a:b]] !{{toc}} !r45 !commit:f00 !source:a/b !attachment:a.pdf !@ada', null],
    ['No! Wait!#12 !picture.png! <pre>!#12</pre> @!#12@ !important ! #a', null],
    ['version#3, user#4', '"version#3":https://r.example/versions/3, "user#4":https://r.example/users/4'],
    ['project:garden', '"project:garden":https://r.example/projects/garden'],
    ['attachment:a.pdf #note-3', null],
  ])('%s', (text, expected) => {
    expect(link(text)).toBe(expected ?? text)
  })

  test('references to notes and files of the same issue are resolved by name', () => {
    const files = [
      { id: 5, filename: 'Plan B.pdf' },
      { id: 7, filename: 'plan.pdf' },
      { id: 6, filename: 'Plan.pdf' },
    ]
    const about = { issue: 3, project: 9, files }
    const linked = (text: string) => linkReferences(text, 'markdown', 'https://r.example', about)
    expect(linked('#note-2 and attachment:plan.pdf, attachment:"Plan B.pdf" (attachment:none.pdf)')).toBe(
      '[#note-2](https://r.example/issues/3#note-2) and [attachment:plan.pdf](https://r.example/attachments/7), ' +
        '[Plan B.pdf](https://r.example/attachments/5) (attachment:none.pdf)',
    )
    expect(linked('[[Some page]] [[some page#Old parts|there]] [[alpha:]] [[#top]]')).toBe(
      '[Some page](https://r.example/projects/9/wiki/Some_page) ' +
        '[there](https://r.example/projects/9/wiki/Some_page#Old-parts) ' +
        '[alpha](https://r.example/projects/alpha/wiki) [[#top]]',
    )
  })

  test('are linked in Markdown, too', () => {
    expect(link('see #12', 'markdown')).toBe('see [#12](https://r.example/issues/12)')
    expect(link('`#12` ```\n#12\n``` [#12](x)', 'markdown')).toBe('`#12` ```\n#12\n``` [#12](x)')
  })

  test('hostile text takes linear time', () => {
    for (const part of ['<pre', '!', '!a:', '!a', ' !{', '[[a:', '"', '@', '[', '`', '#1', '[[', 'attachment:']) {
      const text = part.repeat(200_000)
      expect(link(text).length).toBeGreaterThanOrEqual(text.length)
      expect(link(text, 'markdown').length).toBeGreaterThanOrEqual(text.length)
    }
  })

  test('titles become addresses as in Redmine', () => {
    expect(toWikiTitle('über uns, x: y?')).toBe('Über_uns_x_y')
  })

  test('pictures are found by their file names', () => {
    expect([showsFile('see !a.png!', 'a.png', 'textile'), showsFile('see a.png', 'a.png', 'textile')]).toEqual([
      true,
      false,
    ])
    expect(showsFile('![](a.png)', 'a.png', 'markdown')).toBe(true)
  })
})

describe('choices', () => {
  const items = (...names: string[]) => names.map((name, index) => ({ id: index + 1, name }))

  test("Redmine's standard choices get the family's names; others keep their own", () => {
    const options = (family: 'project' | 'helpdesk') =>
      nameChoices(
        family,
        'statuses',
        items('New', 'In Progress', 'Feedback', 'Resolved', 'Closed', 'Rejected', 'Wartet'),
      ).map(({ option }) => option)
    expect(options('project')).toEqual(['new', 'in_progress', 'Feedback', 'resolved', 'closed', 'rejected', 'Wartet'])
    expect(options('helpdesk')).toEqual(['new', 'open', 'pending', 'solved', 'closed', 'Rejected', 'Wartet'])
  })

  test('two choices with the same meaning stay separate', () => {
    expect(nameChoices('project', 'statuses', items('New', 'NEW ')).map(({ option }) => option)).toEqual([
      'new',
      'NEW ',
    ])
  })
})

describe('custom fields', () => {
  const define = (rest: object) => {
    const [field] = readFieldDefinitions([{ id: 7, name: 'A field!', customized_type: 'issue', ...rest }])
    if (!field) throw new Error('no field')
    return field
  }

  test('two fields with the same name get different keys', () => {
    const fields = readFieldDefinitions([
      { id: 1, name: 'Größe (cm)', customized_type: 'issue' },
      { id: 2, name: 'größe cm', customized_type: 'issue' },
      { id: 3, name: '!!!', customized_type: 'issue' },
    ])
    expect(fields.map(({ key }) => key)).toEqual(['größe_cm', 'größe_cm_2', 'field_3'])
  })

  test.each([
    ['int', '13', 13],
    ['int', '1x', undefined],
    ['float', '99.50', 99.5],
    ['bool', '1', true],
    ['bool', 'yes', undefined],
    ['date', '1955-11-05', '1955-11-05'],
    ['date', '2021-02-30', undefined],
    ['user', '5', { userId: '5' }],
    ['string', '', null],
    ['string', 5, undefined],
    ['unheard of', 'text', 'text'],
  ])('a value of the format %s: %j', (field_format, value, expected) => {
    expect(readCustomValue(define({ field_format }), value, new Map())?.value).toEqual(expected)
  })

  test('choices of key/value lists are read and written by their visible names', () => {
    const field = define({
      field_format: 'enumeration',
      multiple: true,
      possible_values: [{ value: '3', label: 'Build' }],
    })
    expect(readCustomValue(field, ['3', '9'], new Map())?.value).toEqual(['Build', '9'])
    const losses: WriteLoss[] = []
    const record = {
      destinationId: null,
      customFields: { a_field: { label: '', type: 'option' as const, value: ['Build', 'Gone'] } },
    }
    expect(toCustomValues([field], { record, losses })).toEqual([{ id: 7, value: ['3'] }])
    expect(losses).toEqual(['custom_value_refused'])
  })

  test("a new record gets an empty value and not the field's default; an existing record keeps its value", () => {
    const field = define({ field_format: 'string' })
    const send = (destinationId: string | null) =>
      toCustomValues([field], { record: { destinationId, customFields: {} }, losses: [] })
    expect([send(null), send('5')]).toEqual([[{ id: 7, value: '' }], []])
  })

  test('values of other types are written as texts if possible', () => {
    expect(
      [{ amount: '1.5', currency: 'EUR' }, { address: 'a@x.example' }, true, 1.5, ['b', 'a'], { userId: '1' }].map(
        writeCustomValue,
      ),
    ).toEqual(['1.5 EUR', 'a@x.example', '1', '1.5', ['a', 'b'], null])
  })
})

describe('closing and reopening', () => {
  const apply = (projects: ProjectStatus[], moves: ReturnType<typeof planMoves>) => {
    const closed = new Map(projects.map(({ id, status }) => [id, status === closedProject]))
    const below = (id: number): number[] => [
      id,
      ...projects.filter(({ parent }) => parent?.id === id).flatMap((child) => below(child.id)),
    ]
    for (const { id, act } of moves) for (const one of below(id)) closed.set(one, act === 'close')
    return closed
  }

  test('gives every project its wanted status, though each move also changes the projects below', () => {
    const forest = fc.array(fc.record({ up: fc.nat(), isClosed: fc.boolean(), goal: fc.boolean() }), {
      minLength: 1,
      maxLength: 12,
    })
    fc.assert(
      fc.property(forest, (nodes) => {
        const projects = nodes.map(({ up, isClosed }, index) => ({
          id: index + 1,
          ...(index === 0 || up % 3 === 0 ? {} : { parent: { id: (up % index) + 1, name: 'Above' } }),
          status: isClosed ? closedProject : 1,
        }))
        const wanted = new Map(nodes.map(({ goal }, index) => [index + 1, goal]))
        expect(apply(projects, planMoves(projects, wanted))).toEqual(wanted)
      }),
    )
  })
})

describe('names', () => {
  test('a name is split into first and last name, and loses only characters beyond sixty', () => {
    expect(splitName('Ada Lovelace')).toEqual({ firstname: 'Ada', lastname: 'Lovelace' })
    expect(splitName('Prince')).toEqual({ firstname: 'Prince', lastname: '-' })
    expect(splitName('Juan Carlos de la Santísima Trinidad y Borbón')).toEqual({
      firstname: 'Juan Carlos de la Santísima',
      lastname: 'Trinidad y Borbón',
    })
    expect(splitName('x'.repeat(45))).toEqual({ firstname: 'x'.repeat(30), lastname: 'x'.repeat(15) })
    expect(splitName(' ')).toEqual({ firstname: '-', lastname: '-' })
  })

  test('logins and identifiers are readable, and end with a hash of our key', () => {
    expect(toLogin('k', 'Jürgen.Müller@x.example')).toMatch(/^jurgen\.muller-[0-9a-f]{12}$/)
    expect(toLogin('k', '由紀')).toMatch(/^contact-[0-9a-f]{12}$/)
    expect(toIdentifier('k', 'Alpha & Söhne')).toMatch(/^alpha-sohne-[0-9a-f]{12}$/)
    expect(toIdentifier('k', 'データ')).toMatch(/^project-[0-9a-f]{12}$/)
    expect(toIdentifier('k', 'x'.repeat(300)).length).toBeLessThanOrEqual(100)
  })

  test('file names lose only characters that Redmine removes', () => {
    expect(toFileName('../../etc/pass"wd*.txt')).toBe('.._.._etc_pass_wd_.txt')
    expect(toFileName('')).toBe('_')
    expect([...toFileName(`${'🚀'.repeat(300)}.bin`)]).toHaveLength(200)
  })
})

describe('an issue', () => {
  const choice = (id: number, option: string, isDefault = false) => ({
    id,
    name: option,
    option,
    isDefault,
    isActive: true,
  })
  const vocabulary: Vocabulary = {
    trackers: [choice(1, 'bug', true), choice(2, 'feature')],
    statuses: [choice(1, 'new'), choice(5, 'closed')],
    priorities: [choice(2, 'normal', true), choice(3, 'high')],
    activities: [],
    roles: [],
    fields: [],
    bornWith: new Map([
      [1, 1],
      [2, 5],
    ]),
    textFormat: 'textile',
  }
  const known = { family: 'project' as const, accountId: 1, vocabulary }
  const to = (entity: string, destinationId: string) => ({ entity, key: 'k', destinationId })

  test('has at most one relation to another issue, the most important one, and defaults for missing values', () => {
    const fields = {
      title: 'x',
      body: 'a\r\nb',
      type: 'feature',
      project: to('projects', '1'),
      component: to('components', '1/9'),
      relates_to: [to('issues', '7'), to('issues', '8')],
      blocks: [to('issues', '7')],
      watchers: ['4', '3', '1'],
    }
    expect(issueForm.wanted(fields, known)).toMatchObject({
      description: 'a\nb',
      tracker: 2,
      status: 5,
      priority: 2,
      category: 9,
      relations: ['blocks 7', 'relates 8'],
      watchers: [3, 4],
      isPrivate: false,
    })
  })

  test.each([[undefined], [''], ['  \n '], ['\0']])(
    'without a subject (%j) gets a placeholder, because Redmine would refuse it',
    (title) => {
      expect(issueForm.wanted({ title }, known).subject).toBe('(no subject)')
      expect(issueForm.wanted({ subject: title }, known).subject).toBe('(no subject)')
    },
  )

  test('the requester of a ticket becomes a watcher', () => {
    const fields = {
      subject: 'x',
      group: to('groups', '1'),
      requester: to('contacts', '6'),
      collaborators: [to('contacts', '5'), to('contacts', '6')],
      due_at: '2020-01-02T23:00:00.000Z',
      linked_tickets: [to('tickets', '9')],
      depends_on: [to('tickets', '8')],
      followers: ['7'],
    }
    expect(issueForm.wanted(fields, known)).toMatchObject({
      watchers: [5, 6, 7],
      due: '2020-01-02',
      relations: ['blocked 8', 'relates 9'],
      project: 1,
    })
  })
})
