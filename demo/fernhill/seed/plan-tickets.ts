import { type FileSeed, pdfFile, plantPicture } from './files.ts'
import { FOLLOW_UPS } from './follow-ups.ts'
import { DUPLICATE_SUBJECT, LONG_THREAD, ODD_TICKETS } from './odd-tickets.ts'
import { AGENTS, DELETED_AGENT_ID } from './people.ts'
import type { PlannedComment, PlannedTicket } from './planned-ticket.ts'
import { CARRIERS, PRODUCTS, TOWNS, WEEKDAYS } from './products.ts'
import { at, type Random } from './random.ts'
import { GREETINGS, type Speaker, THANKS, type Topic } from './topic.ts'
import { ADVICE_TOPICS } from './topics-advice.ts'
import { ORDER_TOPICS } from './topics-orders.ts'
import { TRADE_TOPICS } from './topics-trade.ts'
import { fill, inlineImage, paragraphs, ticketUrl, type Words } from './write-html.ts'

export const FIRST_NUMBER = 1001
export const TICKET_COUNT = 120

const BUSINESS_TOPICS = [...ORDER_TOPICS, ...TRADE_TOPICS]
const TOPICS = BUSINESS_TOPICS.flatMap((topic, index) => [topic, at(ADVICE_TOPICS, index)])

export interface Requester {
  id: number
  name: string
}

/** Plans the realistic tickets, in the order of their numbers. */
export function planTickets(random: Random, requesters: readonly Requester[]): PlannedTicket[] {
  return Array.from({ length: TICKET_COUNT }, (_, index) => {
    const number = FIRST_NUMBER + index
    return ODD_TICKETS[number] ?? planOrdinaryTicket(random, requesters, number)
  })
}

function planOrdinaryTicket(random: Random, requesters: readonly Requester[], number: number): PlannedTicket {
  const age = TICKET_COUNT - (number - FIRST_NUMBER)
  const isDuplicate = DUPLICATE_SUBJECT.numbers.some((duplicate) => duplicate === number)
  const topic = isDuplicate
    ? at(ORDER_TOPICS, 0)
    : number === LONG_THREAD.number
      ? at(ADVICE_TOPICS, 2)
      : at(TOPICS, number * 5 + random.below(3))
  const requester = random.pick(requesters)
  const status = number === LONG_THREAD.number ? 'solved' : pickStatus(random, age)
  const agents = AGENTS.flatMap((agent, index) => (agent.groups.includes(topic.group) ? [index + 1] : []))
  // The agent who left is assigned to old tickets only.
  const assigneeId = random.pick(agents.filter((id) => id !== DELETED_AGENT_ID || age > 50))
  const product = random.pick(PRODUCTS.filter(({ line }) => topic.lines?.includes(line) ?? true))
  const words = pickWords(random, product.name, number)
  const way = random.below(topic.openings.length)
  const generic = topic.subjects.slice(topic.openings.length)
  const subject = generic.length === 0 || random.chance(0.4) ? at(topic.subjects, way) : random.pick(generic)
  const length = threadLength(random, status, number, topic)
  return {
    subject: capitalise(isDuplicate ? DUPLICATE_SUBJECT.subject : fill(subject, words)),
    description: paragraphs(
      random.pick(GREETINGS),
      fill(at(topic.openings, way), words),
      `${random.pick(THANKS)}, ${requester.name}`,
    ),
    requesterId: requester.id,
    status,
    priority: at(['normal', 'normal', 'normal', 'low', 'high', 'high', 'urgent'], random.below(7)),
    type: topic.type,
    channel: at(['email', 'email', 'web', 'phone', 'chat'], random.below(5)),
    assigneeId: status === 'new' ? null : assigneeId,
    groupId: topic.group,
    cc: random.chance(0.12) ? ['accounts@hollinslandscapes.example'] : [],
    tags: topic.tags.filter(() => random.chance(0.8)),
    customFields: {
      ...(random.chance(0.7) && { order_number: words.order }),
      ...(random.chance(0.4) && { parcel_weight_kg: random.between(2, 300) / 10 }),
      ...(random.chance(0.3) && { replacement_sent: random.chance(0.5) }),
      product_line: product.line,
      concerns: random.chance(0.25) ? [topic.concern, 'delivery'].filter(isFirst) : [topic.concern],
    },
    ...(random.chance(0.2) && { dueInDays: random.between(2, 21) }),
    comments: planThread(random, { topic, way, words, length, assigneeId, requester }),
  }
}

