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
      `In ${destination} sind Datensätze des bisherigen Kontos, und Datensätze zweier Konten dürfen sich nicht mischen. Es wurde nichts geändert. Für ein anderes Konto machen Sie zuerst rückgängig.`,
    same: 'Es ist dasselbe Konto unter neuer Adresse',
    undo: 'Zuerst rückgängig machen',
  },
  from: 'Von',
  to: 'Nach',
  labels: { instance_url: 'Adresse', username: 'Benutzername', token: 'API-Schlüssel' },
  password: 'Passwort',
  hints: {
    instance_url: 'Wie in der Adresszeile Ihres Browsers, zum Beispiel https://desk.example.com',
    username: 'Der Name, mit dem Sie sich anmelden',
    token:
      'Legen Sie ihn in den Einstellungen Ihres Kontos an, für einen Administrator: Wir sehen nur, was diese Person sieht.',
  },
  tools: {
    fernhill: {
      token: 'In Fernhill Desk: Settings, dann API. In der Vorführung steht er da, wo der Dienst gestartet wurde.',
    },
    ghost: {
      tokenLabel: 'Admin-API-Schlüssel',
      token: 'In Ghost: Settings, Integrations, Add custom integration. Er ist lang und enthält einen Doppelpunkt.',
    },
    redmine: {
      token: 'In Redmine, als Administrator: Mein Konto, dann API-Zugriffsschlüssel, dann Anzeigen.',
    },
    rt: {
      tokenLabel: 'Authentifizierungs-Token',
      token:
        'In Request Tracker: Angemeldet als, Einstellungen, Auth-Tokens. Der Benutzer braucht das Recht SuperUser.',
    },
    tryton: {
      instance_url: 'Adresse des Servers mit dem Namen der Datenbank, zum Beispiel https://erp.example.com/firma',
      tokenLabel: 'Passwort',
      token: 'Das Passwort dieses Benutzers. Am besten ist ein eigener Benutzer für den Import.',
    },
    wordpress: {
      tokenLabel: 'Anwendungspasswort',
      token:
        'In WordPress, als Administrator: Benutzer, Profil, Anwendungspasswörter. Nicht das Passwort, mit dem Sie sich anmelden.',
    },
    open: {
      instance_url:
        'Adresse der Import-Schnittstelle. Sie steht in den Einstellungen Ihres Kontos, oder fragen Sie den Support.',
      tokenLabel: 'Zugangs-Token',
      token: 'Wird dort in den Einstellungen Ihres Kontos angelegt.',
    },
  },
  oauth: {
    signIn: (tool) => `Bei ${tool} anmelden`,
    goingTo: (tool) => `Weiter zu ${tool} …`,
    goes: (tool) =>
      `Sie melden sich auf der Seite von ${tool} an und kommen hierher zurück. Ihr Passwort sehen wir nie.`,
    where: 'Bei welchem',
    byKey: 'Stattdessen einen API-Schlüssel verwenden',
    bySignIn: (tool) => `Stattdessen bei ${tool} anmelden`,
    endHeading: 'Sie sind noch nicht angemeldet',
    nothingChanged: 'Es wurde nichts geändert.',
    ends: {
      denied: (tool) =>
        `Sie haben es in ${tool} nicht erlaubt. Wenn das nicht so gemeint war, melden Sie sich noch einmal an.`,
      expired: () => 'Diese Anmeldung war zu alt oder schon verwendet. Bitte melden Sie sich noch einmal an.',
      refused: (tool) =>
        `${tool} hat Sie angemeldet, zeigt uns das Konto aber nicht. Bitte melden Sie sich als jemand an, der alles sehen darf.`,
      not_set_up: (tool) =>
        `${tool} nimmt diesen Dienst im Moment nicht an. Das müssen wir richten; der Support weiß mehr.`,
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
  notAllowed: 'Mit dieser Adresse dürfen wir nicht sprechen. Bitte prüfen Sie sie, oder fragen Sie den Support.',
  kept: 'Ihre Eingaben bewahren wir versiegelt auf, nutzen sie nur für diesen Import und löschen sie an seinem Ende.',
  next: 'Sobald beide verbunden sind, lesen wir Ihre Daten und zeigen Ihnen einen Plan.',
}
