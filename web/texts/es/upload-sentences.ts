/** Translations of the service's sentences about uploaded files. `{}` is a placeholder for a value. */
export const uploadSentences: Record<string, string> = {
  'The column "{}" names {} by {}, but they are known by {}. It is kept as text.':
    'La columna «{}» nombra otros registros ({}) por: {}. Su tabla los conoce por: {}. Se guarda como texto.',
  'The column "{}" names {} by {}, but no table of {} has that. It is kept as text.':
    'La columna «{}» nombra otros registros ({}) por: {}. Ninguna tabla lo tiene ({}). Se guarda como texto.',
  'Use the {} of the {} in this column.': 'Indique en esta columna: {} ({}).',
  'Choose above which column of the {} holds the {}, if there is one.':
    'Elija arriba qué columna de esa tabla ({}) lo contiene, si la hay: {}.',
  'Add a file of {} with a column for the {}.': 'Añada un archivo ({}) con una columna para: {}.',
  'e-mail': 'correo electrónico',
  name: 'nombre',
  'Only the first {} files of a zip are read.': 'Solo se leen los primeros {} archivos de un zip.',
  'The files of the zip are too large together.': 'Los archivos del zip son demasiado grandes en conjunto.',
  'Upload fewer of them at a time.': 'Suba menos a la vez.',
  'The zip holds no files.': 'El zip no contiene archivos.',
  'Put your CSV files into it and upload it again.': 'Ponga en él sus archivos CSV y súbalo de nuevo.',
  'Workbooks in a zip are not read.': 'Los libros de cálculo dentro de un zip no se leen.',
  'Upload an .xlsx file by itself, or save each sheet as "CSV UTF-8" and put those files into the zip.':
    'Suba un archivo .xlsx por separado, o guarde cada hoja como «CSV UTF-8» y ponga esos archivos en el zip.',
  'Only .csv, .tsv, .tab and .txt files are read.': 'Solo se leen archivos .csv, .tsv, .tab y .txt.',
  'If it is a table, save it as .csv.': 'Si es una tabla, guárdela como .csv.',
  'Files with a password are not read.': 'Los archivos con contraseña no se leen.',
  'Make the zip again without a password.': 'Vuelva a crear el zip sin contraseña.',
  'The zip has an earlier file of this name.': 'El zip ya tiene un archivo con este nombre.',
  'There is an earlier file of this name.': 'Ya hay un archivo con este nombre.',
  'Give each file a name of its own.': 'Dé a cada archivo su propio nombre.',
  'Give each file a name of its own, or remove the earlier one and upload this one again.':
    'Dé a cada archivo su propio nombre, o quite el anterior y suba este de nuevo.',
  'Open it, save it as .xlsx, or save each sheet as "CSV UTF-8", and upload the CSV file, or a zip of several.':
    'Ábralo, guárdelo como .xlsx o cada hoja como «CSV UTF-8», y suba el archivo CSV, o varios en un zip.',
  'Please make it again and upload it.': 'Vuelva a crearlo y súbalo.',
  '{}: the column "{}" holds {}, which can be {}. Choose how its days are written.':
    '{}: la columna «{}» contiene {}, que puede ser {}. Elija cómo están escritos sus días.',
  '{}: the column "{}" writes days in more than one way, such as {}. Choose how its days are written.':
    '{}: la columna «{}» escribe los días de varias formas, como {}. Elija cómo están escritos sus días.',
  'Only the first {} of {} columns are read.': 'Solo se leen las primeras {} de {} columnas.',
  'Put the columns that matter first.': 'Ponga primero las columnas importantes.',
  'Open it, save each sheet as "CSV UTF-8", and upload the CSV file, or a zip of several.':
    'Ábralo, guarde cada hoja como «CSV UTF-8» y suba el archivo CSV, o varios en un zip.',
  'Save it again without a password. Or: open it, save each sheet as "CSV UTF-8", and upload the CSV file, or a zip of several.':
    'Guárdelo de nuevo sin contraseña. O ábralo, guarde cada hoja como «CSV UTF-8» y suba el archivo CSV, o varios en un zip.',
  '{}, line {}: an earlier row has the same id; this one is taken as another record.':
    '{}, línea {}: una fila anterior tiene el mismo id; esta cuenta como otro registro.',
  '{}, line {}: the value of "{}" is not what the column is for.':
    '{}, línea {}: el valor de «{}» no corresponde a la columna.',
  '{}, line {}: there is no "{}".': '{}, línea {}: falta «{}».',
  'line {}: {}': 'línea {}: {}',
  'a quote is opened and never closed': 'se abre una comilla y no se cierra',
  'there is text after a closing quote': 'hay texto después de una comilla de cierre',
  'there is a quote in the middle of a value': 'hay una comilla en medio de un valor',
  'the row is longer than 16 MB': 'la fila supera los 16 MB',
  'the row has more than {} values': 'la fila tiene más de {} valores',
  'it has {} values where the header has {}': 'tiene {} valores y el encabezado {}',
  'it is no CSV': 'no es CSV',
  'more than {} lines cannot be read; the rest of the file was left out':
    'más de {} líneas no se pueden leer; el resto del archivo se omitió',
  'and {} more': 'y {} más',
  'Check the quotes and separators there, or export the file again.':
    'Revise allí las comillas y los separadores, o exporte el archivo de nuevo.',
  'From {}.': 'Desde: {}.',
  'A row cannot be read: {}.': 'Una fila no se puede leer: {}.',
  '{} rows cannot be read: {}.': '{} filas no se pueden leer: {}.',
  'Rows whose id an earlier row has: {}. They become records of their own.':
    'Filas cuyo id ya tiene una fila anterior: {}. Se convierten en registros propios.',
  'If they are different records, give each row its own id.': 'Dé a cada fila su propio id si son distintas.',
  'We cannot tell from name or columns of this file what its rows are, so it is left out.':
    'Ni el nombre ni las columnas de este archivo dicen qué son sus filas. Se omite.',
  'Choose what it holds, or name it after its content, such as contacts.csv, and upload it again.':
    'Elija qué contiene, o dele un nombre acorde, como contacts.csv, y súbalo de nuevo.',
  'This file is damaged and cannot be read.': 'Este archivo está dañado y no se puede leer.',
  'Only the first {} files are read.': 'Solo se leen los primeros {} archivos.',
  'Upload fewer files, or join those of one kind.': 'Suba menos archivos, o una los del mismo tipo.',
  'The column "{}" has 1 value that cannot be read, in line {}.':
    'La columna «{}» tiene un valor que no se puede leer, en la línea {}.',
  'The column "{}" has {} values that cannot be read, in lines {} and {} more.':
    'La columna «{}» tiene {} valores que no se pueden leer, en las líneas {} y {} más.',
  'The column "{}" has {} values that cannot be read, in lines {}.':
    'La columna «{}» tiene {} valores que no se pueden leer, en las líneas {}.',
  'Correct this here, or in the file and upload it again; otherwise these records may show the day of the import.':
    'Corríjalo aquí, o en el archivo y súbalo de nuevo; si no, estos registros pueden mostrar el día de la importación.',
  'Correct this here, or in the file and upload it again.': 'Corríjalo aquí, o en el archivo y súbalo de nuevo.',
  'The files could not be read. That is our fault, and we have been notified.':
    'No se pudieron leer los archivos. Es culpa nuestra y estamos informados.',
  'The files have too many columns to be read together.':
    'Los archivos tienen demasiadas columnas para leerlos juntos.',
  'Zip {}, or split it and import one part at a time':
    'Comprima {} en un zip, o divídalo e importe una parte cada vez.',
  '{}, line {}: {}.': '{}, línea {}: {}.',
  'of all files together is over the limit of {} MiB.': 'Todos los archivos juntos superan {} MiB.',
  'is over the limit of {} MiB.': 'El archivo supera {} MiB.',
  'It is left out until you correct it.': 'Se omite mientras no lo corrija.',
  'Values that you do not correct are left out.': 'Los que nadie corrija se omiten.',
}
