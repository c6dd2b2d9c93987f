import { formatAmount } from '../currency.ts'
import type { MailTexts } from './templates.ts'

const day = (date: string) =>
  new Intl.DateTimeFormat('de-DE', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(date))
const count = (number: number) => number.toLocaleString('de')

export const german: MailTexts = {
  greeting: 'Guten Tag,',
  reason: ({ partner }) =>
    `Sie erhalten diese Nachricht, weil Ihre Adresse für diesen Import nach ${partner} angegeben wurde. Im Portal des Imports können Sie die Adresse ändern oder entfernen.`,
  completed: ({ source, destination }, { records }) => ({
    subject: `Ihre Daten sind in ${destination} angekommen`,
    paragraphs: [
      `Die Übertragung von ${source} nach ${destination} ist abgeschlossen: ${records === 1 ? '1 Datensatz ist' : `${count(records)} Datensätze sind`} jetzt dort.`,
      'Der Bericht zeigt das Ergebnis für jeden Datensatz und die Datensätze, die Ihre Aufmerksamkeit brauchen.',
    ],
    action: 'Bericht ansehen',
  }),
  paused: ({ source, destination }, { code, role }) => {
    const account = role === 'source' ? source : destination
    const because =
      code === 'authorization_lost'
        ? `${account} lässt uns nicht mehr hinein. Bitte verbinden Sie das Konto neu.`
        : code === 'look_for_mail'
          ? `Wir haben zuerst einen Datensatz kopiert. Bitte sehen Sie nach, ob ${destination} deswegen jemandem eine E-Mail geschickt hat. Der Rest wartet, bis Sie fortfahren.`
          : code === 'source_page_failing'
            ? `${source} gibt eine Seite mit Datensätzen immer wieder nicht heraus. Bitten Sie den Betreiber, das zu beheben. Oder überspringen Sie die Seite: Ihre Datensätze fehlen dann, und alles andere wird kopiert.`
            : code === 'records_not_paid'
              ? `${source} hat mehr Datensätze, als bezahlt sind. Bezahlen Sie den Rest, bitten Sie den Partner darum, oder schließen Sie ohne ihn ab.`
              : 'Der Import braucht Ihre Entscheidung oder Ihre Hilfe. Das Portal sagt, was zu tun ist.'
    return {
      subject: `Ihre Übertragung nach ${destination} wartet auf Sie`,
      paragraphs: [
        `Die Übertragung von ${source} nach ${destination} ${code === 'source_page_failing' ? 'kommt nicht weiter' : 'ist angehalten'}.`,
        because,
        'Nichts ist verloren: Die Übertragung geht dort weiter, wo sie aufgehört hat.',
      ],
      action: 'Import öffnen',
    }
  },
  undone: ({ source, destination }, { kept }) => ({
    subject: `Die Übertragung nach ${destination} wurde rückgängig gemacht`,
    paragraphs: [
      `Wir haben die kopierten Datensätze aus ${destination} entfernt. In ${source} wurde nichts verändert.`,
      ...(kept === 0
        ? []
        : [
            `${kept === 1 ? '1 Datensatz wurde' : `${count(kept)} Datensätze wurden`} behalten, zum Beispiel weil seither jemand daran etwas geändert hat. Das Portal Ihres Imports führt die behaltenen Datensätze auf.`,
          ]),
    ],
    action: 'Import öffnen',
  }),
  receipt: ({ source, destination }, { amount, currency, package: name, invoice }) => ({
    subject: `Ihre Quittung für die Übertragung nach ${destination}`,
    paragraphs: [
      `Wir haben ${formatAmount(amount, currency, 'de')} für die vollständige Übertragung von ${source} nach ${destination} erhalten, Paket ${name}${invoice === null ? '' : `, Rechnung ${invoice}`}. Vielen Dank.`,
      'Sie können die Übertragung starten, wann Sie möchten.',
    ],
    action: 'Vollständige Übertragung starten',
  }),
  invoice: ({ source, destination }, { amount, currency, number, due }) => ({
    subject: `Rechnung ${number} für die Übertragung nach ${destination}`,
    paragraphs: [
      `Die Rechnung ${number} über ${formatAmount(amount, currency, 'de')} für die vollständige Übertragung von ${source} nach ${destination} liegt für Sie bereit. Sie ist zahlbar bis ${day(due)}.`,
      'Sobald das Geld da ist, können Sie beginnen.',
    ],
    action: 'Rechnung herunterladen',
  }),
  refunded: ({ partner, destination }, { amount, currency, because }) => ({
    subject: `Erstattung für die Übertragung nach ${destination}`,
    paragraphs: [
      `Wir haben ${formatAmount(amount, currency, 'de')} auf dem Weg erstattet, auf dem Sie bezahlt haben. Je nach Bank dauert es einige Tage, bis das Geld ankommt.`,
      ...(because === 'partner_pays' ? [`${partner} bezahlt die Übertragung.`] : []),
      ...(because === 'paid_twice' ? ['Die Übertragung war bereits bezahlt.'] : []),
    ],
    action: 'Import öffnen',
  }),
}
