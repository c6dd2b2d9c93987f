import { DESK_PLACEHOLDER } from '../records.ts'
import { DELETED_AGENT_ID } from './people.ts'

export const CATEGORIES = [
  ['Orders and delivery', 'Carriage, returns and what to do when a parcel goes astray.'],
  ['Growing', 'From the seed to the plate, month by month.'],
  ['Putting things together', 'Greenhouses, benches, irrigation.'],
] as const

interface ArticleSeed {
  category: number
  author: number
  title: string
  format: 'markdown' | 'html'
  body: string
  labels: readonly string[]
  draft?: true
  locale?: string
}

export const ARTICLES: readonly ArticleSeed[] = [
  {
    category: 1,
    author: 2,
    title: 'When will my order arrive?',
    format: 'markdown',
    labels: ['delivery'],
    body: `
We pack from Monday to Friday. Orders placed before **11 o’clock** leave the same day.

- Seeds and small tools: two to three days by letter post
- Plants: on Mondays to Wednesdays only, so that nothing spends a weekend in a van
- Greenhouses: a pallet, on a day agreed with you

If the tracking has not moved for three days, write to us. See also [returns](${DESK_PLACEHOLDER}/articles/2).
`,
  },
  {
    category: 1,
    author: 4,
    title: 'Returns and refunds',
    format: 'html',
    labels: ['returns', 'refund'],
    body: `
<p>Unused goods can come back within <strong>60 days</strong>. Plants that arrive in poor health are replaced; a photograph is enough.</p>
<table><thead><tr><th>What</th><th>Carriage back</th></tr></thead><tbody><tr><td>Changed my mind</td><td>£4.50</td></tr><tr><td>Our mistake</td><td>free</td></tr></tbody></table>
<ol><li>Write to us for a label.</li><li>Put the order number on the box.</li><li>Hand it in at any Parcelhaul shop.</li></ol>
`,
  },
  {
    category: 1,
    author: 6,
    title: 'Trade accounts and purchase orders',
    format: 'markdown',
    labels: ['trade', 'invoice'],
    body: `
## Opening an account

Send us your registered address and VAT number. We answer within two working days.

## Terms

1. 30 days from the date of the invoice
2. 12% below list from ten pieces
3. Purchase order numbers are printed if we have them *before* the goods leave
`,
  },
  {
    category: 2,
    author: 3,
    title: 'Sowing calendar',
    format: 'html',
    labels: ['seeds', 'calendar'],
    body: `
<table><thead><tr><th>Month</th><th>Indoors</th><th>Outdoors</th></tr></thead><tbody><tr><td>February</td><td>Chillies, aubergines</td><td>Broad beans under fleece</td></tr><tr><td>March</td><td>Tomatoes</td><td>Radishes, parsnips</td></tr><tr><td>April</td><td>Courgettes</td><td>Carrots, beetroot, potatoes</td></tr></tbody></table>
<p>In the north, add two weeks. On a slope facing north, add three.</p>
`,
  },
  {
    category: 2,
    author: DELETED_AGENT_ID,
    title: 'Slugs: what works and what does not',
    format: 'markdown',
    labels: ['slugs', 'pests'],
    body: `
| Method | Works? |
|---|---|
| Nematodes | Yes, above 5 °C |
| Copper tape | If clean and without a gap |
| Eggshells | No |

> A hedgehog eats eighty slugs a night and asks for nothing.

Mix for watering in:

\`\`\`
1 packet nematodes
10 litres water, not chlorinated
\`\`\`
`,
  },
  {
    category: 2,
    author: 3,
    title: 'Keeping bare-root plants until you can plant',
    format: 'markdown',
    labels: ['hedging'],
    body: 'Heel them in: a trench, roots covered, **watered once**. They keep until March.\n\nDo *not* leave them in the bag.',
  },
  {
    category: 3,
    author: 7,
    title: 'Solstice greenhouse: squaring the base',
    format: 'html',
    labels: ['greenhouse', 'assembly'],
    body: `
<p>The door slides when the diagonals agree to within 2 mm.</p>
<ul><li>Measure both diagonals</li><li>Loosen the four base bolts<ul><li>half a turn is enough</li></ul></li><li>Push the long corner inwards, with two people</li></ul>
`,
  },
  {
    category: 3,
    author: 7,
    title: 'Drizzle kit: pressure and length',
    format: 'markdown',
    labels: ['irrigation'],
    body: 'Up to **30 metres** of hose or 20 drippers on one line. Beyond that feed the line from the middle.',
  },
  {
    category: 1,
    author: 9,
    title: 'Livraison en Suisse et dans l’UE',
    format: 'markdown',
    labels: ['export'],
    locale: 'fr',
    body: 'Nous livrons les graines et les outils. Les plantes vivantes demandent un **certificat phytosanitaire** : comptez dix jours.',
  },
  {
    category: 3,
    author: 1,
    title: 'Potting bench: winter care (not finished)',
    format: 'markdown',
    labels: [],
    draft: true,
    body: 'Oil the top in October. To do: which oil?',
  },
]
