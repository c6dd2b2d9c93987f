/** Translations of the service's sentences about uploaded files. `{}` is a placeholder for a value. */
export const uploadSentences: Record<string, string> = {
  'The column "{}" names {} by {}, but they are known by {}. It is kept as text.':
    'Die Spalte „{}“ nennt einen anderen Datensatz ({}) mit: {}. In seiner Tabelle steht aber: {}. Sie bleibt als Text erhalten.',
  'The column "{}" names {} by {}, but no table of {} has that. It is kept as text.':
    'Die Spalte „{}“ nennt einen anderen Datensatz ({}) mit: {}. Das hat keine Tabelle dafür ({}). Sie bleibt als Text erhalten.',
  'Use the {} of the {} in this column.': 'Tragen Sie in dieser Spalte ein: {} ({}).',
  'Choose above which column of the {} holds the {}, if there is one.':
    'Wählen Sie oben, in welcher Spalte dieser Tabelle ({}) das steht, wenn es sie gibt: {}.',
  'Add a file of {} with a column for the {}.': 'Laden Sie dazu eine Datei hoch ({}), mit einer Spalte für: {}.',
  'e-mail': 'E-Mail',
  name: 'Name',
  'Only the first {} files of a zip are read.': 'Nur die ersten {} Dateien einer Zip-Datei werden gelesen.',
  'The files of the zip are too large together.': 'Die Dateien der Zip-Datei sind zusammen zu groß.',
  'Upload fewer of them at a time.': 'Laden Sie weniger davon auf einmal hoch.',
  'The zip holds no files.': 'Die Zip-Datei enthält keine Dateien.',
  'Put your CSV files into it and upload it again.':
    'Legen Sie Ihre CSV-Dateien hinein und laden Sie sie noch einmal hoch.',
  'Workbooks in a zip are not read.': 'Arbeitsmappen in einer Zip-Datei werden nicht gelesen.',
  'Upload an .xlsx file by itself, or save each sheet as "CSV UTF-8" and put those files into the zip.':
    'Laden Sie eine .xlsx-Datei allein hoch, oder speichern Sie jedes Blatt als „CSV UTF-8“ und legen Sie diese Dateien in die Zip-Datei.',
  'Only .csv, .tsv, .tab and .txt files are read.':
    'Nur Dateien mit der Endung .csv, .tsv, .tab oder .txt werden gelesen.',
  'If it is a table, save it as .csv.': 'Wenn es eine Tabelle ist, speichern Sie sie als .csv.',
  'Files with a password are not read.': 'Dateien mit Passwort werden nicht gelesen.',
  'Make the zip again without a password.': 'Packen Sie die Zip-Datei neu, ohne Passwort.',
  'The zip has an earlier file of this name.': 'Die Zip-Datei hat schon eine Datei dieses Namens.',
  'There is an earlier file of this name.': 'Es gibt schon eine Datei dieses Namens.',
  'Give each file a name of its own.': 'Geben Sie jeder Datei einen eigenen Namen.',
  'Give each file a name of its own, or remove the earlier one and upload this one again.':
    'Geben Sie jeder Datei einen eigenen Namen, oder entfernen Sie die frühere und laden Sie diese noch einmal hoch.',
  'Open it, save it as .xlsx, or save each sheet as "CSV UTF-8", and upload the CSV file, or a zip of several.':
    'Öffnen Sie es, speichern Sie es als .xlsx oder jedes Blatt als „CSV UTF-8“, und laden Sie die CSV-Datei hoch, oder mehrere als Zip.',
  'Please make it again and upload it.': 'Bitte packen Sie sie neu und laden Sie sie noch einmal hoch.',
  '{}: the column "{}" holds {}, which can be {}. Choose how its days are written.':
    '{}: Die Spalte „{}“ enthält {}. Das kann heißen: {}. Wählen Sie, wie ihre Tage geschrieben sind.',
  '{}: the column "{}" writes days in more than one way, such as {}. Choose how its days are written.':
    '{}: Die Spalte „{}“ schreibt Tage auf mehr als eine Weise, etwa {}. Wählen Sie, wie ihre Tage geschrieben sind.',
  'Only the first {} of {} columns are read.': 'Nur die ersten {} von {} Spalten werden gelesen.',
  'Put the columns that matter first.': 'Stellen Sie die wichtigen Spalten an den Anfang.',
  'Open it, save each sheet as "CSV UTF-8", and upload the CSV file, or a zip of several.':
    'Öffnen Sie sie, speichern Sie jedes Blatt als „CSV UTF-8“, und laden Sie die CSV-Datei hoch, oder mehrere als Zip.',
  'Save it again without a password. Or: open it, save each sheet as "CSV UTF-8", and upload the CSV file, or a zip of several.':
    'Speichern Sie sie neu, ohne Passwort. Oder öffnen Sie sie, speichern Sie jedes Blatt als „CSV UTF-8“, und laden Sie die CSV-Datei hoch, oder mehrere als Zip.',
  '{}, line {}: an earlier row has the same id; this one is taken as another record.':
    '{}, Zeile {}: Eine frühere Zeile hat dieselbe Kennung; diese gilt als eigener Datensatz.',
  '{}, line {}: the value of "{}" is not what the column is for.':
    '{}, Zeile {}: Der Wert von „{}“ passt nicht zur Spalte.',
  '{}, line {}: there is no "{}".': '{}, Zeile {}: „{}“ fehlt.',
  'line {}: {}': 'Zeile {}: {}',
  'a quote is opened and never closed': 'Ein Anführungszeichen wird geöffnet und nie geschlossen',
  'there is text after a closing quote': 'Nach einem schließenden Anführungszeichen steht Text',
  'there is a quote in the middle of a value': 'Mitten in einem Wert steht ein Anführungszeichen',
  'the row is longer than 16 MB': 'Die Zeile ist länger als 16 MB',
  'the row has more than {} values': 'Die Zeile hat mehr als {} Werte',
  'it has {} values where the header has {}': 'Sie hat {} Werte, die Kopfzeile hat {}',
  'it is no CSV': 'Das ist kein CSV',
  'more than {} lines cannot be read; the rest of the file was left out':
    'Mehr als {} Zeilen sind nicht lesbar; der Rest der Datei wurde weggelassen',
  'and {} more': 'und {} weitere',
  'Check the quotes and separators there, or export the file again.':
    'Sehen Sie dort nach den Anführungs- und Trennzeichen, oder exportieren Sie die Datei noch einmal.',
  'From {}.': 'Ab {}.',
  'A row cannot be read: {}.': 'Eine Zeile ist nicht lesbar: {}.',
  '{} rows cannot be read: {}.': '{} Zeilen sind nicht lesbar: {}.',
  'Rows whose id an earlier row has: {}. They become records of their own.':
    'Zeilen, deren Kennung eine frühere Zeile hat: {}. Sie werden zu eigenen Datensätzen.',
  'If they are different records, give each row its own id.':
    'Geben Sie jeder Zeile eine eigene Kennung, wenn es verschiedene sind.',
  'We cannot tell from name or columns of this file what its rows are, so it is left out.':
    'Weder Name noch Spalten dieser Datei sagen, was ihre Zeilen sind. Sie wird weggelassen.',
  'Choose what it holds, or name it after its content, such as contacts.csv, and upload it again.':
    'Wählen Sie, was sie enthält, oder nennen Sie sie danach, etwa contacts.csv, und laden Sie sie noch einmal hoch.',
  'This file is damaged and cannot be read.': 'Diese Datei ist beschädigt und nicht lesbar.',
  'Only the first {} files are read.': 'Nur die ersten {} Dateien werden gelesen.',
  'Upload fewer files, or join those of one kind.':
    'Laden Sie weniger Dateien hoch, oder fügen Sie gleichartige zusammen.',
  'The column "{}" has 1 value that cannot be read, in line {}.':
    'Die Spalte „{}“ hat einen Wert, der nicht lesbar ist, in Zeile {}.',
  'The column "{}" has {} values that cannot be read, in lines {} and {} more.':
    'Die Spalte „{}“ hat {} Werte, die nicht lesbar sind, in den Zeilen {} und {} weiteren.',
  'The column "{}" has {} values that cannot be read, in lines {}.':
    'Die Spalte „{}“ hat {} Werte, die nicht lesbar sind, in den Zeilen {}.',
  'Correct this here, or in the file and upload it again; otherwise these records may show the day of the import.':
    'Korrigieren Sie das hier oder in der Datei und laden Sie sie noch einmal hoch; sonst zeigen diese Datensätze vielleicht den Tag des Imports.',
  'Correct this here, or in the file and upload it again.':
    'Korrigieren Sie das hier oder in der Datei und laden Sie sie noch einmal hoch.',
  'The files could not be read. That is our fault, and we have been notified.':
    'Die Dateien konnten nicht gelesen werden. Das liegt an uns, und wir wissen davon.',
  'The files have too many columns to be read together.':
    'Die Dateien haben zu viele Spalten, um zusammen gelesen zu werden.',
  'Zip {}, or split it and import one part at a time':
    'Packen Sie {} als Zip, oder teilen Sie die Datei und importieren Sie einen Teil nach dem anderen.',
  '{}, line {}: {}.': '{}, Zeile {}: {}.',
  'of all files together is over the limit of {} MiB.': 'Alle Dateien zusammen sind größer als {} MiB.',
  'is over the limit of {} MiB.': 'Die Datei ist größer als {} MiB.',
  'It is left out until you correct it.': 'Er wird weggelassen, solange Sie ihn nicht korrigieren.',
  'Values that you do not correct are left out.': 'Was niemand korrigiert, wird weggelassen.',
}