interface ThreadPlan {
  topic: Topic
  way: number
  words: Words
  length: number
  assigneeId: number
  requester: Requester
}

function planThread(random: Random, plan: ThreadPlan): PlannedComment[] {
  const { topic, way, words, assigneeId, requester } = plan
  const main = topic.thread.map(([speaker, ...ways]) => [speaker, at(ways, way)] as const)
  const signature = (AGENTS[assigneeId - 1]?.name ?? '').split(' ')[0] ?? ''
  return Array.from({ length: plan.length }, (_, index) => {
    const [speaker, text] = main[index] ?? at(FOLLOW_UPS, index - main.length)
    const files = index < main.length ? filesFor(random, speaker, index, plan) : []
    const sender = speaker === 'agent' ? signature : speaker === 'contact' && random.chance(0.5) ? requester.name : ''
    const pictures = files.map((file, position) => (file.inline ? inlineImage(position, file.name) : ''))
    return {
      by: speaker === 'contact' ? 'contact' : 'agent',
      authorId: speaker === 'contact' ? requester.id : speaker === 'note' ? 1 + random.below(3) : assigneeId,
      public: speaker !== 'note',
      body: [paragraphs(fill(text, words)), ...pictures, paragraphs(sender)].filter((part) => part !== '').join('\n'),
      files,
    }
  })
}

function filesFor(random: Random, speaker: Speaker, index: number, plan: ThreadPlan): FileSeed[] {
  const { topic, words } = plan
  if (speaker === 'contact' && index <= 2 && (topic.tags.includes('damaged') || topic.tags.includes('tomatoes'))) {
    const picture = (name: string, inline: boolean) =>
      plantPicture(name, random.below(200), random.below(10) / 10, inline)
    return [picture(`IMG_20${random.between(10, 99)}.png`, true), picture('label.png', false)].slice(
      0,
      topic.tags.length - 1,
    )
  }
  if (speaker === 'agent' && index === 0 && topic.concern === 'billing') {
    const kind = topic.tags.includes('quote') ? 'Quote' : topic.tags.includes('returns') ? 'Return label' : 'Invoice'
    const lines = ['Fernhill Garden Supplies', `${kind} for order ${words.order}`, `Total GBP ${words.amount}`]
    return [pdfFile(`${kind.toLowerCase().replace(' ', '-')}-${words.order}.pdf`, lines)]
  }
  return []
}

function pickWords(random: Random, product: string, number: number): Words {
  const other = random.between(FIRST_NUMBER, Math.max(FIRST_NUMBER, number - 1))
  return {
    product,
    order: `FH-${random.between(20100, 39900)}`,
    carrier: random.pick(CARRIERS),
    town: random.pick(TOWNS),
    day: random.pick(WEEKDAYS),
    amount: `${random.between(12, 480)}.${at(['00', '50', '95'], random.below(3))}`,
    n: String(random.between(12, 90)),
    other: ticketUrl(other),
  }
}

function pickStatus(random: Random, age: number): string {
  if (age < 6) return 'new'
  if (age < 30) return random.pick(['open', 'open', 'pending', 'on_hold', 'solved'])
  return random.pick(['solved', 'solved', 'closed', 'closed', 'closed', 'pending'])
}

function threadLength(random: Random, status: string, number: number, topic: Topic): number {
  if (number === LONG_THREAD.number) return LONG_THREAD.comments
  if (status === 'new') return 1
  if (status === 'solved' || status === 'closed') {
    return random.chance(0.2) ? random.between(topic.thread.length, 14) : topic.thread.length
  }
  return random.between(1, topic.thread.length - 1)
}

function isFirst<T>(value: T, index: number, list: readonly T[]): boolean {
  return list.indexOf(value) === index
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
