import type { connect as en } from '../en/connect.ts'

export const connect: typeof en = {
  title: 'Verbinden Sie beide Konten',
  titleOne: (account) => `Verbinden Sie ${account}`,
  titleAgain: 'Ihre beiden Konten',
  intro: (source) =>
    `In diesem Schritt lesen wir nur. Nichts wird kopiert, bevor Sie den Plan gesehen haben. In ${source} wird nie etwas geändert oder gelöscht.`,
  introAgain: (source) =>
    `Wenn sich ein Passwort oder Schlüssel geändert hat, verbinden Sie das Konto neu. Der Import geht dann von selbst weiter. In ${source} wird nie etwas geändert oder gelöscht.`,
  otherAccount: {
    heading: 'Das sieht nach einem anderen Konto aus',
    words: (destination) =>
      `In ${destination} sind Datensätze des bisher verbundenen Kontos. Datensätze zweier Konten dürfen sich nicht mischen. Es wurde nichts geändert. Um ein anderes Konto zu verwenden, machen Sie den Import zuerst rückgängig.`,
    same: 'Es ist dasselbe Konto unter neuer Adresse',
    undo: 'Zuerst rückgängig machen',
  },
  from: 'Von',
  to: 'Nach',
  example: (text) => `Beispiel: ${text}`,
  openPage: (tool) => `Die Seite in ${tool} öffnen`,
  oauth: {
    signIn: (tool) => `Bei ${tool} anmelden`,
    goingTo: (tool) => `Weiter zu ${tool} …`,
    goes: (tool) =>
      `Sie melden sich auf der Seite von ${tool} an und kommen hierher zurück. Ihr Passwort sehen wir nie.`,
    where: 'Wo ist Ihr Konto?',
    byKey: 'Stattdessen einen API-Schlüssel verwenden',
    bySignIn: (tool) => `Stattdessen bei ${tool} anmelden`,
    endHeading: 'Sie sind noch nicht angemeldet',
    nothingChanged: 'Es wurde nichts geändert.',
    ends: {
      denied: (tool) =>
        `Sie haben den Zugriff in ${tool} nicht erlaubt. Wenn das ein Versehen war, melden Sie sich noch einmal an.`,
      expired: () => 'Diese Anmeldung war zu alt oder schon verwendet. Bitte melden Sie sich noch einmal an.',
      refused: (tool) =>
        `${tool} hat Sie angemeldet, zeigt uns das Konto aber nicht. Bitte melden Sie sich als jemand an, der alles sehen darf.`,
      other_account: (tool) =>
        `Das ist ein anderes Konto bei ${tool} als bisher. Datensätze zweier Konten dürfen sich nicht mischen. Melden Sie sich beim bisherigen Konto an, oder machen Sie den Import zuerst rückgängig.`,
      scopes: (tool, scopes) =>
        `${tool} hat uns nicht alle Rechte gegeben, die der Import braucht. Es fehlen: ${scopes}. Bitte melden Sie sich noch einmal an und erlauben Sie alles. Wenn ${tool} Ihnen keine Wahl lässt, nennen Sie dem Support diese Namen.`,
      not_set_up: (tool) =>
        `${tool} nimmt diesen Dienst im Moment nicht an. Das müssen wir beheben. Der Support kann Ihnen mehr sagen.`,
      unavailable: (tool) => `${tool} hat nicht geantwortet. Bitte versuchen Sie es später noch einmal.`,
    },
  },
  show: 'Anzeigen',
  hide: 'Verbergen',
  submit: 'Verbinden',
  checking: 'Anmeldung läuft …',
  connected: 'Verbunden',
  connectedAs: (name) => `Verbunden: ${name}`,
  change: 'Anderes Konto verbinden',
  changeUpload: 'Andere Dateien hochladen',
  keepThis: 'Das verbundene behalten',
  given: (partner) =>
    `${partner} hat uns dieses Konto mit dem Import genannt. Bitte bestätigen Sie, dass es das richtige ist.`,
  confirm: 'Ja, verbinden',
  other: 'Ein anderes Konto verwenden',
  refused: 'Wir konnten uns nicht anmelden',
  refusedMeaning: 'Nichts wurde geändert, und Ihre Eingabe wurde nicht aufbewahrt.',
  blank: 'Bitte füllen Sie dieses Feld aus.',
  notAllowed:
    'Zu dieser Adresse dürfen wir keine Verbindung aufbauen. Bitte prüfen Sie sie, oder fragen Sie den Support.',
  kept: 'Ihre Eingaben speichern wir verschlüsselt, nutzen sie nur für diesen Import und löschen sie an seinem Ende.',
  next: 'Sobald beide verbunden sind, lesen wir Ihre Daten und zeigen Ihnen einen Plan.',
}
