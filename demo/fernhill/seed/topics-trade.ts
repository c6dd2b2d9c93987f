import type { Topic } from './topic.ts'

/** Tickets of nurseries, schools and councils about invoices and quotes. */
export const TRADE_TOPICS: readonly Topic[] = [
  {
    subjects: [
      'Purchase order needed',
      'VAT number missing on invoice',
      'Invoice for order {order}',
      'Corrected invoice, please ({order})',
      'Accounts will not pay {order} as it stands',
    ],
    openings: [
      'Our accounts department will not pay order {order} without our purchase order number on the invoice. Could you issue it again with PO-77{n}?',
      'The invoice for £{amount} shows the delivery address only. We need the registered address and our VAT number on it.',
    ],
    thread: [
      [
        'agent',
        'Of course. The corrected invoice is attached; the old one is void.',
        'Done. I have put the number on your account so that it prints from now on.',
      ],
      ['contact', 'Thank you. The total has changed by two pence, is that right?', 'Received and passed on.'],
      [
        'agent',
        'Rounding: the old one rounded each line, the new one the sum. Please pay the lower one.',
        'Good. Terms are 30 days from the new date.',
      ],
      ['note', 'Account flag set: PO number required.', 'Rounding difference is known, finance is fine with it.'],
    ],
    tags: ['invoice', 'trade'],
    type: 'task',
    group: 3,
    concern: 'billing',
  },
  {
    subjects: [
      'Quote for {n} × {product}',
      'Quantity discount for our allotments',
      'Trade price?',
      '{product} in quantity',
      'Price for a delivery to {town}',
    ],
    openings: [
      'We would like {n} of the {product} for the spring, delivered to {town} in one drop. What would be your best price?',
      'Several of our plot holders want the {product}. Is there a discount if one of us orders for all?',
    ],
    thread: [
      [
        'agent',
        'For that number we can do 15% off and free carriage on a pallet. The quote is attached and holds until the end of the month.',
        'From ten pieces you get the trade price, which is 12% below the list. I can set up one account with several delivery names.',
      ],
      [
        'contact',
        'Can you hold it another two weeks? The committee meets on {day}.',
        'That is helpful. Could it come before Easter?',
      ],
      [
        'note',
        'Good customer, give them the two weeks. Rosalind.',
        'Stock is fine until March, checked with purchasing.',
      ],
      [
        'agent',
        'Yes, I have moved the date. Just answer this mail when they have decided.',
        'Yes, if we have the order by the 10th.',
      ],
      ['contact', 'The committee says yes. Please go ahead.', 'Approved. Order to follow from our accounts address.'],
    ],
    tags: ['quote', 'trade'],
    type: 'question',
    group: 3,
    concern: 'billing',
  },
]
