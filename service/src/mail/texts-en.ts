import { formatAmount } from '../currency.ts'
import type { MailTexts } from './templates.ts'

const day = (date: string) =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(date))
const count = (number: number) => number.toLocaleString('en')

export const english: MailTexts = {
  greeting: 'Hello,',
  reason: ({ partner }) =>
    `You get this mail because somebody gave your address for this import into ${partner}. You can change or remove the address in the portal of the import.`,
  completed: ({ source, destination }, { records }) => ({
    subject: `Your data has arrived in ${destination}`,
    paragraphs: [
      `The migration from ${source} to ${destination} is complete: ${records === 1 ? '1 record is' : `${count(records)} records are`} there now.`,
      'The report shows the result for each record, and the records that need your attention.',
    ],
    action: 'See the report',
  }),
  paused: ({ source, destination }, { code, role }) => {
    const account = role === 'source' ? source : destination
    const because =
      code === 'authorization_lost'
        ? `${account} no longer lets us in. Please connect the account again.`
        : code === 'look_for_mail'
          ? `We copied one record first. Please check whether ${destination} has sent anyone mail about it. The rest waits until you continue.`
          : code === 'source_page_failing'
            ? `${source} keeps failing to return one page of records. Ask its administrator to repair that. Or skip the page: its records are left out, and everything else is copied.`
            : code === 'records_not_paid'
              ? `${source} has more records than are paid for. Pay for the rest, ask the partner to pay, or finish without the rest.`
              : 'The import needs your decision or your help. Its portal says what to do.'
    return {
      subject: `Your migration to ${destination} is waiting for you`,
      paragraphs: [
        `The migration from ${source} to ${destination} ${code === 'source_page_failing' ? 'is stuck' : 'is paused'}.`,
        because,
        'Nothing is lost: the migration continues from where it stopped.',
      ],
      action: 'Open the import',
    }
  },
  undone: ({ source, destination }, { kept }) => ({
    subject: `The migration to ${destination} has been undone`,
    paragraphs: [
      `We have removed the copied records from ${destination}. Nothing in ${source} was changed.`,
      ...(kept === 0
        ? []
        : [
            `${kept === 1 ? '1 record was' : `${count(kept)} records were`} kept, for example because someone has edited them since. The portal of your import lists the kept records.`,
          ]),
    ],
    action: 'Open the import',
  }),
  receipt: ({ source, destination }, { amount, currency, package: name, invoice }) => ({
    subject: `Your receipt for the migration to ${destination}`,
    paragraphs: [
      `We have received ${formatAmount(amount, currency, 'en')} for the full migration from ${source} to ${destination}, package ${name}${invoice === null ? '' : `, invoice ${invoice}`}. Thank you.`,
      'You can start the migration whenever you like.',
    ],
    action: 'Start the full migration',
  }),
  invoice: ({ source, destination }, { amount, currency, number, due }) => ({
    subject: `Invoice ${number} for the migration to ${destination}`,
    paragraphs: [
      `Invoice ${number} for ${formatAmount(amount, currency, 'en')} for the full migration from ${source} to ${destination} is ready for you. It is payable until ${day(due)}.`,
      'As soon as the money has arrived, you can start.',
    ],
    action: 'Download the invoice',
  }),
  refunded: ({ partner, destination }, { amount, currency, because }) => ({
    subject: `Refund for the migration to ${destination}`,
    paragraphs: [
      `We have refunded ${formatAmount(amount, currency, 'en')} by the same way that you paid. Depending on your bank, it takes a few days to arrive.`,
      ...(because === 'partner_pays' ? [`${partner} pays for the migration.`] : []),
      ...(because === 'paid_twice' ? ['The migration was already paid for.'] : []),
    ],
    action: 'Open the import',
  }),
}
