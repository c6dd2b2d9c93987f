import type { Topic } from './topic.ts'

/** Questions about growing plants and assembling products. */
export const ADVICE_TOPICS: readonly Topic[] = [
  {
    subjects: [
      'Yellow leaves on my tomatoes',
      'Tomatoes: spots and curling',
      'What is wrong with this plant?',
      'Sick tomatoes in {town}',
      'Help, my Sungold look unhappy',
    ],
    lines: ['plants'],
    openings: [
      'The lower leaves of my Sungold are going yellow between the veins. They are in the greenhouse, in your compost, watered every evening.',
      'Brown rings on the leaves since the rain last week. Is it blight, and must I pull them all out?',
    ],
    thread: [
      [
        'agent',
        'Between the veins and from the bottom up usually means magnesium. Spray with Epsom salts, a tablespoon to five litres, and ease off the potash.',
        'Rings like a target are early blight. Take off the lowest leaves, water at the root only, and they may well go on cropping.',
      ],
      ['contact', 'How often should I spray?', 'I have taken off about a third. They look rather naked.'],
      [
        'agent',
        'Once a week for three weeks, in the evening. New leaves should come green.',
        'They will thank you for the air. Bin the leaves, do not compost them.',
      ],
      ['contact', 'The new growth is green. I am delighted.', 'Picked 4 kg on Sunday. So it was worth it.'],
    ],
    tags: ['advice', 'tomatoes', 'pests'],
    type: 'question',
    group: 2,
    concern: 'advice',
  },
  {
    subjects: [
      'Nothing germinated: {product}',
      'Seeds did not come up',
      'Poor germination',
      '{product}: only two came up',
      'Batch L-{n} of {product}',
    ],
    lines: ['seeds'],
    openings: [
      'Sowed the whole packet of {product} four weeks ago. Two came up. The ones from my neighbour’s shop are all up.',
      'Is there something the matter with batch L-{n}? I sowed 40 in trays indoors and see nothing at all.',
    ],
    thread: [
      [
        'agent',
        'Could you tell me the batch number on the flap, how deep you sowed, and how warm the room is?',
        'Four weeks is too long. That batch tested at 84% with us, but seed can suffer in a hot van.',
      ],
      [
        'contact',
        'L-{n}, about a centimetre, on the kitchen windowsill.',
        'The sill is cold at night, now that you ask. Perhaps ten degrees.',
      ],
      [
        'note',
        'Second complaint about L-{n}. Asked the seed room for a new test.',
        'Windowsill, cold nights. Send a packet anyway.',
      ],
      [
        'agent',
        'I am sending a new packet from another batch. Sow half of it at 20 degrees and keep half for April.',
        'A new packet is in the post. A tray on top of the fridge is the cheapest propagator there is.',
      ],
      ['contact', 'Eighteen out of twenty! Top of the fridge it is.', 'They are up. Thank you.'],
    ],
    tags: ['germination', 'seeds'],
    type: 'problem',
    group: 2,
    concern: 'quality',
  },
  {
    subjects: [
      'Greenhouse: parts missing',
      'Greenhouse door will not slide',
      'Solstice 6×8: assembly question',
      'Greenhouse half up, rain forecast for {day}',
      '{product}: the manual and I disagree',
    ],
    lines: ['greenhouses'],
    openings: [
      'We are at step 14 and there is no part K. There are, however, three of part J. My wife says to ask before I use the saw.',
      'The door of the greenhouse will not slide. The frame seems square to within 5 mm. Is that good enough?',
    ],
    thread: [
      [
        'agent',
        'Please do not use the saw. J and K come from the same bag: K is J with the notch at the other end. Turn one round and you have it.',
        'It wants to be within 2 mm. Measure both diagonals, then loosen the four base bolts and push the long one.',
      ],
      ['contact', 'You are right. I withdraw my remarks about your packing.', 'The diagonals differ by 9 mm. I see.'],
      [
        'note',
        'Drawing on page 9 is misleading, fourth question about it. Linked with {other}.',
        'Fitter available on {day} if it does not work.',
      ],
      [
        'agent',
        'Many have made them. The drawing will be better in the next printing.',
        'That explains it. Do it with two people and a still day.',
      ],
      ['contact', 'Up, square, and the first lettuces are in.', 'It slides. I shall go and slide it again.'],
    ],
    tags: ['greenhouse', 'assembly'],
    type: 'question',
    group: 2,
    concern: 'advice',
  },
  {
    subjects: [
      'Slugs are eating everything',
      'Does copper tape work?',
      'Slugs',
      'Slugs again',
      'Lettuces under attack in {town}',
    ],
    lines: ['tools'],
    openings: [
      'Forty lettuces on {day}, eleven today. What can I use that will not hurt the hedgehog?',
      'I put your copper tape round the raised beds and the slugs walk over it as if it were a carpet.',
    ],
    thread: [
      [
        'agent',
        'Nematodes, watered in when the soil is over 5 degrees, and nothing else. Hedgehogs are unharmed, and grateful for what is left.',
        'The tape must be clean and without a gap. Wipe it with vinegar, and trim any leaf that makes a bridge.',
      ],
      ['contact', 'How long do they last once opened?', 'There was a bridge. A nasturtium. I have dealt with it.'],
      [
        'agent',
        'Use the whole packet on the day. In the fridge, unopened, about four weeks.',
        'Classic. Wool pellets as a second line help in wet weeks.',
      ],
      ['contact', 'Twenty-six lettuces and rising.', 'Holding the line. Thank you.'],
    ],
    tags: ['advice', 'slugs'],
    type: 'question',
    group: 2,
    concern: 'advice',
  },
  {
    subjects: ['Drip kit: no water at the far end', 'Irrigation timer resets', 'Water butt leaks at the tap'],
    lines: ['irrigation'],
    openings: [
      'The first ten drippers of the kit run well, the last five give nothing. The hose is 30 metres.',
      'The timer forgets its settings every few days. I have changed the battery twice. The beans cannot live like this.',
      'A steady drip from the tap of the Rainwell. I have tightened it as far as I dare.',
    ],
    thread: [
      [
        'agent',
        'Thirty metres is near the limit on low pressure. Feed the line from the middle with a T-piece, which I am sending free of charge.',
        'Timers sold before May have a weak clip on the battery. I am posting a new one; no need to send the old one back.',
        'Please do not tighten more. The washer goes on the outside, which the leaflet does not say. Does that cure it?',
      ],
      ['contact', 'Will try at the weekend.', 'That would be kind. It is the grey model.'],
      ['note', 'Sent spare part, no charge, from the service shelf.', 'Leaflet correction requested.'],
      ['contact', 'Works. All fifteen of them.', 'Not a drop. Well, only where I want it.'],
    ],
    tags: ['irrigation', 'spare-part'],
    type: 'problem',
    group: 2,
    concern: 'quality',
  },
  {
    subjects: [
      'When to plant bare roots?',
      'Hedge in heavy clay',
      'Hedging: planting advice',
      'Hedge for a windy garden in {town}',
      'Bare roots arriving on {day}',
    ],
    lines: ['plants'],
    openings: [
      'The hedging comes in November but our ground is under water then. Can it wait, and how do I keep it?',
      'We have clay that one could make plates of. Which of your hedging plants would forgive us?',
    ],
    thread: [
      [
        'agent',
        'Heel them into a trench or a tub of damp sand, roots covered, and they keep until March. Or I move your delivery to February.',
        'Hornbeam and hawthorn do not mind. Plant slightly high, and do not fill the hole with compost, it becomes a pond.',
      ],
      ['contact', 'February, please.', 'How far apart?'],
      [
        'agent',
        'Moved to the first week of February. You will get a mail the day before.',
        'Five to the metre, in two staggered rows.',
      ],
      ['contact', 'Thank you, that is settled then.', 'Planted 200 on Saturday with the whole street helping.'],
    ],
    tags: ['advice', 'hedging'],
    type: 'question',
    group: 2,
    concern: 'advice',
  },
  {
    subjects: [
      'School garden project',
      'Donation for the spring fair',
      'A request from our club',
      'A small favour for {day}',
      'Gardening club in {town}',
    ],
    openings: [
      'Our Year 4 would like to grow potatoes in bags. Do you have something for schools, and could somebody come and tell them about worms?',
      'Our fair is on the 14th. Last year you gave a raffle prize which caused scenes. Might we hope again?',
    ],
    thread: [
      [
        'agent',
        'We would love to. There is a school box with bags, seed potatoes and a worm poster. Priya can come on a {day} morning.',
        'Gladly. Would a potting bench do for scenes?',
      ],
      ['contact', 'That would be wonderful. There are 28 of them, and one snake.', 'It would, and you are very good.'],
      ['note', 'School box: charge to marketing. Priya agreed.', 'Bench with the scratched leg, from returns.'],
      ['agent', 'Booked. Please make sure about the snake.', 'It will be on the van on {day}.'],
    ],
    tags: ['schools', 'goodwill'],
    type: 'task',
    group: 3,
    concern: 'advice',
  },
]
