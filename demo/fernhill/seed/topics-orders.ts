import type { Topic } from './topic.ts'

/** Tickets about parcels and the web shop. Words in braces are replaced in each ticket. */
export const ORDER_TOPICS: readonly Topic[] = [
  {
    subjects: [
      'Where is my order {order}?',
      '{carrier} says delivered, but nothing is here',
      'Parcel not arrived',
      'Still waiting for the {product}',
      'Tracking stuck in {town}',
    ],
    openings: [
      'I ordered the {product} on the 3rd and the tracking has said "out for delivery" since {day}. Could you find out where it is?',
      '{carrier} claims my parcel was left with a neighbour. I have asked on both sides and across the road. Nobody has it.',
      'My order {order} was due last {day}. I took the morning off to be in. Nothing came and nobody rang.',
    ],
    thread: [
      [
        'agent',
        'Sorry about the wait. I have opened a trace with {carrier} and should hear back by {day}. You need not do anything until then.',
        'Thank you for telling us. I can see the parcel reached the {town} depot and then stopped. I have asked them to look for it by hand.',
      ],
      [
        'note',
        'Third lost parcel on the {town} route this month. See {other}.',
        '{carrier} trace opened, reference quoted to the depot by phone.',
      ],
      [
        'contact',
        'Thanks. The plants will not last in a box, so the sooner the better.',
        'All right, but I will be away from {day}. Please do not send it then.',
      ],
      [
        'agent',
        'They have found it: the label had come off in the wet. It goes back on the van on {day}.',
        'No luck, I am afraid. I have sent a fresh one today at our cost, and you need not return the first if it turns up.',
      ],
      [
        'contact',
        'It came this morning, in good order. Thank you for chasing it.',
        'Arrived. The box looked as if it had been to sea, but the contents are fine.',
      ],
    ],
    tags: ['delivery', 'lost-parcel'],
    type: 'incident',
    group: 1,
    concern: 'delivery',
  },
  {
    subjects: [
      '{product} arrived broken',
      'Cracked on arrival',
      'Damaged in transit: {product}',
      'Order {order} came in pieces',
      '{product}: bent and scratched',
    ],
    lines: ['tools', 'greenhouses', 'irrigation'],
    openings: [
      'The {product} came today with one corner crushed. The box was wet through. I have kept everything and taken photographs.',
      'Unpacked the {product} and found it cracked along the side. It was packed with one sheet of paper, which seems little.',
    ],
    thread: [
      [
        'agent',
        'That should not have left the depot like that. Could you send a photograph of the box and of the label? Then I can claim from {carrier} and need not trouble you again.',
        'I am sorry. Would you rather have a replacement or your money back? Either is fine.',
      ],
      [
        'contact',
        'Photographs attached. A replacement, please.',
        'Here are two pictures. The label is on the second one.',
      ],
      [
        'note',
        'Packing on this line needs looking at. Same fault in {other}.',
        'Claim form sent to {carrier}, £{amount}.',
      ],
      [
        'agent',
        'Replacement is booked for {day}. Please put the broken one out for the driver if you can.',
        'The replacement leaves tomorrow, double-boxed this time. Keep or recycle the old one.',
      ],
      ['contact', 'Second one is perfect. Thank you.', 'Received, intact, and the driver took the old one away.'],
    ],
    tags: ['damaged', 'replacement'],
    type: 'problem',
    group: 1,
    concern: 'quality',
  },
  {
    subjects: [
      'I was sent somebody else’s parcel',
      'Wrong item in order {order}',
      'Not what I ordered',
      'Mix-up with order {order}',
      'Where is the {product} I paid for?',
    ],
    openings: [
      'I ordered the {product} and received a bag of daffodil bulbs addressed to a Mrs Pym in {town}. She may be wondering.',
      'Order {order} should have held two of the {product}. There is one, and a hose connector I did not ask for.',
    ],
    thread: [
      [
        'agent',
        'Well spotted, and sorry. Two orders were crossed at the bench. Yours goes out again today.',
        'That is our mistake. I am sending the missing one by {carrier}; please keep the connector.',
      ],
      [
        'contact',
        'Shall I post the bulbs on to her? I do not mind.',
        'No hurry. It is too wet to plant anything this week.',
      ],
      [
        'agent',
        'That is kind, but we have already sent her new ones. Plant them with our compliments.',
        'It will be with you on {day}.',
      ],
      ['contact', 'They are in by the gate. Thank you both.', 'All here now, thanks.'],
    ],
    tags: ['wrong-item', 'picking'],
    type: 'incident',
    group: 1,
    concern: 'delivery',
  },
  {
    subjects: [
      'How do I send this back?',
      'Refund for order {order}',
      'Return of {product}',
      'Sending back order {order}',
      '{product}: can I return it?',
    ],
    lines: ['tools', 'greenhouses', 'irrigation'],
    openings: [
      'The {product} is larger than I imagined. It is unused and in its box. How do I return it, and who pays?',
      'I posted back the {product} two weeks ago and have not seen the £{amount} on my card yet.',
    ],
    thread: [
      [
        'agent',
        'Unused goods can come back within 60 days. I have attached a label; the carriage is £4.50 and we take it off the refund.',
        'It was booked in at the warehouse on {day}. I have pushed the refund through by hand; banks take three to five days.',
      ],
      ['contact', 'The label does not print, the page is blank.', 'Thank you. I will look out for it.'],
      [
        'agent',
        'Here it is again as a picture. Or write {order} on the box in large letters, that works as well.',
        'The bank confirms £{amount} left us yesterday morning.',
      ],
      ['note', 'Label printing fails on Safari again. Told Björn.', 'Refund approved by Maeve.'],
      [
        'contact',
        'Money received. I will be back for something smaller.',
        'It is there now. Thank you for your patience with me.',
      ],
    ],
    tags: ['returns', 'refund'],
    type: 'task',
    group: 1,
    concern: 'billing',
  },
  {
    subjects: [
      'Website eats my basket',
      'Card declined three times',
      'Cannot check out',
      'Your shop and my browser do not get on',
      'Trouble paying for the {product}',
    ],
    openings: [
      'Each time I press "Pay" the basket is empty again. I have filled it three times now. My patience is in season, but not for ever.',
      'My card is refused on your site and nowhere else. The bank says you never asked them.',
    ],
    thread: [
      [
        'agent',
        'I am sorry. Which browser is it, and do you see a short code under the message?',
        'Could you try once more in a private window? If it works there, an old cookie is to blame.',
      ],
      ['contact', 'Firefox. The code is FH-{n}.', 'It worked in the private window. How very odd.'],
      [
        'note',
        'FH-{n} is the session time-out. Shop developers know, fix planned. Compare {other}.',
        'Reproduced on the test shop.',
      ],
      [
        'agent',
        'That is a fault on our side which will be repaired this week. I have placed the order by hand and you can pay by the link below.',
        'Good. We are clearing those cookies for everybody tonight.',
      ],
      ['contact', 'Paid. Thank you for not making me fill it a fourth time.', 'Thanks, it works at home now as well.'],
    ],
    tags: ['website', 'payment'],
    type: 'problem',
    group: 1,
    concern: 'website',
  },
]
