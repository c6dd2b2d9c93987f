import type { review as en } from '../en/review.ts'

export const review: typeof en = {
  intro: (destination) =>
    `Comparez ce qui est arrivé avec les originaux. Rien d’autre n’est copié tant que vous ne le dites pas. Vous pouvez aussi regarder dans ${destination} directement.`,
  records: 'Comparer un par un',
  recordsText: 'Cochez ce qui est juste, signalez ce qui ne l’est pas. Vos collègues voient les mêmes marques.',
  entities: 'Types d’enregistrements',
  list: 'Enregistrements de l’échantillon',
  previous: 'Précédent',
  next: 'Suivant',
  position: (at, all) => `${at} sur ${all}`,
  looking: 'Lecture dans les deux outils …',
  field: 'Champ',
  inSource: (source) => `Dans ${source}`,
  mapped: 'Tel que converti',
  stored: (destination) => `Maintenant dans ${destination}`,
  openSource: (source) => `Ouvrir dans ${source}`,
  openDestination: (destination) => `Ouvrir dans ${destination}`,
  notStored: 'Il n’y est pas.',
  notMapped: 'Il attend un enregistrement dont il dépend.',
  differs: 'différent',
  agrees: 'Ce qui a été relu correspond à ce que nous avons envoyé.',
  differences: (count) =>
    count === 1
      ? '1 champ n’est pas tel que nous l’avons envoyé.'
      : `${count} champs ne sont pas tels que nous les avons envoyés.`,
  linkedLater: 'lié quand il sera copié',
  empty: 'vide',
  yes: 'oui',
  no: 'non',
  created: 'Créé',
  updated: 'Modifié',
  lost: 'Ce qui change en chemin',
  fine: 'C’est juste',
  flag: 'Quelque chose cloche',
  marked: { fine: 'juste', flagged: 'signalé' },
  marking: 'Enregistrement de votre marque …',
  flaggedNote: (count) =>
    count === 1
      ? 'Vous avez signalé 1 enregistrement. Changez les correspondances et refaites l’échantillon, ou continuez si cela vous convient.'
      : `Vous avez signalé ${count} enregistrements. Changez les correspondances et refaites l’échantillon, ou continuez si cela vous convient.`,
  noRecords: 'Il n’y a rien de ce type dans l’échantillon.',
  goOn: 'Continuer vers la migration complète',
  change: 'Changer les correspondances et refaire',
  undo: 'Annuler l’échantillon',
}
