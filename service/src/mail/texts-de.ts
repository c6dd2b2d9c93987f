import { formatAmount } from '../currency.ts'
import type { MailTexts } from './templates.ts'

const day = (date: string) =>
  new Intl.DateTimeFormat('de-DE', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(date))
const count = (number: number) => number.toLocaleString('de')

export const german: MailTexts = {
  greeting: 'Guten Tag,',
  reason: ({ partner }) =>
    `Sie erhalten diese Nachricht, weil Ihre Adresse für diesen Import nach ${partner} angegeben wurde. Dort lässt sie sich ändern oder entfernen.`,
  completed: ({ source, destination }, { records }) => ({
    subject: `Ihre Daten sind in ${destination} angekommen`,
    paragraphs: [
      `Die Übertragung von ${source} nach ${destination} ist abgeschlossen: ${records === 1 ? '1 Datensatz ist' : `${count(records)} Datensätze sind`} jetzt dort.`,
      'Der Bericht zeigt, was aus jedem Datensatz wurde und ob etwas angesehen werden sollte.',
    ],
    action: 'Bericht ansehen',
  }),
  paused: ({ source, destination }, { code, role }) => {
    const account = role === 'source' ? source : destination
    const because =
      code === 'authorization_lost'
        ? `${account} lässt uns nicht mehr hinein, deshalb muss das Konto neu verbunden werden.`
        : code === 'look_for_mail'
          ? `Ein Datensatz wurde vorab geschrieben. Bitte sehen Sie nach, ob ${destination} darüber jemandem eine Nachricht geschickt hat, bevor der Rest folgt.`
          : code === 'source_page_failing'
            ? `${source} gibt eine Seite mit Datensätzen immer wieder nicht heraus. Bitten Sie den Betreiber, das zu beheben. Oder überspringen Sie die Seite: Ihre Datensätze fehlen dann, und alles andere wird kopiert.`
            : code === 'records_not_paid'
              ? `${source} hat mehr Datensätze, als bezahlt sind. Bezahlen Sie den Rest, lassen Sie ihn bezahlen, oder schließen Sie ohne ihn ab.`
              : 'Etwas braucht Ihre Entscheidung oder Ihre Hilfe. Die Seite Ihres Imports sagt, was.'
    return {
      subject: `Ihre Übertragung nach ${destination} wartet auf Sie`,
      paragraphs: [
        `Die Übertragung von ${source} nach ${destination} ${code === 'source_page_failing' ? 'kommt nicht weiter' : 'ist angehalten'}.`,
        because,
        'Es ist nichts verloren: Sie geht dort weiter, wo sie steht.',
      ],
      action: 'Import öffnen',
    }
  },
  undone: ({ source, destination }, { kept }) => ({
    subject: `Die Übertragung nach ${destination} wurde rückgängig gemacht`,
    paragraphs: [
      `Was von ${source} nach ${destination} übertragen wurde, ist dort wieder entfernt. In ${source} wurde nichts verändert.`,
      ...(kept === 0
        ? []
        : [
            `${kept === 1 ? '1 Datensatz wurde' : `${count(kept)} Datensätze wurden`} behalten, zum Beispiel weil jemand daran seither etwas geändert hat. Die Seite Ihres Imports führt auf, was geblieben ist.`,
          ]),
    ],
    action: 'Import öffnen',
  }),
  receipt: ({ source, destination }, { amount, currency, package: name, invoice }) => ({
    subject: `Ihre Quittung für die Übertragung nach ${destination}`,
    paragraphs: [
      `Wir haben ${formatAmount(amount, currency, 'de')} für die vollständige Übertragung von ${source} nach ${destination} erhalten, Paket ${name}${invoice === null ? '' : `, Rechnung ${invoice}`}. Vielen Dank.`,
      'Sie kann jetzt beginnen; wann, bestimmen Sie.',
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
    subject: `Ihr Geld für die Übertragung nach ${destination} geht an Sie zurück`,
    paragraphs: [
      `Wir haben ${formatAmount(amount, currency, 'de')} auf dem Weg zurückgeschickt, auf dem Sie bezahlt haben. Je nach Bank dauert das einige Tage.`,
      ...(because === 'partner_pays' ? [`${partner} bezahlt die Übertragung.`] : []),
      ...(because === 'paid_twice' ? ['Sie war bereits bezahlt.'] : []),
    ],
    action: 'Import öffnen',
  }),
}
