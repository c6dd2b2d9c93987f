/** Translations of the service's sentences about refused input. `{}` is a placeholder for a value. */
export const requestSentences: Record<string, string> = {
  'could not be reached. Please check the address, or try again in a while.':
    'Unter dieser Adresse ist niemand zu erreichen. Bitte prüfen Sie die Adresse, oder versuchen Sie es später noch einmal.',
  'could not be reached: {} {}': 'Der Zugang wurde abgelehnt: {} {}',
  'does not let us in with this. Please check what you entered, and that it may read and write.':
    'Mit diesen Angaben kommen wir nicht hinein. Bitte prüfen Sie, was Sie eingegeben haben, und ob damit gelesen und geschrieben werden darf.',
  'is not an allowed address: it must be publicly reachable':
    'Diese Adresse ist nicht erlaubt: Sie muss öffentlich erreichbar sein.',
  'is not the account of the records that were copied ({}), so nothing was changed. Undo the import first, then connect it.':
    'Das ist nicht das Konto, in dem die kopierten Datensätze sind ({}). Es wurde nichts geändert. Machen Sie den Import erst rückgängig und verbinden Sie es dann.',
  'does not offer a sign-in from here': 'Dort kann man sich von hier aus nicht anmelden.',
  'answered, but not as a destination of Wherry does. Please check the address.':
    'Dort antwortet etwas anderes als das Ziel. Bitte prüfen Sie die Adresse.',
  'The tool answered {} {} and sends us on{}. We do not follow, so that data goes only where you said. If the tool has moved, please connect it again with its new address.':
    'Das Programm antwortete {} {} und schickt uns weiter. Dorthin gehen wir nicht, damit Daten nur dahin gelangen, wohin Sie wollten. Wenn das Programm umgezogen ist, verbinden Sie es bitte mit seiner neuen Adresse.',
  'Fernhill Desk does not accept this API key.': 'Fernhill Desk nimmt diesen API-Schlüssel nicht an.',
  'Request Tracker does not accept this token.': 'Request Tracker nimmt diesen Zugangsschlüssel nicht an.',
  'The token belongs to a user who does not see everything. Use one of a user with the right SuperUser.':
    'Der Zugangsschlüssel gehört jemandem, der nicht alles sieht. Nehmen Sie einen von jemandem mit dem Recht SuperUser.',
  'There is no Request Tracker 5 at this address.': 'Unter dieser Adresse ist kein Request Tracker 5.',
  'This is Request Tracker {}; version 5 is needed.': 'Das ist Request Tracker {}; gebraucht wird Version 5.',
  'There is no Redmine at this address, or its REST API is switched off.':
    'Unter dieser Adresse ist kein Redmine, oder seine REST-API ist abgeschaltet.',
  'There is something else than a Redmine at this address.': 'Unter dieser Adresse ist etwas anderes als ein Redmine.',
  'This API key belongs to someone who is no administrator, and does not see everything.':
    'Dieser API-Schlüssel gehört jemandem, der kein Administrator ist und nicht alles sieht.',
  'The address lacks the name of the database: write it at the end, as in https://tryton.example.com/company.':
    'In der Adresse fehlt der Name der Datenbank: Er steht am Ende, wie in https://tryton.example.com/company.',
  'The address must begin with https:// and end with the name of the database.':
    'Die Adresse muss mit https:// beginnen und mit dem Namen der Datenbank enden.',
  'This Tryton has no parties: its module "party" is not active.':
    'Dieses Tryton hat keine Parteien: Sein Modul „party“ ist nicht aktiv.',
  'This is Ghost {}. Please update it to Ghost 6 or later first.':
    'Das ist Ghost {}. Bitte bringen Sie es erst auf Ghost 6 oder neuer.',
  'This is not a key of the Admin API (id:secret).': 'Das ist kein Schlüssel der Admin-API (id:secret).',
  'This user may not do everything that an import needs ({}). Please use an administrator.':
    'Dieser Benutzer darf nicht alles, was ein Import braucht ({}). Bitte nehmen Sie einen Administrator.',
  'Please upload the files that you want to import.': 'Bitte laden Sie die Dateien hoch, die Sie importieren wollen.',
  'we cannot tell what the rows are. Choose what each file holds, or name the files after their content, such as contacts.csv.':
    'Es ist nicht bekannt, was die Zeilen sind. Wählen Sie, was jede Datei enthält, oder nennen Sie die Dateien danach, etwa contacts.csv.',
  'The zip file is damaged.': 'Die Zip-Datei ist beschädigt.',
  'Make the zip again and upload it.': 'Packen Sie sie neu und laden Sie sie noch einmal hoch.',
  'The zip has {} entries; at most {} are read.': 'Die Zip-Datei hat {} Einträge; höchstens {} werden gelesen.',
  'Put fewer files into it, or join those of one kind.':
    'Packen Sie weniger Dateien hinein, oder fügen Sie gleichartige zusammen.',
  'This file unpacks to far more than its size and is not read.':
    'Diese Datei wird beim Entpacken weit größer, als sie ist, und wird nicht gelesen.',
  'If it really is your table, upload it by itself, without a zip.':
    'Wenn es wirklich Ihre Tabelle ist, laden Sie sie allein hoch, ohne Zip.',
  'Archives in archives are not read.': 'Archive in Archiven werden nicht gelesen.',
  'Unpack it, and put its files into the zip.': 'Entpacken Sie es und legen Sie seine Dateien in die Zip-Datei.',
  'Line {}: the row has more than {} values.': 'Zeile {}: Die Zeile hat mehr als {} Werte.',
  'Check that this is the right file.': 'Sehen Sie nach, ob es die richtige Datei ist.',
  'Tables may have up to 500 columns.': 'Tabellen dürfen bis zu 500 Spalten haben.',
  'This file has no rows.': 'Diese Datei hat keine Zeilen.',
  'This workbook has no rows.': 'Diese Arbeitsmappe hat keine Zeilen.',
  'Export your data again, and check the file before you upload it.':
    'Exportieren Sie Ihre Daten noch einmal und sehen Sie vor dem Hochladen in die Datei.',
  'Check the file before you upload it.': 'Sehen Sie vor dem Hochladen in die Datei.',
  'This is {}, and not a CSV file.': 'Das ist keine CSV-Datei.',
  'Export your data as CSV and upload the CSV file, or a zip of several.':
    'Exportieren Sie Ihre Daten als CSV und laden Sie die CSV-Datei hoch, oder mehrere als Zip.',
  'This is a document of an office program that is not read.':
    'Das ist ein Dokument eines Büroprogramms, das nicht gelesen wird.',
  'This workbook cannot be read.': 'Diese Arbeitsmappe kann nicht gelesen werden.',
  'It may be damaged, or have a password.': 'Sie ist vielleicht beschädigt oder hat ein Passwort.',
  'This workbook is too large to be read at once.': 'Diese Arbeitsmappe ist zu groß, um auf einmal gelesen zu werden.',
  'could not be read: a tool does not answer. Please try again.':
    'Das ließ sich nicht lesen: Ein Programm antwortet nicht. Bitte versuchen Sie es noch einmal.',
  'could not be read: a tool allows no more requests for now. Please try again later.':
    'Das ließ sich nicht lesen: Ein Programm erlaubt vorerst keine weiteren Anfragen. Bitte versuchen Sie es später noch einmal.',
  'could not be read within a minute: a tool or this service is busy. Please try again.':
    'Das ließ sich nicht innerhalb einer Minute lesen: Ein Programm oder dieser Dienst ist beschäftigt. Bitte versuchen Sie es noch einmal.',
  'could not be read: the address of a tool is no longer allowed. Please connect it again.':
    'Das ließ sich nicht lesen: Die Adresse eines Programms ist nicht mehr erlaubt. Bitte verbinden Sie es neu.',
  'The source no longer has this record.': 'Die Quelle hat diesen Datensatz nicht mehr.',
  'can name {} more: samples of an import are free for {} records in all, and {} are used':
    'Es können noch {} genannt werden: Proben eines Imports sind für insgesamt {} Datensätze frei, {} davon sind verbraucht.',
  'covers up to {} records, and the plan now has {}: leave some out, or pay the difference':
    'Bezahlt sind bis zu {} Datensätze, und der Plan hat jetzt {}: Lassen Sie einige weg, oder zahlen Sie den Unterschied.',
  'This import could be undone until {}. The access to both accounts was erased then.':
    'Dieser Import ließ sich bis {} rückgängig machen. Der Zugang zu beiden Konten wurde dann gelöscht.',
  '{} no longer offers imports: nothing new can be started. What was copied can be undone.':
    '{} bietet keine Importe mehr an: Es kann nichts Neues begonnen werden. Was kopiert wurde, kann rückgängig gemacht werden.',
  'is not needed: the partner pays': 'Das ist nicht nötig: Der Partner zahlt.',
  'is no longer needed: look at who pays now': 'Das ist nicht mehr nötig: Sehen Sie, wer jetzt zahlt.',
  'is not possible yet: the partner has not decided whether to pay':
    'Das geht noch nicht: Der Partner hat noch nicht entschieden, ob er zahlt.',
  'is not possible now: it is paid already, or the plan is not finished':
    'Das geht jetzt nicht: Es ist schon bezahlt, oder der Plan ist nicht fertig.',
  'cannot be cancelled: no payment is open': 'Es gibt nichts abzubrechen: Keine Zahlung steht aus.',
  'must be one e-mail address, such as you@example.com': 'Bitte geben Sie eine E-Mail-Adresse an, wie sie@example.com.',
  'must be an e-mail address': 'Das ist keine E-Mail-Adresse.',
  'must be a tax number of 4 to 20 characters': 'Eine Steuernummer hat 4 bis 20 Zeichen.',
  'must not be longer than {} characters': 'Höchstens {} Zeichen sind möglich.',
  'must be at most {} characters long': 'Höchstens {} Zeichen sind möglich.',
  'must have at most {} characters': 'Höchstens {} Zeichen sind möglich.',
  'must have 1 to {} characters': 'Bitte geben Sie 1 bis {} Zeichen ein.',
  'must be one of {}': 'Möglich sind: {}.',
  'has no place in the destination: choose one under Match your fields':
    'Das Feld hat keinen Platz im Ziel: Wählen Sie einen bei der Zuordnung der Felder.',
  'is filled by {} already': 'Dieser Platz wird schon von {} gefüllt.',
  'is filled by {}: leave that field out or send it elsewhere first':
    'Dieser Platz wird von {} gefüllt: Lassen Sie jenes Feld weg, oder geben Sie ihm erst einen anderen Platz.',
  'is filled by several fields together': 'Dieser Platz wird von mehreren Feldern zusammen gefüllt.',
  'the destination has no such field': 'Das Ziel hat dieses Feld nicht.',
  'the source has no such field': 'Die Quelle hat dieses Feld nicht.',
  'several fields fit only into a text': 'Mehrere Felder passen nur in einen Text.',
  'the destination requires this field: send another field there, or set a default':
    'Das Ziel verlangt dieses Feld: Schicken Sie ein anderes Feld dorthin, oder einen festen Wert.',
  'does not fit: {} refers to another kind of record': 'Das passt nicht: {} führt zu einer anderen Art von Datensatz.',
  'this field holds no text that could be changed': 'Dieses Feld enthält keinen Text, der sich ändern ließe.',
  'this field controls who may see a record: choose under values what each value becomes':
    'Dieses Feld sagt, wer einen Datensatz sehen darf: Sagen Sie bei den Werten, was aus jedem wird.',
  'a text with formatting can be changed only on its way into a plain text field':
    'Ein Text mit Formatierung lässt sich nur auf dem Weg in ein einfaches Textfeld ändern.',
  'cannot be kept before the destination is connected': 'Das geht erst, wenn das Ziel verbunden ist.',
  'there is nothing to keep: the mapping is as suggested':
    'Es gibt nichts zu behalten: Die Zuordnung ist, wie vorgeschlagen.',
  'cannot be kept: there are {} already. Replace one of them.':
    'Mehr als {} lassen sich nicht behalten. Ersetzen Sie eine davon.',
  'cannot be kept: too many people have given a name':
    'Der Name kann nicht behalten werden: Zu viele haben schon einen angegeben.',
}
