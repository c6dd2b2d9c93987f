import type { plan as en } from '../en/plan.ts'

export const plan: typeof en = {
  titleWorking: 'Wir lesen Ihre Daten',
  working: (source) =>
    `Wir lesen Datensätze jeder Art aus ${source}, damit der Plan auf Ihren eigenen Daten beruht. Geschrieben wird nichts.`,
  lookedAt: (count) => `${count} gelesen`,
  title: (destination) => `Ihr Plan für ${destination}`,
  intro: (source) =>
    `Bisher wurde nichts kopiert. In ${source} wird nichts geändert oder gelöscht, weder jetzt noch später.`,
  introAgain:
    'Wählen Sie, welche Datensätze kopiert werden und wie. Der nächste Lauf arbeitet mit Ihrer gespeicherten Auswahl.',
  paused: 'Wir konnten noch nicht alles lesen',
  numbers: 'Zu kopierende Datensätze',
  entity: 'Was',
  count: 'Wie viele',
  span: 'Aus welcher Zeit',
  fields: 'Felder',
  include: (entity) => `${entity} kopieren`,
  included: 'Wird kopiert',
  leftOut: 'Von Ihnen weggelassen',
  notTaken: (destination) => `${destination} nimmt das nicht an`,
  withheld: (count) => `${count} weitere nicht lesbar`,
  uncounted: 'nicht gezählt',
  noneOf: 'keine',
  filtered: 'Nur ein Teil, wie von Ihnen gewählt',
  nothing: (source) => `In ${source} haben wir nichts zu kopieren gefunden.`,
  editMapping: 'Alle Felder ansehen und ändern',
  editEntity: (entity) => `Felder von ${entity}`,
  checks: 'Bitte beheben Sie das zuerst',
  checksAdvice: 'Gut zu wissen',
  checksPassed: (count) => `${count} Prüfungen bestanden`,
  blocking: 'Sie müssen das beheben, bevor die Probe beginnen kann.',
  lookAgain: 'Noch einmal nachsehen',
  lookingAgain: 'Wir sehen nach …',
  checkingAgain: 'Sie haben etwas geändert. Wir prüfen es an Ihren Datensätzen …',
  outdated: 'Diese Zahlen stammen aus der Zeit vor Ihrer letzten Änderung.',
  verdict: {
    all: (count) => `Alle ${count} Datensätze kommen vollständig an.`,
    some: (whole, all) => `${whole} von ${all} Datensätzen kommen vollständig an.`,
    needs: (count, isOne) => `${count} ${isOne ? 'braucht' : 'brauchen'} eine Entscheidung.`,
    rest: (count, isOne) =>
      isOne
        ? `${count} weiterer ändert sich oder wird nicht kopiert.`
        : `${count} weitere ändern sich oder werden nicht kopiert.`,
    partial: (looked, total) =>
      `Wir haben ${looked} von ${total} Datensätzen gelesen. Für sie gelten diese Zahlen. In den übrigen kann es weitere Verluste geben.`,
  },
  decisions: 'Ihre Entscheidungen',
  decisionsText: 'Die größten Verluste stehen oben. Ohne Ihre Entscheidung geschieht es wie beschrieben.',
  staysBehind: 'Datensätze und Werte, die sich ändern oder nicht kopiert werden',
  staysBehindText: 'Hier ist nichts zu entscheiden.',
  smallChanges: 'Kleine Änderungen',
  smallChangesText: 'Das Ergebnis der Übertragung würde dann sagen:',
  nothingLost: 'Wir haben nichts gefunden, was verloren ginge.',
  nothingLostPart: 'In den Datensätzen, die wir gelesen haben, ginge nichts verloren.',
  recordsOf: (count, isOne) => (isOne ? `${count} Datensatz` : `${count} Datensätze`),
  example: (which) => `Zum Beispiel: ${which}`,
  valueTimes: (value, count) => `${value} (${count})`,
  loss: {
    refused: '{destination} verlangt dieses Feld, und es ist leer. {destination} würde diese Datensätze ablehnen.',
    not_protected:
      '{destination} würde diese auch Personen zeigen, die sie jetzt nicht sehen. Sie werden nicht kopiert, es sei denn, Sie erlauben es.',
    option_not_offered: '{destination} bietet diese Werte nicht an. Das Feld bleibt leer.',
    value_does_not_fit: 'Diese Werte passen nicht in das Feld in {destination}. Es bleibt leer.',
    user_kept_as_name:
      'Diese Personen haben noch kein Konto in {destination}. Die Datensätze behalten ihre Namen, wie Sie es gewählt haben.',
    user_not_matched: 'Diese Personen haben kein Konto in {destination}. Die Datensätze kommen ohne ihre Namen an.',
    only_first_kept: '{destination} nimmt hier einen Wert. Nur der erste wird kopiert.',
    text_cut: 'Diese Texte sind länger, als {destination} annimmt. Sie werden gekürzt.',
    field_not_taken: '{destination} hat kein solches Feld. Seine Werte werden nicht kopiert.',
    value_unreadable: 'Einige Werte lassen sich nicht lesen, etwa ein Tag, den es nicht gibt. Sie werden weggelassen.',
    required_empty: 'Diesen Datensätzen fehlt ein Feld, das sie haben sollten.',
    row_skipped: 'Diese Zeilen lassen sich nicht lesen. Sie werden weggelassen.',
    duplicate_id: 'Mehrere Zeilen haben dieselbe Kennung. Jede wird ein eigener Datensatz.',
    entity_not_taken: '{destination} nimmt Datensätze dieser Art nicht an. Sie bleiben in {source}.',
    file_too_large: 'Diese Dateien sind größer, als {destination} annimmt. Sie bleiben in {source}.',
    held: 'Diese Datensätze gehören zu anderen, die nicht kopiert werden, und warten auf diese.',
    parent_missing: 'Diese Datensätze gehören zu einem, der nicht kopiert wird, und werden deshalb auch nicht kopiert.',
    merged:
      'Jeder dieser Datensätze wird mit einem anderen zusammengeführt, etwa mit einem gleichen Namens oder gleicher Adresse. {destination} führt beide als einen Datensatz.',
    relation_lost:
      'Sie verweisen auf Datensätze, die nicht kopiert werden oder die es in {source} nicht gibt. Der Verweis entfällt.',
    fewer_than_counted:
      '{source} zählt mehr Datensätze, als es herausgibt. Nehmen Sie den Schlüssel eines Administrators, wenn welche fehlen.',
  },
  control: {
    chooseValues: 'Wählen, was daraus wird',
    chooseField: 'Anderes Feld wählen',
    leaveOut: 'Weglassen',
    matchPeople: 'Personen zuordnen',
    otherFile: 'Berichtigte Datei hochladen',
    defaultFor: (field) => `Wert, wo ${field} leer ist`,
    useDefault: 'Verwenden',
    saving: 'Wird gespeichert …',
  },
  wholeOf: (whole, all) => `${whole} von ${all} vollständig`,
  allWhole: (count) => `alle ${count} vollständig`,
  time: 'Wie lange es dauert',
  duration: (from, to) =>
    from === to
      ? `Etwa ${from}. Sie können das Fenster solange schließen.`
      : `Etwa ${from} bis ${to}. Sie können das Fenster solange schließen.`,
  durationMeasured: 'Gemessen an Ihrer Probe.',
  durationByLimits: 'Geschätzt aus den Zahlen und den Grenzen beider Programme. Ihre Probe macht es genauer.',
  minutes: (count) => (count === 1 ? '1 Minute' : `${count} Minuten`),
  hours: (count, isOne) => (isOne ? `${count} Stunde` : `${count} Stunden`),
  unprotected: 'Private Datensätze',
  unprotectedText: (destination) =>
    `${destination} würde diese auch Personen zeigen, die sie jetzt nicht sehen. Sie werden nicht kopiert, es sei denn, Sie erlauben es.`,
  unprotectedOf: (entity, count, isAtLeast) =>
    `${entity}: ${isAtLeast ? 'mindestens ' : ''}${count} ${count === '1' ? 'ist' : 'sind'} privat`,
  allowUnprotected: (entity) => `Private ${entity} trotzdem kopieren`,
  promises: (destination) => `Über ${destination}`,
  mayLose: (destination) => `Mögliche Verluste einzelner Datensätze in ${destination}`,
  keepsTimes: {
    yes: 'Datumsangaben und Verfasser bleiben erhalten.',
    no: 'Als Datum gilt der Tag des Imports; das ursprüngliche steht, wo möglich, im Text.',
  },
  keepsTimesInside: (entity, most) =>
    `${entity}: Die ersten ${most} jedes Datensatzes behalten Datum und Verfasser. Für weitere gilt der Tag des Imports.`,
  sendsNoMail: {
    yes: 'Niemand bekommt wegen des Imports eine E-Mail.',
    no: 'Es kann sein, dass E-Mails über neue Datensätze verschickt werden. Der dortige Support weiß, wie man das abschaltet.',
  },
  canUndo: {
    yes: 'Alles lässt sich rückgängig machen.',
    no: 'Kopierte Datensätze lassen sich dort nicht entfernen: Rückgängigmachen ist nicht möglich.',
  },
  largestFile: (size) => `Dateien bis ${size} werden angenommen.`,
  once: {
    A: 'Kein Datensatz kann doppelt ankommen, auch wenn eine Verbindung abreißt.',
    B: 'Kein Datensatz kann doppelt ankommen, auch wenn eine Verbindung abreißt.',
    C: 'Reißt eine Verbindung ab, prüfen wir, bevor wir einen Datensatz noch einmal senden. Am Ende suchen wir nach Dubletten.',
    D: 'Reißt eine Verbindung im falschen Moment ab, führen wir die ungewissen Datensätze auf, statt sie zweimal zu senden.',
  },
  people: 'Personen',
  peopleMatched: (matched, all) => `${matched} von ${all} Personen wurden auf beiden Seiten gefunden.`,
  peopleNone: (source) => `In ${source} gibt es keine Personen zuzuordnen.`,
  editPeople: 'Personen ansehen und zuordnen',
  sample: 'Die kostenlose Probe',
  sampleText: (destination) =>
    `Wir kopieren von jeder Art bis zu 20 Datensätze, mit ihren Kommentaren und Dateien. Ungewöhnliche wählen wir mit Absicht. Danach vergleichen Sie sie in ${destination} mit den Originalen.`,
  sampleFree: ({ of, left, chosen }, show) =>
    `Die Proben dieses Imports sind für insgesamt ${show(of)} Datensätze kostenlos. ${show(left)} sind übrig.${
      chosen === null ? '' : ` Bis zu ${show(chosen)} wählen wir aus, damit Sie danach noch andere nennen können.`
    } Eine Probe mit denselben Datensätzen zu wiederholen verbraucht keine.`,
  named: 'Sollen bestimmte Datensätze dabei sein?',
  namedText: 'Nennen Sie sie mit ihrer Kennung in der Quelle, eine je Zeile.',
  namedEntity: 'Art der Datensätze',
  namedIds: 'Kennungen, eine je Zeile',
  start: 'Kostenlose Probe starten',
  starting: 'Die Probe wird gestartet …',
  restart: 'Probe mit diesem Plan wiederholen',
  backToReview: 'Zurück zur Probe',
  fullNote: 'Die vollständige Übertragung arbeitet mit Ihrer gespeicherten Auswahl.',
  toFull: 'Weiter zur vollständigen Übertragung',
  madeAt: (when) => `Nachgesehen ${when}`,
}
