/** Translations of the service's sentences when it refuses a request. `{}` is a placeholder for a value. */
export const refusalSentences: Record<string, string> = {
  'There is no such import.': 'Diesen Import gibt es nicht.',
  'There is no such run.': 'Diesen Lauf gibt es nicht.',
  'There is no such account.': 'Dieses Konto gibt es nicht.',
  'There is no such record in this import.': 'Diesen Datensatz gibt es in diesem Import nicht.',
  'There is no such version.': 'Diese Version gibt es nicht.',
  'There is no such mapping of this account.': 'Diese Zuordnung gibt es für dieses Konto nicht.',
  'There is no certificate yet: it is made when a migration or an undo is finished.':
    'Es gibt noch kein Zertifikat: Es wird ausgestellt, wenn eine Übertragung oder ein Rückgängigmachen abgeschlossen ist.',
  'There is no invoice for this import.': 'Für diesen Import gibt es keine Rechnung.',
  'There is no credit note for this import.': 'Für diesen Import gibt es keine Gutschrift.',
  'This import has ended already.': 'Dieser Import ist schon beendet.',
  'This import is open in too many windows.': 'Dieser Import ist in zu vielen Fenstern offen.',
  'This import was cancelled, so there is nothing left to do here. {} can tell you more, or start a new one.':
    'Dieser Import wurde abgebrochen, hier ist nichts mehr zu tun. {} kann Ihnen mehr sagen oder einen neuen beginnen.',
  'This import was closed and archived, so there is nothing left to do here. {} can tell you more.':
    'Dieser Import wurde abgeschlossen und archiviert, hier ist nichts mehr zu tun. {} kann Ihnen mehr sagen.',
  'This link opens no import. Please open it again from where you got it.':
    'Dieser Link öffnet keinen Import. Bitte öffnen Sie ihn noch einmal dort, wo Sie ihn bekommen haben.',
  'Too many invalid links were tried from your network. Please try again soon.':
    'Aus Ihrem Netz wurden zu viele ungültige Links versucht. Bitte versuchen Sie es bald noch einmal.',
  'Please upload it again.': 'Bitte laden Sie sie noch einmal hoch.',
  'The payment provider does not answer correctly. Please try again shortly.':
    'Der Zahlungsanbieter antwortet nicht, wie er soll. Bitte versuchen Sie es bald noch einmal.',
  'The client id for {} was removed, so its accounts cannot be kept open.':
    'Der Zugang dieses Dienstes zu {} wurde entfernt. Konten dort lassen sich nicht offen halten.',
  'cannot be connected: our connector for {} failed. Nothing was changed. Please tell support.':
    'Das Konto kann nicht verbunden werden: Unsere Anbindung für {} hat versagt. Nichts wurde geändert. Bitte sagen Sie dem Support Bescheid.',
  'cannot be connected: there is no connector for {}':
    'Das Konto kann nicht verbunden werden: Für {} gibt es keine Anbindung.',
  'takes {} data, and this import brings {} data. Please check the address.':
    'Das Ziel nimmt Daten der Art {}, dieser Import bringt solche der Art {}. Bitte prüfen Sie die Adresse.',
  "can't be blank": 'Bitte füllen Sie dieses Feld aus.',
  'must be true if it is the same account at a new address or under a new name':
    'Bitte bestätigen Sie, dass es dasselbe Konto ist, unter neuer Adresse oder neuem Namen.',
  'has been decided already: it was {}': 'Darüber ist schon entschieden ({}).',
  accepted: 'angenommen',
  rejected: 'abgelehnt',
  'can no longer be asked for: the full migration has started':
    'Darum kann nicht mehr gebeten werden: Die vollständige Übertragung hat begonnen.',
  'there is no such person in the destination': 'Diese Person gibt es im Ziel nicht.',
  'there is no such person in the source': 'Diese Person gibt es in der Quelle nicht.',
  'has no name in the source that could be kept':
    'Diese Person hat in der Quelle keinen Namen, der sich behalten ließe.',
  'finds nothing to remove: the source still has every copied record':
    'Es gibt nichts zu entfernen: Die Quelle hat noch jeden kopierten Datensatz.',
  'does not allow this now: the run is not stuck at anything to skip':
    'Das geht jetzt nicht: Es gibt nichts zu überspringen.',
  'does not allow this now: the sample comes first': 'Das geht jetzt nicht: Die Probe kommt zuerst.',
  'does not allow this now: nothing is under way': 'Das geht jetzt nicht: Es läuft nichts.',
  'does not allow this now: nothing is paused, or support has paused it':
    'Das geht jetzt nicht: Nichts ist angehalten, oder der Support hat es angehalten.',
  'does not allow this now: {}': 'Das geht im jetzigen Stand nicht: {}.',
  'Collecting credentials': 'beide Konten fehlen noch',
  'Waiting to start sample migration': 'bereit für die Probe',
  'Sample migration in progress': 'Probe läuft',
  'Sample migration completed': 'Probe fertig',
  'In preparation': 'bereit für die vollständige Übertragung',
  'Migration in progress': 'vollständige Übertragung läuft',
  'Migration completed': 'Übertragung fertig',
  'Undo in progress': 'wird rückgängig gemacht',
  'Migration cleaned': 'rückgängig gemacht',
  'is missing: the full migration starts when the partner has accepted to pay or the purchase is paid':
    'Die vollständige Übertragung beginnt, sobald der Partner die Zahlung übernommen hat oder Sie bezahlt haben.',
  'is not finished, so the price is not known. Wait until it is done, or look again, and then start':
    'Der Plan ist noch nicht fertig, deshalb steht der Preis noch nicht fest. Bitte warten Sie, bis er fertig ist, oder lassen Sie ihn neu erstellen, und starten Sie dann.',
  'is missing: the partner’s budget for this month has no room for it':
    'Das Budget des Partners für diesen Monat reicht dafür nicht mehr. Sie können die Übertragung kaufen.',
  'must be 1 for the first part, or -1 for the last': '1 steht für den ersten Teil, -1 für den letzten.',
  'must be a day or a moment, such as 2026-01-31 or 2026-01-31T08:00:00Z':
    'Bitte geben Sie einen Tag oder Zeitpunkt an, wie 2026-01-31 oder 2026-01-31T08:00:00Z.',
  'must not hold {}': 'Das ist hier nicht möglich: {}.',
  'must be {} or another of its kind': 'Möglich ist {} oder etwas derselben Art.',
  'is of a type that is not accepted here': 'Ein Wert dieser Art ist hier nicht möglich.',
  'is no field whose value can be typed': 'Der Wert dieses Feldes lässt sich nicht eintippen.',
  'the source has no field {}': 'Die Quelle hat kein Feld {}.',
  '{} is no text and cannot be part of one': '{} ist kein Text und kann nicht Teil eines Textes sein.',
  'is not one of the fields': 'Dieses Feld gibt es nicht.',
  'does not fit: {} cannot become {}': 'Das passt nicht. Vorhanden ist: {}; gebraucht wird: {}.',
  'a text': 'ein Text',
  'a long text': 'ein langer Text',
  'a text with formatting': 'ein Text mit Formatierung',
  'a whole number': 'eine ganze Zahl',
  'a number': 'eine Zahl',
  'yes or no': 'Ja oder Nein',
  'a day': 'ein Tag',
  'a moment': 'ein Zeitpunkt',
  'a choice': 'eine Auswahl',
  'an e-mail address': 'eine E-Mail-Adresse',
  'a phone number': 'eine Telefonnummer',
  'a web address': 'eine Webadresse',
  'an amount of money': 'ein Geldbetrag',
  'a postal address': 'eine Postanschrift',
  'a person': 'eine Person',
  'a link to a record': 'ein Verweis auf einen Datensatz',
  'at most {} records can be corrected one by one.': 'Höchstens {} Datensätze lassen sich einzeln korrigieren.',
  'Change the values in the source, or under Match your fields':
    'Ändern Sie die Werte in der Quelle oder bei der Zuordnung der Felder.',
  'is not an entity of {}': 'Diese Art von Datensätzen gibt es dort nicht ({}).',
  'does not fit a field that holds {}': 'Das passt nicht in dieses Feld. Es enthält: {}.',
  'is no day of the calendar': 'Diesen Tag gibt es nicht.',
  'must be before created_before': 'Der Anfang muss vor dem Ende liegen.',
  'is not the newest: someone saved version {} meanwhile': 'Inzwischen hat jemand Version {} gespeichert.',
  'cannot be kept: there are {} already. Remove one of them first.':
    'Mehr als {} lassen sich nicht behalten. Entfernen Sie erst eine davon.',
  'cannot be printed on our invoices: please use Latin, Greek or Cyrillic letters':
    'Das lässt sich auf Rechnungen nicht drucken: Bitte nehmen Sie lateinische, griechische oder kyrillische Buchstaben.',
  'must be a country, by its two letters': 'Bitte wählen Sie ein Land.',
  'has not been given yet, so there is nothing to confirm':
    'Es ist noch nichts angegeben, es gibt also nichts zu bestätigen.',
  'is not there yet: both accounts are looked at first. Please wait a moment.':
    'Das gibt es noch nicht: Erst werden beide Konten angesehen. Bitte warten Sie einen Augenblick.',
  'is missing: no way to pay is set up yet': 'Es ist noch keine Art zu zahlen eingerichtet.',
  'at most {} at once': 'Höchstens {} auf einmal.',
  'cannot be read: {} {}': 'Das lässt sich nicht lesen: {} {}',
  'must be at most {} characters, without control characters': 'Höchstens {} Zeichen sind möglich, ohne Steuerzeichen.',
  '{}; several are separated by semicolons': '{}; mehrere werden durch Strichpunkte getrennt',
  'must be a text': 'Erwartet wird ein Text',
  'must be a whole number': 'Erwartet wird eine ganze Zahl',
  'must be a number, such as 12.5': 'Erwartet wird eine Zahl wie 12.5',
  'must be true or false': 'Erwartet wird true oder false',
  'must be a day, such as 2024-12-31': 'Erwartet wird ein Tag wie 2024-12-31',
  'must be a moment, such as 2024-12-31T23:59Z': 'Erwartet wird ein Zeitpunkt wie 2024-12-31T23:59Z',
  'must be an address, such as https://acme.example': 'Erwartet wird eine Adresse wie https://acme.example',
  'must not contain control characters': 'Steuerzeichen sind nicht möglich.',
}
