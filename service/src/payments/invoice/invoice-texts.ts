import type { Language } from '../../db/payment-tables.ts'

const en = {
  title: 'Invoice',
  number: 'Invoice number',
  date: 'Date',
  due: 'Payable until',
  reference: 'Import',
  billTo: 'Billed to',
  vatId: 'VAT id',
  what: 'Description',
  amount: 'Amount',
  item: (source: string, partner: string) => `Full migration from ${source} to ${partner}`,
  upTo: (name: string, records: string) => `Package ${name}, up to ${records} records`,
  anyNumber: (name: string) => `Package ${name}, any number of records`,
  already: 'Less what was paid before',
  total: 'Total',
  howToPay: 'How to pay',
  purpose: (number: string) => `Please give the number ${number} as the purpose of the payment.`,
  noIssuer: 'The operator of this service has not set its name and bank account yet. Please ask how to pay.',
}

const de: typeof en = {
  title: 'Rechnung',
  number: 'Rechnungsnummer',
  date: 'Datum',
  due: 'Zahlbar bis',
  reference: 'Import',
  billTo: 'Rechnung an',
  vatId: 'USt-IdNr.',
  what: 'Leistung',
  amount: 'Betrag',
  item: (source, partner) => `Vollständige Übertragung von ${source} nach ${partner}`,
  upTo: (name, records) => `Paket ${name}, bis zu ${records} Datensätze`,
  anyNumber: (name) => `Paket ${name}, beliebig viele Datensätze`,
  already: 'Abzüglich bereits bezahlt',
  total: 'Summe',
  howToPay: 'Zahlung',
  purpose: (number) => `Bitte geben Sie die Nummer ${number} als Verwendungszweck an.`,
  noIssuer:
    'Der Betreiber dieses Dienstes hat Namen und Bankverbindung noch nicht hinterlegt. Bitte fragen Sie nach, wie zu zahlen ist.',
}

export const invoiceTexts: Record<Language, typeof en> = { en, de }
