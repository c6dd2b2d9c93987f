import type { progress as en } from '../en/progress.ts'

export const progress: typeof en = {
  eta: {
    measuring: 'Nous mesurons combien de temps il faudra.',
    between: (least, most) => `encore environ ${least} à ${most} minutes ; nous mesurons encore`,
    underMinute: 'encore moins d’une minute',
    minutes: (count) => (count === 1 ? 'encore environ 1 minute' : `encore environ ${count} minutes`),
    hours: (count) => `encore environ ${count} heures`,
    paused: 'En pause. Rien n’est copié pour le moment.',
    waiting: 'En attente. Rien n’est copié pour le moment.',
  },
  held: {
    copying: (destination) => `La copie vers ${destination} est suspendue`,
    removing: (destination) => `Le retrait dans ${destination} est suspendu`,
  },
  removal: {
    title: (destination) => `Retrait d’enregistrements dans ${destination}`,
    now: (source) =>
      `Les enregistrements qui ne sont plus dans ${source} sont retirés. Rien n’est modifié dans ${source}.`,
  },
  mayClose:
    'Vous pouvez fermer cette fenêtre : tout continue sans elle, et le lien de l’application qui vous a envoyé ici vous y ramène.',
  stages: {
    users: 'Association des personnes',
    choose: 'Choix des enregistrements de l’échantillon',
    write: 'Copie',
    link: 'Mise en place des liens',
    sweep: 'Recherche de doublons',
    verify: 'Relecture et comparaison',
    compare: 'Recherche des enregistrements supprimés dans la source',
    guard: 'Vérification des renvois des enregistrements qui restent',
    remove: 'Retrait',
    follow: 'Vérification des enregistrements restés',
  },
  nowDoing: 'En ce moment',
  ofEntity: (act, entity) => `${act} : ${entity}`,
  entities: 'En détail',
  waiting: 'en attente',
  working: 'en cours',
  done: 'fait',
  ofTotal: (done, total) => `${done} sur ${total}`,
  inDestination: (formatted, count, destination, hasEarlier) => {
    const words =
      count === 1 ? `1 enregistrement est dans ${destination}` : `${formatted} enregistrements sont dans ${destination}`
    return hasEarlier ? `${words}, ceux des exécutions précédentes compris.` : `${words}.`
  },
  pause: 'Mettre en pause',
  pausing: 'Mise en pause…',
  resume: 'Continuer',
  resuming: 'Reprise…',
  stop: 'Arrêter et annuler',
  pausedTitle: 'Mis en pause par vous',
  pausedText: 'Tout ce qui est déjà copié est en sécurité. Vous pouvez reprendre ici quand vous voulez.',
  feed: 'Derniers événements',
  finishedAnnounced: 'Terminé',
}
