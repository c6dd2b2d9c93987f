import type { done as en } from '../en/done.ts'

const isOne = (count: string) => count === '0' || count === '1'
const counted = (count: string, one: string, many: string) => `${count} ${isOne(count) ? one : many}`

export const done: typeof en = {
  sums: 'Résultats',
  sumsText: 'Chaque enregistrement trouvé figure dans exactement une de ces colonnes.',
  entity: 'Quoi',
  found: 'Trouvés',
  states: {
    written: 'Copiés',
    matched: 'Déjà présents',
    filtered: 'Exclus par vous',
    refused: 'Non acceptés',
    held: 'En attente',
    unknown: 'Incertains',
    deleted: 'Supprimés là-bas',
    removed: 'Retirés ensuite',
  },
  all: 'Tous',
  sentence: (found, parts) => `${counted(found, 'trouvé', 'trouvés')} = ${parts}`,
  part: {
    written: (count) => counted(count, 'copié', 'copiés'),
    matched: (count) => counted(count, 'déjà présent', 'déjà présents'),
    filtered: (count) => counted(count, 'exclu par vous', 'exclus par vous'),
    refused: (count) => counted(count, 'non accepté', 'non acceptés'),
    held: (count) => `${count} en attente`,
    unknown: (count) => counted(count, 'incertain', 'incertains'),
    deleted: (count) => counted(count, 'supprimé là-bas par quelqu’un', 'supprimés là-bas par quelqu’un'),
    removed: (count) => counted(count, 'retiré ensuite', 'retirés ensuite'),
  },
  open: (destination) => `Ouvrir ${destination}`,
  checkedHeading: 'Ce que nous avons vérifié',
  checkedText: (read, written, destination) =>
    `Nous avons relu dans ${destination} ${read} des ${written} enregistrements copiés et les avons comparés avec ce que nous avons envoyé.`,
  checkedAll: (written, destination) =>
    `Nous avons relu dans ${destination} les ${written} enregistrements copiés et les avons comparés avec ce que nous avons envoyé.`,
  checkedOf: (read, written) => `${read} sur ${written} relus`,
  checkedSame: 'tous identiques',
  checkedDifferent: (formatted, count) =>
    count === 1
      ? '1 n’est pas tel que nous l’avons envoyé'
      : `${formatted} ne sont pas tels que nous les avons envoyés`,
  checkAll: 'Tout vérifier',
  checkAgain: 'Tout vérifier de nouveau',
  checkStarting: 'Lancement…',
  checkText:
    'Chaque enregistrement et fichier copié est relu. Cela ne change rien, et vous pouvez fermer cette fenêtre.',
  checking: (done, all) => `Vérification : ${done} sur ${all} relus.`,
  checkPaused: 'La vérification est en pause. Rien n’est perdu.',
  checkPause: 'Mettre la vérification en pause',
  checkResume: 'Continuer la vérification',
  warnings: 'À savoir',
  noWarnings: 'Rien ne demande votre attention.',
  fieldsNotTaken: (destination) => `Champs qui n’existent pas dans ${destination}`,
  fieldsNotTakenFix:
    'Leurs valeurs ne sont pas copiées. Si un autre champ convient, choisissez-le dans les correspondances.',
  whatToDo: 'Ce que vous pouvez faire',
  correct: {
    open: 'Corriger une valeur',
    intro: (source, destination) =>
      `Saisissez la valeur que ${destination} doit recevoir. Rien ne change dans ${source}.`,
    field: 'Champ',
    value: 'Valeur',
    choose: 'Veuillez choisir',
    yes: 'Oui',
    no: 'Non',
    moment: 'Année, mois, jour, et une heure si vous le souhaitez. Sans fuseau, c’est l’heure UTC.',
    save: 'Enregistrer',
    saving: 'Enregistrement…',
    takeBack: 'Annuler la correction',
    saved: (field, value) => `${field} est maintenant : ${value}`,
    usedNext: 'Cela vaut dès le prochain essai.',
    retryNow: 'Réessayer maintenant',
    rows: (count) =>
      count === '0' ? 'Toutes les valeurs sont corrigées' : `Corriger les valeurs ici : ${count} en attente`,
    row: (line, column, value) => `Ligne ${line}, ${column}, au lieu de « ${value} »`,
    corrected: (line, before, now) => `Ligne ${line} : « ${before} » est maintenant « ${now} »`,
    left: (count) => `${count} autres ne peuvent être corrigées que dans le fichier.`,
  },
  showRecords: 'Voir lesquels',
  hideRecords: 'Les masquer',
  record: 'Enregistrement',
  reason: 'Raison',
  retry: (count) => `Réessayer ${counted(count, 'enregistrement', 'enregistrements')}`,
  retryHeading: 'Réessayer les enregistrements qui ne sont pas arrivés',
  retryText: (count) =>
    `${counted(count, 'enregistrement a été refusé ou attend', 'enregistrements ont été refusés ou attendent')} un enregistrement refusé. Corrigez la cause dans l’un ou l’autre outil, puis réessayez. Les enregistrements arrivés ne sont pas touchés.`,
  retrying: 'Lancement…',
  bringBackHeading: 'Rétablir des enregistrements supprimés',
  bringBackText: (count, destination) =>
    isOne(count)
      ? `Quelqu’un a supprimé ${count} des enregistrements copiés dans ${destination}. Il reste supprimé, sauf si vous le rétablissez. Il est alors copié de nouveau depuis la source.`
      : `Quelqu’un a supprimé ${count} des enregistrements copiés dans ${destination}. Ils restent supprimés, sauf si vous les rétablissez. Ils sont alors copiés de nouveau depuis la source.`,
  bringBack: (count) => `Rétablir ${counted(count, 'enregistrement', 'enregistrements')}`,
  goneHeading: (source) => `Plus dans ${source}`,
  goneText: (formatted, count, source, destination) =>
    count === 1
      ? `1 enregistrement copié n’est plus dans ${source}. Il est encore dans ${destination}.`
      : `${formatted} enregistrements copiés ne sont plus dans ${source}. Ils sont encore dans ${destination}.`,
  goneCare: (destination) =>
    `Deux sortes d’enregistrements restent dans ${destination} : ceux que quelqu’un y a modifiés, et ceux auxquels un autre renvoie. Cette page les liste ensuite. L’annulation de l’import reste possible.`,
  goneRemove: (destination) => `Les retirer de ${destination}`,
  goneRemoving: 'Lancement…',
  goneKeep: 'Les garder',
  goneKeeping: 'Conservation…',
  sendUnknown: 'Renvoyer aussi les incertains. S’ils étaient bien arrivés, ils seront là deux fois.',
  delta: 'Copier les changements ultérieurs',
  deltaText: (source, when) =>
    `Le travail a-t-il continué dans ${source} après le ${when} ? Nous copions les enregistrements nouveaux et modifiés, et rien deux fois. Nous listons les enregistrements supprimés là-bas, et c’est vous qui décidez. Vous pouvez le faire aussi souvent que vous le voulez.`,
  deltaFiles:
    'Avez-vous des fichiers plus récents ? Envoyez-les, puis copiez les changements. Nous copions les lignes nouvelles et modifiées, et rien deux fois. Nous listons les enregistrements copiés qui manquent dans les nouveaux fichiers, et c’est vous qui décidez. Vous pouvez le faire aussi souvent que vous le voulez.',
  deltaUntold: (source, entities) =>
    `${source} ne signale pas la suppression isolée de ces enregistrements : ${entities}.`,
  deltaStart: 'Copier les modifications',
  deltaStarting: 'Lancement…',
  lookup: 'Trouver un enregistrement',
  lookupText: 'Cherchez par numéro, par titre, ou par l’ancien ou le nouvel identifiant.',
  lookupLabel: 'Numéro, titre ou identifiant',
  lookupFind: 'Chercher',
  lookupFinding: 'Recherche…',
  lookupNone: (sought) => `Nous n’avons trouvé aucun enregistrement « ${sought} » dans cet import.`,
  lookupPart: (count) =>
    `Nous avons comparé les numéros et titres des ${count} premiers enregistrements. Par identifiant, nous les trouvons tous.`,
  lookupSource: 'avant',
  lookupDestination: 'maintenant',
  report: 'Rapport',
  reportText: 'Chaque enregistrement avec son résultat, son ancien et son nouvel identifiant.',
  download: 'Télécharger en CSV',
  print: 'Imprimer cette page',
  certificate: 'Télécharger le certificat signé',
  certificatePage: 'Certificat à imprimer',
  undoLink: 'Annuler l’import',
  undoText: (destination) => `Tout ce que cet import a créé dans ${destination} peut être retiré.`,
  more: 'Plus',
  plan: 'Voir le plan et les correspondances',
}
