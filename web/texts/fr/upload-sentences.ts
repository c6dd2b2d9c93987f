/** Translations of the service's sentences about uploaded files. `{}` is a placeholder for a value. */
export const uploadSentences: Record<string, string> = {
  'The column "{}" names {} by {}, but they are known by {}. It is kept as text.':
    'La colonne « {} » désigne d’autres enregistrements ({}) par : {}. Leur tableau les connaît par : {}. Elle est gardée comme texte.',
  'The column "{}" names {} by {}, but no table of {} has that. It is kept as text.':
    'La colonne « {} » désigne d’autres enregistrements ({}) par : {}. Aucun tableau ne l’a ({}). Elle est gardée comme texte.',
  'Use the {} of the {} in this column.': 'Indiquez dans cette colonne : {} ({}).',
  'Choose above which column of the {} holds the {}, if there is one.':
    'Choisissez ci-dessus quelle colonne de ce tableau ({}) le contient, s’il y en a une : {}.',
  'Add a file of {} with a column for the {}.': 'Ajoutez un fichier ({}) avec une colonne pour : {}.',
  'e-mail': 'e-mail',
  name: 'nom',
  'Only the first {} files of a zip are read.': 'Seuls les {} premiers fichiers d’un zip sont lus.',
  'The files of the zip are too large together.': 'Les fichiers du zip sont trop gros ensemble.',
  'Upload fewer of them at a time.': 'Déposez-en moins à la fois.',
  'The zip holds no files.': 'Le zip ne contient aucun fichier.',
  'Put your CSV files into it and upload it again.': 'Mettez-y vos fichiers CSV et déposez-le de nouveau.',
  'Workbooks in a zip are not read.': 'Les classeurs dans un zip ne sont pas lus.',
  'Upload an .xlsx file by itself, or save each sheet as "CSV UTF-8" and put those files into the zip.':
    'Déposez un fichier .xlsx seul, ou enregistrez chaque feuille en « CSV UTF-8 » et mettez ces fichiers dans le zip.',
  'Only .csv, .tsv, .tab and .txt files are read.': 'Seuls les fichiers .csv, .tsv, .tab et .txt sont lus.',
  'If it is a table, save it as .csv.': 'Si c’est un tableau, enregistrez-le en .csv.',
  'Files with a password are not read.': 'Les fichiers avec mot de passe ne sont pas lus.',
  'Make the zip again without a password.': 'Refaites le zip sans mot de passe.',
  'The zip has an earlier file of this name.': 'Le zip a déjà un fichier de ce nom.',
  'There is an earlier file of this name.': 'Il y a déjà un fichier de ce nom.',
  'Give each file a name of its own.': 'Donnez à chaque fichier son propre nom.',
  'Give each file a name of its own, or remove the earlier one and upload this one again.':
    'Donnez à chaque fichier son propre nom, ou retirez le premier et déposez celui-ci de nouveau.',
  'Open it, save it as .xlsx, or save each sheet as "CSV UTF-8", and upload the CSV file, or a zip of several.':
    'Ouvrez-le, enregistrez-le en .xlsx ou chaque feuille en « CSV UTF-8 », et déposez le fichier CSV, ou plusieurs dans un zip.',
  'Please make it again and upload it.': 'Veuillez le refaire et le déposer de nouveau.',
  '{}: the column "{}" holds {}, which can be {}. Choose how its days are written.':
    '{} : la colonne « {} » contient {}, ce qui peut être {}. Choisissez comment ses jours sont écrits.',
  '{}: the column "{}" writes days in more than one way, such as {}. Choose how its days are written.':
    '{} : la colonne « {} » écrit les jours de plusieurs façons, par exemple {}. Choisissez comment ses jours sont écrits.',
  'Only the first {} of {} columns are read.': 'Seules les {} premières colonnes sur {} sont lues.',
  'Put the columns that matter first.': 'Mettez d’abord les colonnes importantes.',
  'Open it, save each sheet as "CSV UTF-8", and upload the CSV file, or a zip of several.':
    'Ouvrez-le, enregistrez chaque feuille en « CSV UTF-8 », et déposez le fichier CSV, ou plusieurs dans un zip.',
  'Save it again without a password. Or: open it, save each sheet as "CSV UTF-8", and upload the CSV file, or a zip of several.':
    'Enregistrez-le de nouveau sans mot de passe. Ou ouvrez-le, enregistrez chaque feuille en « CSV UTF-8 », et déposez le fichier CSV, ou plusieurs dans un zip.',
  '{}, line {}: an earlier row has the same id; this one is taken as another record.':
    '{}, ligne {} : une ligne précédente a le même id ; celle-ci compte comme un autre enregistrement.',
  '{}, line {}: the value of "{}" is not what the column is for.':
    '{}, ligne {} : la valeur de « {} » ne convient pas à la colonne.',
  '{}, line {}: there is no "{}".': '{}, ligne {} : « {} » manque.',
  'line {}: {}': 'ligne {} : {}',
  'a quote is opened and never closed': 'un guillemet est ouvert et jamais fermé',
  'there is text after a closing quote': 'il y a du texte après un guillemet fermant',
  'there is a quote in the middle of a value': 'il y a un guillemet au milieu d’une valeur',
  'the row is longer than 16 MB': 'la ligne dépasse 16 Mo',
  'the row has more than {} values': 'la ligne a plus de {} valeurs',
  'it has {} values where the header has {}': 'elle a {} valeurs, l’en-tête en a {}',
  'it is no CSV': 'ce n’est pas du CSV',
  'more than {} lines cannot be read; the rest of the file was left out':
    'plus de {} lignes sont illisibles ; le reste du fichier a été laissé de côté',
  'and {} more': 'et {} de plus',
  'Check the quotes and separators there, or export the file again.':
    'Vérifiez-y les guillemets et les séparateurs, ou exportez de nouveau le fichier.',
  'From {}.': 'À partir de : {}.',
  'A row cannot be read: {}.': 'Une ligne est illisible : {}.',
  '{} rows cannot be read: {}.': '{} lignes sont illisibles : {}.',
  'Rows whose id an earlier row has: {}. They become records of their own.':
    'Lignes dont l’id figure déjà plus haut : {}. Elles deviennent des enregistrements à part.',
  'If they are different records, give each row its own id.':
    'Donnez à chaque ligne son propre id si elles sont différentes.',
  'We cannot tell from name or columns of this file what its rows are, so it is left out.':
    'Ni le nom ni les colonnes de ce fichier ne disent ce que sont ses lignes. Il est laissé de côté.',
  'Choose what it holds, or name it after its content, such as contacts.csv, and upload it again.':
    'Choisissez ce qu’il contient, ou nommez-le d’après cela, par exemple contacts.csv, et déposez-le de nouveau.',
  'This file is damaged and cannot be read.': 'Ce fichier est abîmé et illisible.',
  'Only the first {} files are read.': 'Seuls les {} premiers fichiers sont lus.',
  'Upload fewer files, or join those of one kind.': 'Déposez moins de fichiers, ou réunissez ceux du même genre.',
  'The column "{}" has 1 value that cannot be read, in line {}.':
    'La colonne « {} » a une valeur illisible, à la ligne {}.',
  'The column "{}" has {} values that cannot be read, in lines {} and {} more.':
    'La colonne « {} » a {} valeurs illisibles, aux lignes {} et {} de plus.',
  'The column "{}" has {} values that cannot be read, in lines {}.':
    'La colonne « {} » a {} valeurs illisibles, aux lignes {}.',
  'Correct this here, or in the file and upload it again; otherwise these records may show the day of the import.':
    'Corrigez cela ici, ou dans le fichier puis déposez-le de nouveau ; sinon ces enregistrements peuvent montrer le jour de l’import.',
  'Correct this here, or in the file and upload it again.':
    'Corrigez cela ici, ou dans le fichier puis déposez-le de nouveau.',
  'The files could not be read. That is our fault, and we have been notified.':
    'Les fichiers n’ont pas pu être lus. C’est notre faute, et nous en sommes informés.',
  'The files have too many columns to be read together.': 'Les fichiers ont trop de colonnes pour être lus ensemble.',
  'Zip {}, or split it and import one part at a time':
    'Compressez {} en zip, ou divisez-le et importez une partie à la fois.',
  '{}, line {}: {}.': '{}, ligne {} : {}.',
  'of all files together is over the limit of {} MiB.': 'Tous les fichiers ensemble dépassent {} Mio.',
  'is over the limit of {} MiB.': 'Le fichier dépasse {} Mio.',
  'It is left out until you correct it.': 'Elle est laissée de côté tant que vous ne la corrigez pas.',
  'Values that you do not correct are left out.': 'Celles que personne ne corrige sont laissées de côté.',
}
