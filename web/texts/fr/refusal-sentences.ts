/** Translations of the service's sentences when it refuses a request. `{}` is a placeholder for a value. */
export const refusalSentences: Record<string, string> = {
  'There is no such import.': 'Cet import n’existe pas.',
  'There is no such run.': 'Cette exécution n’existe pas.',
  'There is no such account.': 'Ce compte n’existe pas.',
  'There is no such record in this import.': 'Cet enregistrement n’existe pas dans cet import.',
  'There is no such version.': 'Cette version n’existe pas.',
  'There is no such mapping of this account.': 'Cette correspondance n’existe pas pour ce compte.',
  'There is no certificate yet: it is made when a migration or an undo is finished.':
    'Il n’y a pas encore de certificat : il est établi à la fin d’une migration ou d’une annulation.',
  'There is no invoice for this import.': 'Il n’y a pas de facture pour cet import.',
  'There is no credit note for this import.': 'Il n’y a pas d’avoir pour cet import.',
  'This import has ended already.': 'Cet import est déjà terminé.',
  'This import is open in too many windows.': 'Cet import est ouvert dans trop de fenêtres.',
  'This import was cancelled, so there is nothing left to do here. {} can tell you more, or start a new one.':
    'Cet import a été abandonné ; il n’y a plus rien à faire ici. {} peut vous en dire plus ou en lancer un autre.',
  'This import was closed and archived, so there is nothing left to do here. {} can tell you more.':
    'Cet import a été clos et archivé ; il n’y a plus rien à faire ici. {} peut vous en dire plus.',
  'This link opens no import. Please open it again from where you got it.':
    'Ce lien n’ouvre aucun import. Rouvrez-le là où vous l’avez reçu.',
  'Too many invalid links were tried from your network. Please try again soon.':
    'Trop de liens non valides ont été essayés depuis votre réseau. Réessayez bientôt.',
  'Please upload it again.': 'Déposez-le de nouveau.',
  'The payment provider does not answer correctly. Please try again shortly.':
    'Le prestataire de paiement ne répond pas comme il devrait. Réessayez bientôt.',
  'The client id for {} was removed, so its accounts cannot be kept open.':
    'L’accès de ce service à {} a été retiré. Ses comptes ne peuvent pas rester ouverts.',
  'cannot be connected: our connector for {} failed. Nothing was changed. Please tell support.':
    'Le compte ne peut pas être connecté : notre connecteur pour {} a échoué. Rien n’a été modifié. Veuillez en informer l’assistance.',
  'cannot be connected: there is no connector for {}':
    'Le compte ne peut pas être connecté : il n’y a pas de connecteur pour {}.',
  'takes {} data, and this import brings {} data. Please check the address.':
    'La destination accepte des données de type {}, et cet import apporte des données de type {}. Vérifiez l’adresse.',
  "can't be blank": 'Remplissez ce champ.',
  'must be true if it is the same account at a new address or under a new name':
    'Confirmez qu’il s’agit du même compte, à une autre adresse ou sous un autre nom.',
  'has been decided already: it was {}': 'C’est déjà décidé ({}).',
  accepted: 'accepté',
  rejected: 'refusé',
  'can no longer be asked for: the full migration has started':
    'Il est trop tard pour le demander : la migration complète a commencé.',
  'there is no such person in the destination': 'Cette personne n’existe pas dans la destination.',
  'there is no such person in the source': 'Cette personne n’existe pas dans la source.',
  'has no name in the source that could be kept': 'Cette personne n’a pas de nom à garder dans la source.',
  'finds nothing to remove: the source still has every copied record':
    'Il n’y a rien à retirer : la source a encore chaque enregistrement copié.',
  'does not allow this now: the run is not stuck at anything to skip':
    'Ce n’est pas possible maintenant : il n’y a rien à ignorer.',
  'does not allow this now: the sample comes first': 'Ce n’est pas possible maintenant : l’échantillon vient d’abord.',
  'does not allow this now: nothing is under way': 'Ce n’est pas possible maintenant : rien n’est en cours.',
  'does not allow this now: nothing is paused, or support has paused it':
    'Ce n’est pas possible maintenant : rien n’est en pause, ou le support l’a mis en pause.',
  'does not allow this now: {}': 'Ce n’est pas possible dans l’état actuel : {}.',
  'Collecting credentials': 'en attente des deux comptes',
  'Waiting to start sample migration': 'prêt pour l’échantillon',
  'Sample migration in progress': 'échantillon en cours',
  'Sample migration completed': 'échantillon terminé',
  'In preparation': 'prêt pour la migration complète',
  'Migration in progress': 'migration complète en cours',
  'Migration completed': 'migration terminée',
  'Undo in progress': 'annulation en cours',
  'Migration cleaned': 'annulé',
  'is missing: the full migration starts when the partner has accepted to pay or the purchase is paid':
    'La migration complète commence quand le partenaire a accepté de payer ou que vous avez payé.',
  'is not finished, so the price is not known. Wait until it is done, or look again, and then start':
    'Le plan n’est pas terminé, le prix n’est donc pas encore connu. Attendez qu’il le soit, ou regardez à nouveau, puis démarrez.',
  'is missing: the partner’s budget for this month has no room for it':
    'Le budget du partenaire pour ce mois ne suffit plus. Vous pouvez acheter la migration.',
  'must be 1 for the first part, or -1 for the last': '1 désigne la première partie, -1 la dernière.',
  'must be a day or a moment, such as 2026-01-31 or 2026-01-31T08:00:00Z':
    'Indiquez un jour ou un moment, comme 2026-01-31 ou 2026-01-31T08:00:00Z.',
  'must not hold {}': 'Ce n’est pas possible ici : {}.',
  'must be {} or another of its kind': 'Valeur possible : {} ou une autre du même genre.',
  'is of a type that is not accepted here': 'Une valeur de ce genre n’est pas possible ici.',
  'is no field whose value can be typed': 'La valeur de ce champ ne peut pas être saisie.',
  'the source has no field {}': 'La source n’a pas de champ {}.',
  '{} is no text and cannot be part of one': '{} n’est pas un texte et ne peut pas en faire partie.',
  'is not one of the fields': 'Ce champ n’existe pas.',
  'does not fit: {} cannot become {}': 'Cela ne va pas : {} ne peut pas devenir {}.',
  'a text': 'un texte',
  'a long text': 'un texte long',
  'a text with formatting': 'un texte mis en forme',
  'a whole number': 'un nombre entier',
  'a number': 'un nombre',
  'yes or no': 'oui ou non',
  'a day': 'un jour',
  'a moment': 'un moment',
  'a choice': 'un choix',
  'an e-mail address': 'une adresse e-mail',
  'a phone number': 'un numéro de téléphone',
  'a web address': 'une adresse web',
  'an amount of money': 'un montant',
  'a postal address': 'une adresse postale',
  'a person': 'une personne',
  'a link to a record': 'un lien vers un enregistrement',
  'at most {} records can be corrected one by one.': 'Au plus {} enregistrements peuvent être corrigés un par un.',
  'Change the values in the source, or under Match your fields':
    'Changez les valeurs dans la source ou dans la correspondance des champs.',
  'is not an entity of {}': 'Ce type d’enregistrement n’y existe pas ({}).',
  'does not fit a field that holds {}': 'Cela ne va pas dans ce champ, qui contient {}.',
  'is no day of the calendar': 'Ce jour n’existe pas.',
  'must be before created_before': 'Le début doit précéder la fin.',
  'is not the newest: someone saved version {} meanwhile': 'Entre-temps quelqu’un a enregistré la version {}.',
  'cannot be kept: there are {} already. Remove one of them first.':
    'On ne peut pas en garder plus de {}. Retirez-en une d’abord.',
  'cannot be printed on our invoices: please use Latin, Greek or Cyrillic letters':
    'Cela ne peut pas être imprimé sur nos factures : utilisez des lettres latines, grecques ou cyrilliques.',
  'must be a country, by its two letters': 'Choisissez un pays.',
  'has not been given yet, so there is nothing to confirm':
    'Rien n’a encore été indiqué, il n’y a donc rien à confirmer.',
  'is not there yet: both accounts are looked at first. Please wait a moment.':
    'Pas encore : les deux comptes sont d’abord examinés. Patientez un instant.',
  'is missing: no way to pay is set up yet': 'Aucun moyen de paiement n’est encore configuré.',
  'at most {} at once': 'Au plus {} à la fois.',
  'cannot be read: {} {}': 'Impossible à lire : {} {}',
  'must be at most {} characters, without control characters': 'Au plus {} caractères, sans caractères de contrôle.',
  '{}; several are separated by semicolons': '{} ; plusieurs se séparent par des points-virgules',
  'must be a text': 'Un texte est attendu',
  'must be a whole number': 'Un nombre entier est attendu',
  'must be a number, such as 12.5': 'Un nombre comme 12.5 est attendu',
  'must be true or false': 'true ou false est attendu',
  'must be a day, such as 2024-12-31': 'Un jour comme 2024-12-31 est attendu',
  'must be a moment, such as 2024-12-31T23:59Z': 'Un moment comme 2024-12-31T23:59Z est attendu',
  'must be an address, such as https://acme.example': 'Une adresse comme https://acme.example est attendue',
  'must not contain control characters': 'Les caractères de contrôle ne sont pas possibles.',
}
