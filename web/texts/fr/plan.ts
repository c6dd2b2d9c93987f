import type { plan as en } from '../en/plan.ts'

const isSingular = (count: string) => count === '0' || count === '1'

export const plan: typeof en = {
  titleWorking: 'Nous lisons vos données',
  working: (source) =>
    `Nous lisons des enregistrements de chaque type dans ${source}, pour que le plan se fonde sur vos propres données. Rien n’est écrit.`,
  lookedAt: (count) => (isSingular(count) ? `${count} examiné` : `${count} examinés`),
  title: (destination) => `Votre plan pour ${destination}`,
  intro: (source) =>
    `Rien n’a encore été copié. Rien n’est modifié ni supprimé dans ${source}, ni maintenant ni plus tard.`,
  introAgain:
    'Choisissez les enregistrements à copier, et comment. La prochaine exécution tient compte de vos choix enregistrés.',
  paused: 'Nous n’avons pas encore pu tout lire',
  numbers: 'Enregistrements à copier',
  entity: 'Quoi',
  count: 'Combien',
  span: 'De quand',
  fields: 'Champs',
  include: (entity) => `Copier : ${entity}`,
  included: 'Copiés',
  leftOut: 'Exclus par vous',
  notTaken: (destination) => `${destination} ne les accepte pas`,
  withheld: (count) => `${count} de plus, illisibles`,
  uncounted: 'non compté',
  noneOf: 'aucun',
  filtered: 'Une partie seulement, selon votre choix',
  nothing: (source) => `Il n’y a rien à copier dans ${source}.`,
  editMapping: 'Voir et changer chaque champ',
  editEntity: (entity) => `Champs : ${entity}`,
  checks: 'À corriger d’abord',
  checksAdvice: 'Bon à savoir',
  checksPassed: (count) => (isSingular(count) ? `${count} vérification réussie` : `${count} vérifications réussies`),
  blocking: 'C’est à corriger avant de pouvoir lancer l’échantillon.',
  lookAgain: 'Regarder de nouveau',
  lookingAgain: 'Examen en cours…',
  checkingAgain: 'Vous avez changé quelque chose. Nous le vérifions avec vos enregistrements…',
  outdated: 'Ces chiffres datent d’avant votre dernière modification.',
  verdict: {
    all: (count) =>
      count === '1'
        ? 'L’unique enregistrement est copié en entier.'
        : `Les ${count} enregistrements sont copiés en entier.`,
    some: (whole, all) =>
      isSingular(whole)
        ? `${whole} enregistrement sur ${all} est copié en entier.`
        : `${whole} enregistrements sur ${all} sont copiés en entier.`,
    needs: (count, isOne) => `${count} ${isOne ? 'demande' : 'demandent'} une décision.`,
    rest: (count, isOne) =>
      isOne ? `${count} autre change ou n’est pas copié.` : `${count} autres changent ou ne sont pas copiés.`,
    partial: (looked, total) =>
      `Nous avons lu ${looked} enregistrements sur ${total}. Ces chiffres valent pour eux. Les autres peuvent avoir d’autres pertes.`,
  },
  decisions: 'Vos décisions',
  decisionsText: 'Les plus grandes pertes viennent d’abord. Sans décision, chacune se produit comme décrit.',
  staysBehind: 'Enregistrements et valeurs qui changent ou ne sont pas copiés',
  staysBehindText: 'Il n’y a rien à décider ici.',
  smallChanges: 'Petits changements',
  smallChangesText: 'Le résultat de la migration dirait alors :',
  nothingLost: 'Nous n’avons rien trouvé qui serait perdu.',
  nothingLostPart: 'Nous n’avons rien trouvé qui serait perdu dans les enregistrements examinés.',
  recordsOf: (count, isOne) => (isOne ? `${count} enregistrement` : `${count} enregistrements`),
  example: (which) => `Par exemple : ${which}`,
  valueTimes: (value, count) => `${value} (${count})`,
  loss: {
    refused: '{destination} exige ce champ, et il est vide. {destination} refuserait ces enregistrements.',
    not_protected:
      '{destination} les montrerait à des personnes qui ne les voient pas aujourd’hui. Ils ne sont pas copiés, sauf si vous l’autorisez.',
    option_not_offered: '{destination} n’offre pas ces choix. Le champ reste vide.',
    value_does_not_fit: 'Ces valeurs ne conviennent pas au champ dans {destination}. Il reste vide.',
    user_kept_as_name:
      'Ces personnes n’ont pas encore de compte dans {destination}. Leurs noms figurent dans les enregistrements, comme vous l’avez choisi.',
    user_not_matched:
      'Ces personnes n’ont pas de compte dans {destination}. Les enregistrements arrivent sans leurs noms.',
    only_first_kept: '{destination} n’accepte ici qu’une valeur. Seule la première est copiée.',
    text_cut: 'Ces textes sont plus longs que ce que {destination} accepte. Ils sont coupés.',
    field_not_taken: '{destination} n’a pas ce champ. Ses valeurs ne sont pas copiées.',
    value_unreadable:
      'Des valeurs ne peuvent pas être lues, par exemple un jour qui n’existe pas. Elles sont laissées de côté.',
    required_empty: 'Il manque à ces enregistrements un champ obligatoire.',
    row_skipped: 'Ces lignes ne peuvent pas être lues. Elles sont laissées de côté.',
    duplicate_id: 'Plusieurs lignes ont le même identifiant. Chacune devient un enregistrement à part.',
    entity_not_taken: '{destination} n’accepte pas les enregistrements de ce type. Ils restent dans {source}.',
    file_too_large: 'Ces fichiers sont plus gros que ce que {destination} accepte. Ils restent dans {source}.',
    held: 'Ils dépendent d’enregistrements qui ne sont pas copiés, et les attendent.',
    parent_missing: 'Ils dépendent de quelque chose qui n’est pas copié : ils ne le sont donc pas non plus.',
    merged:
      'Ces enregistrements seront réunis avec un autre, par exemple de même nom ou de même adresse. {destination} n’en garde qu’un pour les deux.',
    relation_lost:
      'Ils renvoient à des enregistrements qui ne sont pas copiés ou que {source} n’a pas. Le lien est laissé de côté.',
    fewer_than_counted:
      '{source} compte plus d’enregistrements que le nombre fourni. S’il en manque, utilisez la clé d’un administrateur.',
  },
  control: {
    chooseValues: 'Choisir ce qu’elles deviennent',
    chooseField: 'Choisir un autre champ',
    leaveOut: 'Laisser de côté',
    matchPeople: 'Associer les personnes',
    otherFile: 'Envoyer un fichier corrigé',
    defaultFor: (field) => `Valeur là où ${field} est vide`,
    useDefault: 'L’utiliser',
    saving: 'Enregistrement…',
  },
  wholeOf: (whole, all) => `${whole} sur ${all} en entier`,
  allWhole: (count) => `les ${count} en entier`,
  time: 'La durée',
  duration: (from, to) =>
    from === to
      ? `Environ ${from}. Vous pouvez fermer la fenêtre entre-temps.`
      : `Environ ${from} à ${to}. Vous pouvez fermer la fenêtre entre-temps.`,
  durationMeasured: 'Mesuré sur votre échantillon.',
  durationByLimits:
    'Estimé d’après les nombres et les limites des deux outils. Votre échantillon rend l’estimation plus précise.',
  minutes: (count) => (count < 2 ? `${count} minute` : `${count} minutes`),
  hours: (count, isOne) => (isOne ? `${count} heure` : `${count} heures`),
  unprotected: 'Enregistrements privés',
  unprotectedText: (destination) =>
    `${destination} les montrerait à des personnes qui ne les voient pas aujourd’hui. Ils ne sont pas copiés, sauf si vous l’autorisez.`,
  unprotectedOf: (entity, count, isAtLeast) =>
    `${entity} : ${isAtLeast ? 'au moins ' : ''}${count === '1' ? '1 est privé' : `${count} sont privés`}`,
  allowUnprotected: (entity) => `Copier quand même ceux qui sont privés : ${entity}`,
  promises: (destination) => `À propos de ${destination}`,
  mayLose: (destination) => `Pertes possibles de certains enregistrements dans ${destination}`,
  keepsTimes: {
    yes: 'Les dates et les auteurs sont conservés.',
    no: 'Les dates sont celles de l’import ; les dates d’origine vont dans le texte quand c’est possible.',
  },
  keepsTimesInside: (entity, most) =>
    `${entity} : les ${most} premiers éléments de chaque enregistrement gardent leur date et leur auteur. Les suivants prennent la date de l’import.`,
  sendsNoMail: {
    yes: 'Personne ne reçoit d’e-mail à cause de l’import.',
    no: 'Des e-mails sur les nouveaux enregistrements peuvent être envoyés. Demandez à son assistance comment les désactiver.',
  },
  canUndo: {
    yes: 'Tout peut être annulé.',
    no: 'Il n’est pas possible d’y retirer ce qui a été copié : une annulation est impossible.',
  },
  largestFile: (size) => `Les fichiers jusqu’à ${size} sont acceptés.`,
  once: {
    A: 'Aucun enregistrement ne peut arriver deux fois, même si une connexion est coupée.',
    B: 'Aucun enregistrement ne peut arriver deux fois, même si une connexion est coupée.',
    C: 'Si une connexion est coupée, nous vérifions avant de renvoyer, et nous cherchons les doublons à la fin.',
    D: 'Si une connexion est coupée au mauvais moment, nous listons les enregistrements incertains au lieu de les envoyer deux fois.',
  },
  people: 'Personnes',
  peopleMatched: (matched, all) =>
    isSingular(matched)
      ? `${matched} personne sur ${all} se trouve des deux côtés.`
      : `${matched} personnes sur ${all} se trouvent des deux côtés.`,
  peopleNone: (source) => `Il n’y a personne à associer dans ${source}.`,
  editPeople: 'Voir et associer les personnes',
  sample: 'L’échantillon gratuit',
  sampleText: (destination) =>
    `Nous copions jusqu’à 20 enregistrements de chaque type, avec leurs commentaires et fichiers. Nous choisissons exprès des cas inhabituels. Vous les comparez ensuite avec les originaux dans ${destination}.`,
  sampleFree: ({ of, left, chosen }, show) =>
    `Les échantillons de cet import sont gratuits pour ${show(of)} enregistrements en tout. Il en reste ${show(left)}.${
      chosen === null
        ? ''
        : ` Nous en choisissons jusqu’à ${show(chosen)}, pour que vous puissiez ensuite en indiquer d’autres.`
    } Refaire un échantillon avec les mêmes enregistrements n’en utilise aucun.`,
  named: 'Voulez-vous y mettre certains enregistrements ?',
  namedText: 'Indiquez-les par leur identifiant dans la source, un par ligne.',
  namedEntity: 'Leur type',
  namedIds: 'Identifiants, un par ligne',
  start: 'Lancer l’échantillon gratuit',
  starting: 'Lancement de l’échantillon…',
  restart: 'Refaire l’échantillon avec ce plan',
  backToReview: 'Retour à l’échantillon',
  fullNote: 'La migration complète tient compte de vos choix enregistrés.',
  toFull: 'Continuer vers la migration complète',
  madeAt: (when) => `Examiné le ${when}`,
}
