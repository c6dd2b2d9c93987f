import type { full as en } from '../en/full.ts'
import { of } from './elide.ts'

export const full: typeof en = {
  title: 'La migration complète',
  intro: (source, destination) =>
    `Tout ce que contient votre plan est copié ${of(source)} vers ${destination}. L’échantillon qui s’y trouve déjà est conservé et complété.`,
  titleByItself: 'Préparation de la migration complète',
  introByItself: (source, destination) =>
    `Nous lisons d’abord ${source} et établissons un plan. Ensuite, nous copions tout vers ${destination}. La copie démarre toute seule : vous n’avez pas besoin d’attendre ici.`,
  seePlan: 'Voir le plan',
  willCopy: 'Ce qui sera copié',
  about: (count) => `environ ${count} enregistrements`,
  whoPays: 'Qui paie',
  accepted: (partner) => `${partner} paie. Cela ne vous coûte rien.`,
  paid: 'Elle est payée.',
  undecided: (partner) => `${partner} n’a pas encore décidé de la payer ou non.`,
  ask: (partner) => `Demander à ${partner} de payer`,
  asking: 'Demande en cours…',
  asked: (partner, when) =>
    `Vous l’avez demandé à ${partner} le ${when}. Dès qu’il y a une réponse, cette page la montre ; vous pouvez la fermer entre-temps.`,
  rejected: (partner) => `${partner} ne la paie pas ; vous pouvez l’acheter ici.`,
  notYet: (partner) => `Vous pourrez la lancer dès que ${partner} aura accepté de payer ou que vous aurez payé.`,
  notPaid: 'Vous pourrez la lancer dès qu’elle sera payée.',
  start: 'Lancer la migration complète',
  starting: 'Lancement…',
  back: 'Retour à l’échantillon',
  plan: 'Revoir le plan',
  safe: (source) =>
    `Rien n’est modifié ni supprimé dans ${source}. Vous pouvez faire une pause à tout moment, et annuler ensuite.`,
  safeNoUndo: (source) => `Rien n’est modifié ni supprimé dans ${source}. Vous pouvez faire une pause à tout moment.`,
}
