import type { pay as en } from '../en/pay.ts'

export const pay: typeof en = {
  cost: 'Was die vollständige Übertragung kostet',
  counting: 'Wir nennen den Preis, sobald alles gezählt ist.',
  ifYou: (partner) =>
    `Das ist der Preis, falls Sie selbst bezahlen. Vielleicht bezahlt ${partner}. Das entscheidet sich nach der Probe.`,
  ifYouNow: 'Das kostet es, falls Sie selbst bezahlen.',
  waitsFor: (partner) => `Sie können sie hier kaufen, sobald ${partner} geantwortet hat.`,
  noWay: (partner) =>
    `Sie können sie hier noch nicht kaufen: Es ist kein Zahlungsweg eingerichtet. Bitte fragen Sie ${partner}. Solange geht nichts verloren.`,
  youPay: 'Die Probe ist kostenlos. Sie bezahlen nur, wenn Sie auch den Rest möchten.',
  difference: (price) => `Das ist der Unterschied: Das Paket kostet ${price}, und Sie haben ein kleineres bezahlt.`,
  package: (name) => `Paket ${name}`,
  upTo: (records) => `bis zu ${records} Datensätze`,
  any: 'beliebig viele Datensätze',
  why: (records, parts) => `Ihr Plan hat ${records} Datensätze, die zählen: ${parts}.`,
  whyNone: 'Ihr Plan hat noch keine Datensätze, die zählen.',
  whyAbout: (records, parts) => `Ihr Plan hat etwa ${records} Datensätze, die zählen: ${parts}.`,
  sponsored: (partner, records) => `${partner} bezahlt ${records} davon.`,
  free: 'Ihre Kommentare, Dateien und anderen Teile werden kopiert, ohne gezählt zu werden.',
  filters:
    'Sie haben Ihre Filter seit dem Zählen geändert; deshalb ist das der Preis für alles. Mit „Noch einmal nachsehen“ zählen wir neu.',
  holds: (days) =>
    `Sobald Sie zum Bezahlen gehen, gilt der Preis ${days === 1 ? '1 Tag' : `${days} Tage`} lang, auch wenn Ihre Daten um ein Viertel über das Paket hinauswachsen.`,
  held: (when) => `Dieser Preis gilt bis ${when}.`,
  allPackages: 'Alle Pakete',
  choose: 'Wie möchten Sie bezahlen?',
  ways: {
    stripe: {
      label: 'Mit Karte',
      text: 'Sie bezahlen sofort auf einer Seite von Stripe, unserem Zahlungsdienst, und können gleich danach beginnen.',
    },
    invoice: {
      label: 'Auf Rechnung',
      text: 'Sie erhalten eine Rechnung als PDF. Sie können beginnen, wenn das Geld da ist.',
    },
  },
  payCard: (amount) => `${amount} mit Karte bezahlen`,
  opening: 'Die Bezahlseite wird geöffnet …',
  getInvoice: (amount) => `Rechnung über ${amount} anfordern`,
  writing: 'Die Rechnung wird geschrieben …',
  failed:
    'Die Zahlung konnte nicht geöffnet werden. Es wurde nichts abgebucht. Bitte versuchen Sie es gleich noch einmal.',
  changed: 'Inzwischen hat sich etwas geändert. Die Seite zeigt den aktuellen Stand.',
  billing: 'Für wen ist die Rechnung?',
  fields: {
    name: 'Ihr Name',
    company: 'Firma',
    street: 'Straße und Hausnummer',
    postal_code: 'Postleitzahl',
    city: 'Ort',
    region: 'Bundesland oder Region',
    country: 'Land',
    vat_id: 'USt-IdNr.',
    email: 'E-Mail-Adresse',
  },
  optional: 'falls vorhanden',
  emailHint: 'Dorthin gehen Rechnung und Quittung.',
  chooseCountry: 'Bitte wählen',
  blank: 'Bitte ausfüllen.',
  wrong: {
    name: 'Bitte lateinische, griechische oder kyrillische Buchstaben verwenden.',
    company: 'Bitte lateinische, griechische oder kyrillische Buchstaben verwenden.',
    street: 'Bitte lateinische, griechische oder kyrillische Buchstaben verwenden.',
    postal_code: 'Das ist keine Postleitzahl.',
    city: 'Bitte lateinische, griechische oder kyrillische Buchstaben verwenden.',
    region: 'Bitte lateinische, griechische oder kyrillische Buchstaben verwenden.',
    country: 'Bitte wählen Sie ein Land.',
    vat_id: 'Das ist keine USt-IdNr.: Sie hat 4 bis 20 Buchstaben und Ziffern.',
    email: 'Das ist keine E-Mail-Adresse.',
  },
  openCard: (amount, until) => `Eine Zahlung über ${amount} ist bis ${until} offen. Es wurde noch nichts abgebucht.`,
  goOn: 'Weiter zur Bezahlseite',
  otherWay: 'Anders bezahlen',
  leaving: 'Wird geschlossen …',
  openInvoice: (number, amount, until) =>
    `Rechnung ${number} über ${amount} ist zahlbar bis ${until}. Sobald das Geld da ist, steht es hier und Sie können beginnen. Bis dahin können Sie die Seite schließen.`,
  creditNote: (number) => `Rechnungskorrektur ${number} herunterladen`,
  download: 'Rechnung herunterladen',
  expired: 'Der Bezahlvorgang wurde ohne Zahlung beendet. Es wurde nichts abgebucht.',
  cancelledInvoice: (number) => `Rechnung ${number} wurde storniert. Bitte bezahlen Sie sie nicht mehr.`,
  calledOff: 'Der Bezahlvorgang wurde geschlossen. Es wurde nichts abgebucht.',
  paid: (amount, when) => `Bezahlt: ${amount} am ${when}. Vielen Dank.`,
  refundDue: (amount) => `Wir erstatten Ihnen ${amount}.`,
  refunded: (amount) =>
    `Wir haben Ihnen ${amount} erstattet. Je nach Bank dauert es einige Tage, bis das Geld ankommt.`,
  because: {
    partner_pays: (partner) => `${partner} bezahlt die Übertragung.`,
    paid_twice: 'Sie war bereits bezahlt.',
  },
  waitingTitle: 'Wir warten auf Ihre Zahlung',
  waiting:
    'Vielen Dank. Wir warten auf die Bestätigung der Zahlung. Das dauert meist einige Sekunden, und diese Seite geht von selbst weiter.',
  waitingLong:
    'Sie können dieses Fenster schließen: Es geht nichts verloren, und Sie können jederzeit wiederkommen. Manche Banken brauchen einige Tage.',
  backToFull: 'Zurück',
  acceptedAll: (partner) => `${partner} bezahlt die vollständigen Übertragungen seiner Kunden. Es kostet Sie nichts.`,
  acceptedUpTo: (partner, limit, records) =>
    `${partner} bezahlt bis zu ${limit} Datensätze, und Ihr Plan hat ${records}. Es kostet Sie nichts.`,
  rejectedAll: (partner) => `Kunden von ${partner} bezahlen die vollständige Übertragung selbst.`,
  rejectedBudget: (partner) =>
    `Das Budget von ${partner} für diesen Monat reicht für Ihre Übertragung nicht mehr. Sie können sie selbst kaufen.`,
  rejectedUpTo: (partner, limit, records) =>
    `${partner} bezahlt bis zu ${limit} Datensätze. Ihr Plan hat ${records}. Sie können die Übertragung kaufen, oder Datensätze weglassen und noch einmal nachsehen.`,
  askUpTo: (partner, limit, records) =>
    `${partner} bezahlt bis zu ${limit} Datensätze von sich aus. Ihr Plan hat ${records}, deshalb entscheidet ${partner}.`,
  partnerPage: (partner) => `Was ${partner} über vollständige Übertragungen sagt`,
  askAndGo: (partner) => `Danach öffnet sich die Seite von ${partner} über vollständige Übertragungen.`,
  more: {
    heading: 'Mehr Datensätze, als bezahlt sind',
    copied: (moved, covered) => `${moved} Datensätze wurden kopiert. Bezahlt sind ${covered}.`,
    copiedOf: (moved, counted, covered) =>
      `${moved} von ${counted} Datensätzen wurden kopiert. Bezahlt sind ${covered}.`,
    safe: 'Alles bisher Kopierte ist sicher. Die Übertragung geht weiter, sobald der Rest bezahlt ist.',
    ask: (partner) => `${partner} bitten, den Rest zu bezahlen`,
    asking: 'Wird gefragt …',
    asked: (partner) => `${partner} wurde gebeten, den Rest zu bezahlen.`,
    finish: (covered) => `Mit ${covered} Datensätzen abschließen`,
    finishing: 'Es geht weiter …',
    pay: 'Den Rest bezahlen',
    note: 'Die Übertragung geht weiter, sobald das bezahlt ist.',
  },
}
