import type { undo as en } from '../en/undo.ts'

export const undo: typeof en = {
  title: (destination) => `Retirer tout ce qui a été copié dans ${destination} ?`,
  titleRunning: 'Arrêter et annuler ?',
  intro: (source) => `Seul ce que cet import a créé est retiré. On ne touche à rien dans ${source}.`,
  introRunning: (count, destination) =>
    `La copie s’arrête aussitôt. Ensuite, les enregistrements créés dans ${destination} (${count}) sont retirés. Ceux que quelqu’un y a modifiés depuis restent.`,
  impossible: (destination) =>
    `${destination} ne permet pas de retirer des enregistrements : cet import ne peut donc pas être annulé. Vous pouvez les retirer là-bas à la main ; le rapport les nomme tous.`,
  until: (date) =>
    `Vous pouvez annuler cet import jusqu’au ${date}. Ensuite, nous effaçons notre accès aux deux comptes.`,
  over: (date) =>
    `Cet import pouvait être annulé jusqu’au ${date}. Depuis, nous avons effacé notre accès aux deux comptes.`,
  look: 'Voir ce qui serait retiré',
  looking: (destination) => `Consultation de chaque enregistrement dans ${destination}…`,
  lookText: 'Nous regardons d’abord chaque enregistrement tel qu’il est maintenant. Cela ne retire rien.',
  lookPaused: 'Nous n’avons pas pu tout regarder',
  findings: {
    removable: 'Seront retirés',
    edited: 'Modifiés là-bas depuis',
    missing: 'Plus présents',
    unknown: 'Impossibles à consulter',
  },
  findingsText: {
    removable: 'Tels que cet import les a laissés',
    edited: 'Restent, sauf si vous en décidez autrement',
    missing: 'Quelqu’un les a déjà retirés',
    unknown: 'Restent, et figurent dans le rapport',
  },
  showEdited: 'Afficher ceux qui ont été modifiés',
  removeEdited: (count) => `Retirer aussi ceux que quelqu’un a modifiés depuis (${count})`,
  word: 'annuler',
  confirm: (word) => `Tapez « ${word} » pour confirmer`,
  confirmMissing: (word) => `Tapez d’abord « ${word} » dans le champ ci-dessus.`,
  start: (count) =>
    count === '0' || count === '1' ? `Retirer ${count} enregistrement` : `Retirer ${count} enregistrements`,
  startRunning: 'Arrêter et retirer',
  starting: 'Lancement de l’annulation…',
  keep: 'Tout garder',
  cleanedStayed: 'Enregistrements restés',
  cleanedStayedText: 'Ceux-ci ont été modifiés là-bas, ou n’ont pas pu être retirés. Le rapport les nomme un à un.',
  startOver: 'Recommencer',
  startingOver: 'Nouveau départ…',
  startOverText: 'Vous revenez au plan. Vos correspondances sont conservées.',
}
