export const pay = {
  cost: 'What the full migration costs',
  counting: 'We tell the price as soon as everything is counted.',
  ifYou: (partner: string) =>
    `If you pay for it yourself. ${partner} may pay for it; that is settled after the sample.`,
  ifYouNow: 'This is what it costs if you pay for it yourself.',
  waitsFor: (partner: string) => `You can buy it here once ${partner} has answered.`,
  noWay: (partner: string) =>
    `You cannot buy it here yet: no way to pay is set up. Please ask ${partner}. Nothing is lost meanwhile.`,
  youPay: 'The sample is free. You pay only if you want the rest.',
  difference: (price: string) =>
    `This is the difference: the package costs ${price}, and you have paid for a smaller one.`,
  package: (name: string) => `Package ${name}`,
  upTo: (records: string) => `up to ${records} records`,
  any: 'any number of records',
  why: (records: string, parts: string) => `Your plan has ${records} records that count: ${parts}.`,
  whyNone: 'Your plan has no records that count yet.',
  whyAbout: (records: string, parts: string) => `Your plan has about ${records} records that count: ${parts}.`,
  sponsored: (partner: string, records: string) => `${partner} pays for ${records} of them.`,
  free: 'Their comments, files and other parts are copied without being counted.',
  filters:
    'You have changed what is left out since we counted, so this is the price for everything. Look again to have it counted.',
  holds: (days: number) =>
    `Once you go to pay, the price holds for ${days === 1 ? '1 day' : `${days} days`}, even if your data grows by a quarter beyond the package.`,
  held: (when: string) => `This price holds until ${when}.`,
  allPackages: 'All packages',
  choose: 'How would you like to pay?',
  ways: {
    stripe: {
      label: 'By card',
      text: 'You pay at once on a page of Stripe, our payment provider, and can start right after it.',
    },
    invoice: { label: 'By invoice', text: 'You get an invoice as a PDF. You can start when the money has arrived.' },
  },
  payCard: (amount: string) => `Pay ${amount} by card`,
  opening: 'Opening the checkout …',
  getInvoice: (amount: string) => `Get an invoice for ${amount}`,
  writing: 'Writing the invoice …',
  failed: 'The payment could not be opened. Nothing was charged. Please try again in a moment.',
  changed: 'Things have changed meanwhile. The page shows how they stand now.',
  billing: 'Whom is the invoice for?',
  fields: {
    name: 'Your name',
    company: 'Company',
    street: 'Street and number',
    postal_code: 'Postal code',
    city: 'City',
    region: 'State or region',
    country: 'Country',
    vat_id: 'VAT id',
    email: 'E-mail address',
  },
  optional: 'if there is one',
  emailHint: 'The invoice and the receipt are sent there.',
  chooseCountry: 'Please choose',
  blank: 'Please fill this in.',
  wrong: {
    name: 'Please use Latin, Greek or Cyrillic letters.',
    company: 'Please use Latin, Greek or Cyrillic letters.',
    street: 'Please use Latin, Greek or Cyrillic letters.',
    postal_code: 'This is no postal code.',
    city: 'Please use Latin, Greek or Cyrillic letters.',
    region: 'Please use Latin, Greek or Cyrillic letters.',
    country: 'Please choose a country.',
    vat_id: 'This is no VAT id: it has 4 to 20 letters and digits.',
    email: 'This is no e-mail address.',
  },
  openCard: (amount: string, until: string) =>
    `A checkout for ${amount} is open until ${until}. Nothing has been charged yet.`,
  goOn: 'Go on to the checkout',
  otherWay: 'Pay in another way',
  leaving: 'Closing …',
  openInvoice: (number: string, amount: string, until: string) =>
    `Invoice ${number} for ${amount} is payable until ${until}. As soon as the money has arrived, this page shows it and you can start. You may close it meanwhile.`,
  creditNote: (number: string) => `Download the credit note ${number}`,
  download: 'Download the invoice',
  expired: 'The checkout ended without a payment. Nothing was charged.',
  cancelledInvoice: (number: string) => `Invoice ${number} was cancelled. Please do not pay it any more.`,
  calledOff: 'The checkout was closed. Nothing was charged.',
  paid: (amount: string, when: string) => `Paid: ${amount} on ${when}. Thank you.`,
  refundDue: (amount: string) => `Your payment of ${amount} goes back to you.`,
  refunded: (amount: string) =>
    `Your payment of ${amount} went back to you. Depending on your bank it takes some days to arrive.`,
  because: {
    partner_pays: (partner: string) => `${partner} pays for the migration.`,
    paid_twice: 'It had been paid for already.',
  },
  waitingTitle: 'Waiting for your payment',
  waiting:
    'Thank you. We are waiting for the confirmation of the payment. It usually takes some seconds, and this page goes on by itself.',
  waitingLong:
    'You may close this window: nothing is lost, and you can come back at any time. Some banks take a few days.',
  backToFull: 'Back',
  acceptedAll: (partner: string) => `${partner} pays for the full migrations of its customers. It costs you nothing.`,
  acceptedUpTo: (partner: string, limit: string, records: string) =>
    `${partner} pays for up to ${limit} records, and your plan has ${records}. It costs you nothing.`,
  rejectedAll: (partner: string) => `Customers of ${partner} pay for the full migration themselves.`,
  rejectedBudget: (partner: string) =>
    `${partner}’s budget for this month has no room for your migration. You can buy it yourself.`,
  rejectedUpTo: (partner: string, limit: string, records: string) =>
    `${partner} pays for up to ${limit} records. Your plan has ${records}, so you can buy it, or leave some out and look again.`,
  askUpTo: (partner: string, limit: string, records: string) =>
    `${partner} pays for up to ${limit} records by itself. Your plan has ${records}, so ${partner} decides.`,
  partnerPage: (partner: string) => `What ${partner} says about full migrations`,
  askAndGo: (partner: string) => `You are taken to ${partner}’s own page about it.`,
  more: {
    heading: 'More records than are paid for',
    copied: (moved: string, covered: string) =>
      `${moved} records were copied. ${covered} may be copied with what is paid for.`,
    copiedOf: (moved: string, counted: string, covered: string) =>
      `${moved} of ${counted} records were copied. ${covered} may be copied with what is paid for.`,
    safe: 'Everything copied so far is safe. The migration goes on as soon as the rest is paid for.',
    ask: (partner: string) => `Ask ${partner} to pay for the rest`,
    asking: 'Asking …',
    asked: (partner: string) => `${partner} was asked to pay for the rest.`,
    finish: (covered: string) => `Finish with ${covered} records`,
    finishing: 'Going on …',
    pay: 'Pay for the rest',
    note: 'The migration goes on as soon as this is paid.',
  },
}
