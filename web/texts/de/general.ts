import type { general as en } from '../en/general.ts'
import type { StatusFacts } from '../status-facts.ts'

const record = (count: number) => (count === 1 ? 'Datensatz' : 'Datensätzen')

const whoPays = ({ sponsorship, partner }: StatusFacts) =>
  ({
    accepted: `${partner} bezahlt sie.`,
    rejected: `${partner} bezahlt sie nicht; Sie müssen sie deshalb zuerst kaufen.`,
    undecided: `${partner} hat noch nicht entschieden, ob sie bezahlt wird.`,
  })[sponsorship]

export const general: typeof en = {
  pageTitle: (title, partner) => `${title} · ${partner}`,
  colon: ':',
  sizes: ['B', 'kB', 'MB', 'GB'],
  header: {
    madeFor: 'Ihr Import',
    family: {
      helpdesk: 'Helpdesk-Daten',
      project: 'Projektdaten',
      blog: 'Blog-Inhalte',
      crm: 'Kundendaten (CRM)',
    },
  },
  footer: {
    carriedOut: (partner) => `Wherry führt diesen Import für ${partner} aus.`,
    created: (when) => `Angelegt am ${when}`,
    reference: 'Kennung für den Support',
    language: 'Sprache',
    languageFailed: 'Die Sprache ließ sich nicht laden. Bitte versuchen Sie es noch einmal.',
  },
  tools: { csv: 'CSV-Dateien' },
  plates: {
    picture: 'Die beiden Konten',
    from: 'Von',
    to: 'Nach',
    access: {
      missing: 'Noch nicht verbunden',
      given: 'Wartet auf Ihre Bestätigung',
      checked: 'Verbunden',
      lost: 'Bitte prüfen',
    },
  },
  loading: {
    title: 'Ihr Import wird geöffnet',
    text: 'Wir sehen nach, wo er steht.',
  },
  status: {
    collecting_credentials: {
      title: ({ missingAccess }) =>
        missingAccess.length === 1
          ? `Der Zugang zu ${missingAccess[0]} fehlt noch`
          : 'Der Zugang zu beiden Konten steht noch aus',
      now: ({ source, destination }) =>
        `Bisher wurde nichts kopiert. Weder in ${source} noch in ${destination} wurde etwas geändert.`,
      next: ({ startFull, partner, destination }) =>
        startFull
          ? `Sobald beide Konten erreichbar sind, werden alle Ihre Daten sofort kopiert. ${partner} hat das ohne Probelauf bestellt und bezahlt es.`
          : `Sobald beide Konten erreichbar sind, beginnt der Import mit einer kleinen Probe, und zwar erst, wenn Sie sie starten. Sie sehen sich das Ergebnis in ${destination} an, bevor mehr kopiert wird.`,
    },
    waiting_to_start_sample_migration: {
      title: () => 'Bereit für die Probe',
      now: () => 'Beide Konten sind erreichbar. Im Moment wird nichts kopiert.',
      next: ({ destination }) =>
        `Die Probe beginnt, wenn Sie sie starten. Sie kopiert einige Datensätze, damit Sie diese in ${destination} ansehen können, bevor mehr kopiert wird.`,
    },
    sample_migration_in_progress: {
      title: ({ destination }) => `Eine Probe wird nach ${destination} kopiert`,
      now: ({ source }) =>
        `Ein kleiner Teil Ihrer Daten wird kopiert. In ${source} wird nichts geändert oder gelöscht.`,
      next: ({ destination }) =>
        `Wenn der letzte Datensatz kopiert und zurückgelesen ist, können Sie die Probe in ${destination} ansehen.`,
    },
    sample_migration_completed: {
      title: ({ destination }) => `Die Probe ist in ${destination}`,
      now: ({ source, destination }) =>
        `Die kopierten Datensätze liegen in ${destination} für Sie bereit. In ${source} wurde nichts geändert oder gelöscht.`,
      next: (facts) =>
        `Die vollständige Übertragung beginnt nicht von selbst, sondern nur, wenn Sie es wünschen. ${whoPays(facts)}`,
    },
    in_preparation: {
      title: () => 'Bereit für die vollständige Übertragung',
      now: () => 'Die vollständige Übertragung ist bezahlt. Im Moment wird nichts kopiert.',
      next: ({ source, destination }) =>
        `Die vollständige Übertragung kopiert Ihre Daten von ${source} nach ${destination}. In ${source} wird dabei nichts geändert oder gelöscht.`,
    },
    migration_in_progress: {
      title: ({ destination }) => `Ihre Daten werden nach ${destination} kopiert`,
      now: ({ source }) => `In ${source} wird nichts geändert oder gelöscht.`,
      next: () => 'Wenn der letzte Datensatz kopiert ist, steht es auf dieser Seite, mit den endgültigen Zahlen.',
    },
    migration_completed: {
      title: ({ destination }) => `Ihre Daten sind in ${destination}`,
      now: ({ source }) => `Der letzte Datensatz ist kopiert. In ${source} wurde nichts geändert oder gelöscht.`,
      next: ({ destination, warningCount }) =>
        warningCount > 0
          ? `Sie können jetzt in ${destination} arbeiten. Bitte lesen Sie auch die Hinweise unten.`
          : `Sie können jetzt in ${destination} arbeiten.`,
    },
    undo_in_progress: {
      title: ({ destination }) => `Die kopierten Daten werden aus ${destination} wieder entfernt`,
      now: ({ source }) => `Entfernt wird nur, was dieser Import angelegt hat. ${source} bleibt unberührt.`,
      next: () => 'Wenn der letzte Datensatz entfernt ist, steht es auf dieser Seite.',
    },
    migration_cleaned: {
      title: () => 'Der Import wurde rückgängig gemacht',
      now: ({ source, destination }) =>
        `Das Rückgängigmachen in ${destination} ist abgeschlossen. ${source} blieb unberührt.`,
      next: () => 'Es geschieht nichts weiter, solange Sie nicht neu beginnen.',
    },
  },
  nextHeading: 'Wie es weitergeht',
  progress: {
    heading: { copying: 'Bisher bearbeitet', removing: 'Bisher bearbeitet' },
    ofTotal: (done, total, count) => `${done} von ${total} ${record(count)}`,
    totalUnknown: (done, count) =>
      `${done} ${count === 1 ? 'Datensatz' : 'Datensätze'}. Wie viele es insgesamt sind, ist noch nicht bekannt.`,
    announced: (title, percent) => `${title}: ${percent} Prozent`,
  },
  items: {
    heading: (destination) => `Durch diesen Import jetzt in ${destination}`,
    entity: {
      accounts: 'Firmen',
      activities: 'Aktivitäten',
      agents: 'Bearbeiter',
      articles: 'Artikel',
      attachments: 'Anhänge',
      authors: 'Autoren',
      boards: 'Boards',
      canned_responses: 'Textbausteine',
      categories: 'Kategorien',
      closed_stages: 'Phasen für gewonnene und verlorene Verkaufschancen',
      comments: 'Kommentare',
      components: 'Komponenten',
      contacts: 'Kontakte',
      countries: 'Länder',
      deals: 'Verkaufschancen',
      field_definitions: 'Eigene Felder',
      groups: 'Gruppen',
      issues: 'Vorgänge',
      labels: 'Labels',
      leads: 'Interessenten',
      media: 'Mediendateien',
      members: 'Mitglieder',
      memberships: 'Mitgliedschaften',
      milestones: 'Meilensteine',
      notes: 'Notizen',
      organizations: 'Organisationen',
      pages: 'Seiten',
      party_categories: 'Kategorien',
      pipelines: 'Pipelines',
      posts: 'Beiträge',
      products: 'Produkte',
      project_members: 'Projektmitglieder',
      projects: 'Projekte',
      redirects: 'Weiterleitungen',
      relation_types: 'Arten von Beziehungen',
      relationships: 'Beziehungen',
      sections: 'Abschnitte',
      stages: 'Phasen',
      statuses: 'Status',
      subscribers: 'Abonnenten',
      tags: 'Schlagwörter',
      tasks: 'Aufgaben',
      teams: 'Teams',
      tickets: 'Tickets',
      time_entries: 'Zeiteinträge',
      users: 'Benutzer',
      wiki_pages: 'Wiki-Seiten',
    },
  },
  stale: (time) =>
    `Wir erreichen den Dienst im Moment nicht. Sie sehen den Stand von ${time}. Wir versuchen es weiter; Ihre Daten sind nicht betroffen.`,
  invalidLink: {
    title: 'Dieser Link öffnet keinen Import',
    meaning:
      'Er ist vielleicht unvollständig oder wurde durch einen neueren ersetzt. Ihre Daten sind davon nicht betroffen.',
    advice: 'Bitte gehen Sie zurück zu der App, aus der Sie kamen, und öffnen Sie den Import von dort noch einmal.',
  },
  signedOut: {
    title: 'Bitte öffnen Sie Ihren Import noch einmal',
    meaning:
      'Dieser Browser ist für den Import nicht angemeldet. Die Anmeldung gilt sieben Tage ab dem Öffnen des Links. Nichts ist verloren: Eine laufende Migration läuft weiter.',
    advice: 'Bitte gehen Sie zurück zu der App, aus der Sie kamen, und öffnen Sie den Import von dort.',
  },
  ended: {
    title: { cancelled: 'Dieser Import wurde abgebrochen', archived: 'Dieser Import wurde archiviert' },
    meaning: {
      cancelled: 'Er kopiert und ändert nichts mehr, und es gibt hier für Sie nichts mehr zu tun.',
      archived: 'Er ist abgeschlossen: Er kopiert und ändert nichts mehr, und es gibt hier für Sie nichts mehr zu tun.',
    },
    advice: {
      cancelled: (partner) =>
        `Wenn Sie das nicht erwartet haben, fragen Sie bitte ${partner}. Dort kann auch ein neuer Import angelegt werden.`,
      archived: (partner) => `Wenn Sie noch etwas daraus brauchen, fragen Sie bitte ${partner}.`,
    },
  },
  unavailable: {
    title: 'Wir erreichen Ihren Import im Moment nicht',
    meaning:
      'Entweder antwortet unser Dienst nicht, oder Ihre Internetverbindung ist unterbrochen. Ihre Daten sind davon nicht betroffen.',
    retrying: 'Wir versuchen es alle paar Sekunden erneut. Sobald eine Antwort kommt, geht es hier von selbst weiter.',
    tryNow: 'Jetzt versuchen',
    trying: 'Wird versucht …',
  },
  cookiesRefused: {
    title: 'Ihr Browser hat unser Cookie nicht behalten',
    meaning:
      'Diese Seite braucht ein einziges Cookie, um sich zu merken, dass Sie mit dem richtigen Link gekommen sind. Es dient nichts anderem. Ihre Daten sind davon nicht betroffen.',
    advice:
      'Bitte erlauben Sie Cookies für diese Website und öffnen Sie den Import dann noch einmal aus der App, aus der Sie kamen.',
  },
}
