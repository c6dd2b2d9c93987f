import { formatAmount } from '../currency.ts'
import type { MailTexts } from './templates.ts'

const day = (date: string) =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(date))
const count = (number: number) => number.toLocaleString('en')

export const english: MailTexts = {
  greeting: 'Hello,',
  reason: ({ partner }) =>
    `You get this because your address was given for this import into ${partner}. It can be changed or removed there.`,
  completed: ({ source, destination }, { records }) => ({
    subject: `Your data has arrived in ${destination}`,
    paragraphs: [
      `The migration from ${source} to ${destination} is complete: ${records === 1 ? '1 record is' : `${count(records)} records are`} there now.`,
      'The report shows what became of each record, and whether anything needs a look.',
    ],
    action: 'See the report',
  }),
  paused: ({ source, destination }, { code, role }) => {
    const account = role === 'source' ? source : destination
    const because =
      code === 'authorization_lost'
        ? `${account} does not let us in any more, so the account must be connected again.`
        : code === 'look_for_mail'
          ? `One record was written first. Please look whether ${destination} has sent mail about it to anyone before the rest follows.`
          : code === 'source_page_failing'
            ? `${source} fails to hand out one page of records, again and again. Ask its administrator to repair that. Or skip the page: its records are left out, and everything else is copied.`
            : code === 'records_not_paid'
              ? `${source} has more records than are paid for. Pay for the rest, ask for it to be paid, or finish without it.`
              : 'Something needs your decision or your help. The page of your import says what.'
    return {
      subject: `Your migration to ${destination} is waiting for you`,
      paragraphs: [
        `The migration from ${source} to ${destination} ${code === 'source_page_failing' ? 'is stuck' : 'is paused'}.`,
        because,
        'Nothing is lost: it goes on from where it stands.',
      ],
      action: 'Open the import',
    }
  },
  undone: ({ source, destination }, { kept }) => ({
    subject: `The migration to ${destination} has been undone`,
    paragraphs: [
      `What was moved from ${source} to ${destination} has been removed there again. Nothing in ${source} was changed.`,
      ...(kept === 0
        ? []
        : [
            `${kept === 1 ? '1 record was' : `${count(kept)} records were`} kept, for example because of edits made there since. The page of your import lists what stayed.`,
          ]),
    ],
    action: 'Open the import',
  }),
  receipt: ({ source, destination }, { amount, currency, package: name, invoice }) => ({
    subject: `Your receipt for the migration to ${destination}`,
    paragraphs: [
      `We have received ${formatAmount(amount, currency, 'en')} for the full migration from ${source} to ${destination}, package ${name}${invoice === null ? '' : `, invoice ${invoice}`}. Thank you.`,
      'It is ready to be started; you choose when.',
    ],
    action: 'Start the full migration',
  }),
  invoice: ({ source, destination }, { amount, currency, number, due }) => ({
    subject: `Invoice ${number} for the migration to ${destination}`,
    paragraphs: [
      `Invoice ${number} over ${formatAmount(amount, currency, 'en')} for the full migration from ${source} to ${destination} is ready for you. It is payable until ${day(due)}.`,
      'As soon as the money has arrived, you can start.',
    ],
    action: 'Download the invoice',
  }),
  refunded: ({ partner, destination }, { amount, currency, because }) => ({
    subject: `Your money for the migration to ${destination} goes back to you`,
    paragraphs: [
      `We have sent ${formatAmount(amount, currency, 'en')} back in the way that you paid it. Depending on your bank it takes some days.`,
      ...(because === 'partner_pays' ? [`${partner} pays for the migration.`] : []),
      ...(because === 'paid_twice' ? ['It had been paid for already.'] : []),
    ],
    action: 'Open the import',
  }),
}
