/** Translations of the service's sentences about refused input. `{}` is a placeholder for a value. */
export const requestSentences: Record<string, string> = {
  'could not be reached. Please check the address, or try again in a while.':
    'Personne ne répond à cette adresse. Vérifiez l’adresse, ou réessayez plus tard.',
  'could not be reached: {} {}': 'L’accès a été refusé : {} {}',
  'does not let us in with this. Please check what you entered, and that it may read and write.':
    'Ces données ne nous donnent pas accès. Vérifiez ce que vous avez saisi, et que la lecture et l’écriture sont permises.',
  'is not an allowed address: it must be publicly reachable':
    'Cette adresse n’est pas permise : elle doit être accessible publiquement.',
  'is not the account of the records that were copied ({}), so nothing was changed. Undo the import first, then connect it.':
    'Ce n’est pas le compte des données copiées ({}). Rien n’a été changé. Annulez d’abord l’import, puis connectez-le.',
  'does not offer a sign-in from here': 'On ne peut pas s’y connecter d’ici.',
  'answered, but not as a destination of Wherry does. Please check the address.':
    'C’est autre chose que la destination qui répond. Vérifiez l’adresse.',
  'The tool answered {} {} and sends us on{}. We do not follow, so that data goes only where you said. If the tool has moved, please connect it again with its new address.':
    'L’outil a répondu {} {} et nous renvoie ailleurs. Nous n’y allons pas, afin que les données n’aillent que là où vous l’avez voulu. Si l’outil a déménagé, connectez-le avec sa nouvelle adresse.',
  'Fernhill Desk does not accept this API key.': 'Fernhill Desk n’accepte pas cette clé API.',
  'Request Tracker does not accept this token.': 'Request Tracker n’accepte pas ce jeton.',
  'The token belongs to a user who does not see everything. Use one of a user with the right SuperUser.':
    'Le jeton appartient à quelqu’un qui ne voit pas tout. Prenez celui d’une personne qui a le droit SuperUser.',
  'There is no Request Tracker 5 at this address.': 'Il n’y a pas de Request Tracker 5 à cette adresse.',
  'This is Request Tracker {}; version 5 is needed.': 'C’est Request Tracker {} ; il faut la version 5.',
  'There is no Redmine at this address, or its REST API is switched off.':
    'Il n’y a pas de Redmine à cette adresse, ou son API REST est désactivée.',
  'There is something else than a Redmine at this address.': 'Il y a autre chose qu’un Redmine à cette adresse.',
  'This API key belongs to someone who is no administrator, and does not see everything.':
    'Cette clé API appartient à quelqu’un qui n’est pas administrateur et ne voit pas tout.',
  'The address lacks the name of the database: write it at the end, as in https://tryton.example.com/company.':
    'Il manque le nom de la base de données dans l’adresse : écrivez-le à la fin, comme dans https://tryton.example.com/company.',
  'The address must begin with https:// and end with the name of the database.':
    'L’adresse doit commencer par https:// et se terminer par le nom de la base de données.',
  'This Tryton has no parties: its module "party" is not active.':
    'Ce Tryton n’a pas de tiers : son module « party » n’est pas actif.',
  'This is Ghost {}. Please update it to Ghost 6 or later first.':
    'C’est Ghost {}. Mettez-le d’abord à jour vers Ghost 6 ou plus récent.',
  'This is not a key of the Admin API (id:secret).': 'Ce n’est pas une clé de l’API d’administration (id:secret).',
  'This user may not do everything that an import needs ({}). Please use an administrator.':
    'Cette personne n’a pas tous les droits qu’il faut pour un import ({}). Prenez un compte d’administrateur.',
  'Please upload the files that you want to import.': 'Déposez les fichiers que vous voulez importer.',
  'we cannot tell what the rows are. Choose what each file holds, or name the files after their content, such as contacts.csv.':
    'On ne sait pas ce que sont les lignes. Choisissez ce que contient chaque fichier, ou nommez les fichiers d’après leur contenu, par exemple contacts.csv.',
  'The zip file is damaged.': 'Le fichier zip est abîmé.',
  'Make the zip again and upload it.': 'Refaites le zip et déposez-le de nouveau.',
  'The zip has {} entries; at most {} are read.': 'Le zip a {} éléments ; {} au plus sont lus.',
  'Put fewer files into it, or join those of one kind.': 'Mettez-y moins de fichiers, ou réunissez ceux du même genre.',
  'This file unpacks to far more than its size and is not read.':
    'Ce fichier devient bien plus gros une fois décompressé et n’est pas lu.',
  'If it really is your table, upload it by itself, without a zip.':
    'Si c’est bien votre tableau, déposez-le seul, sans zip.',
  'Archives in archives are not read.': 'Les archives dans des archives ne sont pas lues.',
  'Unpack it, and put its files into the zip.': 'Décompressez-la et mettez ses fichiers dans le zip.',
  'Line {}: the row has more than {} values.': 'Ligne {} : elle a plus de {} valeurs.',
  'Check that this is the right file.': 'Vérifiez que c’est le bon fichier.',
  'Tables may have up to 500 columns.': 'Un tableau peut avoir jusqu’à 500 colonnes.',
  'This file has no rows.': 'Ce fichier n’a pas de lignes.',
  'This workbook has no rows.': 'Ce classeur n’a pas de lignes.',
  'Export your data again, and check the file before you upload it.':
    'Exportez de nouveau vos données et regardez le fichier avant de le déposer.',
  'Check the file before you upload it.': 'Regardez le fichier avant de le déposer.',
  'This is {}, and not a CSV file.': 'Ce n’est pas un fichier CSV.',
  'Export your data as CSV and upload the CSV file, or a zip of several.':
    'Exportez vos données en CSV et déposez le fichier CSV, ou plusieurs dans un zip.',
  'This is a document of an office program that is not read.': 'C’est un document bureautique qui n’est pas lu.',
  'This workbook cannot be read.': 'Ce classeur ne peut pas être lu.',
  'It may be damaged, or have a password.': 'Il est peut-être abîmé ou protégé par un mot de passe.',
  'This workbook is too large to be read at once.': 'Ce classeur est trop gros pour être lu d’un coup.',
  'could not be read: a tool does not answer. Please try again.':
    'Impossible de regarder : un outil ne répond pas. Réessayez.',
  'could not be read: a tool allows no more requests for now. Please try again later.':
    'Impossible de regarder : un outil n’accepte plus de requêtes pour le moment. Réessayez plus tard.',
  'could not be read within a minute: a tool or this service is busy. Please try again.':
    'Impossible de regarder en moins d’une minute : un outil ou ce service est occupé. Réessayez.',
  'could not be read: the address of a tool is no longer allowed. Please connect it again.':
    'Impossible de regarder : l’adresse d’un outil n’est plus permise. Connectez-le de nouveau.',
  'The source no longer has this record.': 'La source n’a plus cet enregistrement.',
  'can name {} more: samples of an import are free for {} records in all, and {} are used':
    'Il en reste {} à choisir : les échantillons d’un import sont gratuits pour {} enregistrements en tout, dont {} sont utilisés.',
  'covers up to {} records, and the plan now has {}: leave some out, or pay the difference':
    'Le paiement couvre {} enregistrements, et le plan en a maintenant {} : laissez-en de côté, ou payez la différence.',
  'This import could be undone until {}. The access to both accounts was erased then.':
    'Cet import pouvait être annulé jusqu’au {}. L’accès aux deux comptes a ensuite été effacé.',
  '{} no longer offers imports: nothing new can be started. What was copied can be undone.':
    '{} ne propose plus d’imports : rien de nouveau ne peut commencer. Ce qui a été copié peut être annulé.',
  'is not needed: the partner pays': 'Ce n’est pas nécessaire : le fournisseur paie.',
  'is no longer needed: look at who pays now': 'Ce n’est plus nécessaire : voyez qui paie maintenant.',
  'is not possible yet: the partner has not decided whether to pay':
    'Pas encore possible : le fournisseur n’a pas décidé s’il paie.',
  'is not possible now: it is paid already, or the plan is not finished':
    'Pas possible maintenant : c’est déjà payé, ou le plan n’est pas terminé.',
  'cannot be cancelled: no payment is open': 'Rien à annuler : aucun paiement n’est en attente.',
  'must be one e-mail address, such as you@example.com': 'Indiquez une adresse électronique, comme vous@example.com.',
  'must be an e-mail address': 'Ce n’est pas une adresse électronique.',
  'must be a tax number of 4 to 20 characters': 'Un numéro de TVA a de 4 à 20 caractères.',
  'must not be longer than {} characters': '{} caractères au plus.',
  'must be at most {} characters long': '{} caractères au plus.',
  'must have at most {} characters': '{} caractères au plus.',
  'must have 1 to {} characters': 'Saisissez de 1 à {} caractères.',
  'must be one of {}': 'Valeurs possibles : {}.',
  'has no place in the destination: choose one under Match your fields':
    'Le champ n’a pas de place dans la destination : choisissez-en une dans la correspondance des champs.',
  'is filled by {} already': 'Cette place est déjà remplie par {}.',
  'is filled by {}: leave that field out or send it elsewhere first':
    'Cette place est remplie par {} : laissez ce champ de côté ou envoyez-le d’abord ailleurs.',
  'is filled by several fields together': 'Cette place est remplie par plusieurs champs ensemble.',
  'the destination has no such field': 'La destination n’a pas ce champ.',
  'the source has no such field': 'La source n’a pas ce champ.',
  'several fields fit only into a text': 'Plusieurs champs ne tiennent que dans un texte.',
  'the destination requires this field: send another field there, or set a default':
    'La destination exige ce champ : envoyez-y un autre champ, ou une valeur fixe.',
  'does not fit: {} refers to another kind of record': 'Cela ne va pas : {} mène à un autre genre d’enregistrement.',
  'this field holds no text that could be changed': 'Ce champ ne contient pas de texte à changer.',
  'this field controls who may see a record: choose under values what each value becomes':
    'Ce champ dit qui peut voir un enregistrement : dites ce que devient chaque valeur.',
  'a text with formatting can be changed only on its way into a plain text field':
    'Un texte mis en forme ne peut être changé que s’il va dans un champ de texte simple.',
  'cannot be kept before the destination is connected': 'Possible seulement quand la destination est connectée.',
  'there is nothing to keep: the mapping is as suggested':
    'Il n’y a rien à garder : la correspondance est celle proposée.',
  'cannot be kept: there are {} already. Replace one of them.':
    'On ne peut pas en garder plus de {}. Remplacez-en une.',
  'cannot be kept: too many people have given a name':
    'Le nom ne peut pas être gardé : trop de personnes ont déjà donné le leur.',
}
