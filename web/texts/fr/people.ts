import type { people as en } from '../en/people.ts'

export const people: typeof en = {
  title: 'Associer les personnes',
  intro: (source, destination) =>
    `Choisissez le compte ${destination} de chaque personne de ${source}. Nous associons par adresse e-mail. Si seul le nom se ressemble, c’est vous qui décidez.`,
  open: (count, destination, isOne) =>
    isOne
      ? `${count} personne n’a pas encore de compte ${destination}. Les enregistrements qui la nomment arrivent sans ce nom.`
      : `${count} personnes n’ont pas encore de compte ${destination}. Les enregistrements qui les nomment arrivent sans ces noms.`,
  applies: {
    plan: 'Votre choix vaut à partir de la prochaine exécution.',
    sample: 'Votre choix vaut à partir de la prochaine exécution. Refaites l’échantillon pour le voir.',
    done: 'Les enregistrements déjà copiés restent tels quels jusqu’à ce que vous leur appliquiez votre choix. Cela réattribue les responsables et ne copie rien deux fois. Nous relisons d’abord les personnes des deux outils.',
  },
  repeatSample: 'Refaire l’échantillon',
  applyNow: 'Appliquer aux enregistrements copiés',
  starting: 'Lancement…',
  defaultUser: 'Remplaçant de toutes les personnes sans équivalent',
  nobody: 'Personne : le nom est laissé de côté',
  inviteLater: 'Inviter plus tard : le nom figure dans l’enregistrement',
  inviteAll: (count, isOne) =>
    isOne ? `Garder ${count} nom, inviter plus tard` : `Garder les ${count} noms, inviter plus tard`,
  toInvite: (count, destination, isOne) =>
    isOne
      ? `Vous invitez ${count} personne plus tard. Quiconque lit un enregistrement y voit le nom. Une fois invitée dans ${destination}, elle est associée par adresse e-mail.`
      : `Vous invitez ${count} personnes plus tard. Quiconque lit un enregistrement y voit le nom. Une fois invitées dans ${destination}, elles sont associées par adresse e-mail.`,
  becomesOf: (name) => `Compte de ${name}`,
  matched: 'même adresse e-mail',
  chosen: 'choisie par vous',
  suggestion: (name) => `Nom semblable : ${name}`,
  useSuggestion: 'Oui, c’est la même personne',
  unmatched: 'sans équivalent',
  leftEmpty: 'laissée de côté par vous',
  nameKept: 'à inviter plus tard ; le nom figure dans les enregistrements',
  namedIn: (count, isOne) => (isOne ? `nommée dans ${count} enregistrement` : `nommée dans ${count} enregistrements`),
  namedInNone: 'nommée dans aucun des enregistrements examinés',
  unlisted: 'ne figure plus dans la source',
  unnamed: (id) => `Personne ${id}`,
  change: 'Changer',
  inactive: 'inactive',
  onlyOpen: 'Seulement les personnes sans équivalent',
  select: (name) => `Sélectionner ${name}`,
  selectAll: (count) => `Sélectionner les ${count} affichées sans équivalent`,
  forSelected: (count, isOne) =>
    isOne ? `Pour ${count} personne sélectionnée` : `Pour ${count} personnes sélectionnées`,
  apply: 'Utiliser pour toutes les personnes sélectionnées',
  acceptAll: (count) => `Accepter toutes les propositions (${count})`,
  saving: 'Enregistrement…',
  none: 'Il n’y a personne à associer.',
  all: 'Chaque personne a un équivalent.',
  search: 'Rechercher des personnes',
}
