import type { general as en } from '../en/general.ts'
import type { StatusFacts } from '../status-facts.ts'
import { of } from './elide.ts'

const record = (count: number) => (count < 2 ? 'enregistrement' : 'enregistrements')

const whoPays = ({ sponsorship, partner }: StatusFacts) =>
  ({
    accepted: `${partner} la paie.`,
    rejected: `${partner} ne la paie pas : vous devez donc d’abord l’acheter.`,
    undecided: `${partner} n’a pas encore décidé de la payer ou non.`,
  })[sponsorship]

export const general: typeof en = {
  pageTitle: (title, partner) => `${title} · ${partner}`,
  colon: ' :',
  sizes: ['o', 'ko', 'Mo', 'Go'],
  header: {
    madeFor: 'Votre import',
    family: {
      helpdesk: 'Données d’assistance',
      project: 'Données de projets',
      blog: 'Contenu de blog',
      crm: 'Données clients (CRM)',
    },
  },
  footer: {
    carriedOut: (partner) => `Wherry réalise cet import pour ${partner}.`,
    created: (when) => `Créé le ${when}`,
    reference: 'Référence pour l’assistance',
    language: 'Langue',
    languageFailed: 'La langue n’a pas pu être chargée. Veuillez réessayer.',
  },
  tools: { csv: 'Fichiers CSV' },
  plates: {
    picture: 'Les deux comptes',
    from: 'De',
    to: 'Vers',
    access: {
      missing: 'Pas encore connecté',
      given: 'À confirmer par vous',
      checked: 'Connecté',
      lost: 'Demande votre attention',
    },
  },
  loading: {
    title: 'Ouverture de votre import',
    text: 'Nous regardons où il en est.',
  },
  status: {
    collecting_credentials: {
      title: ({ missingAccess }) =>
        missingAccess.length === 1
          ? `En attente de l’accès à ${missingAccess[0]}`
          : 'En attente de l’accès aux deux comptes',
      now: ({ source, destination }) =>
        `Rien n’a encore été copié. Rien n’a été modifié dans ${source} ni dans ${destination}.`,
      next: ({ startFull, partner, destination }) =>
        startFull
          ? `Dès que les deux comptes sont accessibles, toutes vos données sont copiées. ${partner} l’a demandé ainsi, sans échantillon, et le paie.`
          : `Dès que les deux comptes sont accessibles, l’import commence par un petit échantillon, et seulement quand vous le lancez. Vous regardez le résultat dans ${destination} avant toute autre copie.`,
    },
    waiting_to_start_sample_migration: {
      title: () => 'Prêt pour l’échantillon',
      now: () => 'Les deux comptes sont accessibles. Rien n’est copié pour le moment.',
      next: ({ destination }) =>
        `L’échantillon commence quand vous le lancez. Il copie quelques enregistrements, pour que vous puissiez les voir dans ${destination} avant toute autre copie.`,
    },
    sample_migration_in_progress: {
      title: ({ destination }) => `Copie d’un échantillon vers ${destination}`,
      now: ({ source }) =>
        `Une petite partie de vos données est en cours de copie. Rien n’est modifié ni supprimé dans ${source}.`,
      next: ({ destination }) =>
        `Quand le dernier enregistrement est copié et relu, vous pouvez voir l’échantillon dans ${destination}.`,
    },
    sample_migration_completed: {
      title: ({ destination }) => `L’échantillon est dans ${destination}`,
      now: ({ source, destination }) =>
        `Les enregistrements copiés vous attendent dans ${destination}. Rien n’a été modifié ni supprimé dans ${source}.`,
      next: (facts) =>
        `La migration complète ne commence pas toute seule, mais seulement quand vous la demandez. ${whoPays(facts)}`,
    },
    in_preparation: {
      title: () => 'Prêt pour la migration complète',
      now: () => 'La migration complète est payée. Rien n’est copié pour le moment.',
      next: ({ source, destination }) =>
        `La migration complète copie vos données ${of(source)} vers ${destination}. Elle ne modifie ni ne supprime rien dans ${source}.`,
    },
    migration_in_progress: {
      title: ({ destination }) => `Copie de vos données vers ${destination}`,
      now: ({ source }) => `Rien n’est modifié ni supprimé dans ${source}.`,
      next: () =>
        'Quand le dernier enregistrement est copié, cette page vous le dit et montre les chiffres définitifs.',
    },
    migration_completed: {
      title: ({ destination }) => `Vos données sont dans ${destination}`,
      now: ({ source }) => `Le dernier enregistrement a été copié. Rien n’a été modifié ni supprimé dans ${source}.`,
      next: ({ destination, warningCount }) =>
        warningCount > 0
          ? `Vous pouvez commencer à travailler dans ${destination}. Lisez aussi les remarques ci-dessous.`
          : `Vous pouvez commencer à travailler dans ${destination}.`,
    },
    undo_in_progress: {
      title: ({ destination }) => `Retrait des données copiées dans ${destination}`,
      now: ({ source }) =>
        `Seuls les enregistrements créés par cet import sont retirés. On ne touche à rien dans ${source}.`,
      next: () => 'Quand le dernier enregistrement est retiré, cette page vous le dit.',
    },
    migration_cleaned: {
      title: () => 'L’import a été annulé',
      now: ({ source, destination }) =>
        `L’annulation dans ${destination} est terminée. On n’a touché à rien dans ${source}.`,
      next: () => 'Il ne se passe plus rien, sauf si vous recommencez.',
    },
  },
  nextHeading: 'La suite',
  progress: {
    heading: { copying: 'Traité jusqu’ici', removing: 'Traité jusqu’ici' },
    ofTotal: (done, total, count) => `${done} sur ${total} ${record(count)}`,
    totalUnknown: (done, count) => `${done} ${record(count)}. Le total n’est pas encore connu.`,
    announced: (title, percent) => `${title} : ${percent} pour cent`,
  },
  items: {
    heading: (destination) => `Maintenant dans ${destination} grâce à cet import`,
    entity: {
      accounts: 'Entreprises',
      activities: 'Activités',
      agents: 'Agents',
      articles: 'Articles',
      attachments: 'Pièces jointes',
      authors: 'Auteurs',
      boards: 'Tableaux',
      canned_responses: 'Réponses types',
      categories: 'Catégories',
      closed_stages: 'Étapes des affaires gagnées et perdues',
      comments: 'Commentaires',
      components: 'Composants',
      contacts: 'Contacts',
      countries: 'Pays',
      deals: 'Affaires',
      field_definitions: 'Champs personnalisés',
      groups: 'Groupes',
      issues: 'Demandes',
      labels: 'Étiquettes',
      leads: 'Prospects',
      media: 'Fichiers multimédias',
      members: 'Membres',
      memberships: 'Adhésions',
      milestones: 'Jalons',
      notes: 'Notes',
      organizations: 'Organisations',
      pages: 'Pages',
      party_categories: 'Catégories',
      pipelines: 'Pipelines',
      posts: 'Articles de blog',
      products: 'Produits',
      project_members: 'Membres des projets',
      projects: 'Projets',
      redirects: 'Redirections',
      relation_types: 'Types de relations',
      relationships: 'Relations',
      sections: 'Sections',
      stages: 'Étapes',
      statuses: 'Statuts',
      subscribers: 'Abonnés',
      tags: 'Mots-clés',
      tasks: 'Tâches',
      teams: 'Équipes',
      tickets: 'Tickets',
      time_entries: 'Temps passés',
      users: 'Utilisateurs',
      wiki_pages: 'Pages wiki',
    },
  },
  stale: (time) =>
    `Nous ne pouvons pas joindre le service pour le moment. Vous voyez la situation de ${time}. Nous continuons d’essayer ; vos données ne sont pas touchées.`,
  invalidLink: {
    title: 'Ce lien n’ouvre aucun import',
    meaning: 'Il est peut-être incomplet, ou un lien plus récent l’a remplacé. Vos données ne sont pas touchées.',
    advice: 'Retournez dans l’application qui vous a envoyé ici et ouvrez de nouveau l’import depuis celle-ci.',
  },
  signedOut: {
    title: 'Veuillez rouvrir votre import',
    meaning:
      'Ce navigateur n’est pas connecté à l’import. La connexion dure sept jours à partir du moment où vous ouvrez le lien. Rien n’est perdu : une migration en cours continue.',
    advice: 'Retournez dans l’application qui vous a envoyé ici et ouvrez l’import depuis celle-ci.',
  },
  ended: {
    title: { cancelled: 'Cet import a été abandonné', archived: 'Cet import a été archivé' },
    meaning: {
      cancelled: 'Il ne copie et ne modifie plus rien, et vous n’avez plus rien à faire ici.',
      archived: 'Il est clos : il ne copie et ne modifie plus rien, et vous n’avez plus rien à faire ici.',
    },
    advice: {
      cancelled: (partner) =>
        `Si vous ne vous y attendiez pas, adressez-vous à ${partner}, qui peut aussi créer un nouvel import.`,
      archived: (partner) => `S’il vous en faut encore quelque chose, adressez-vous à ${partner}.`,
    },
  },
  unavailable: {
    title: 'Votre import est injoignable pour le moment',
    meaning:
      'Notre service ne répond pas, ou votre connexion internet est interrompue. Vos données ne sont pas touchées.',
    retrying: 'Nous réessayons sans cesse. Dès qu’il y a une réponse, cette page s’affiche toute seule.',
    tryNow: 'Essayer maintenant',
    trying: 'Essai en cours…',
  },
  cookiesRefused: {
    title: 'Votre navigateur n’a pas gardé notre cookie',
    meaning:
      'Cette page a besoin d’un cookie pour se rappeler que vous êtes venu avec le bon lien. Il ne sert à rien d’autre. Vos données ne sont pas touchées.',
    advice: 'Autorisez les cookies pour ce site, puis rouvrez l’import depuis l’application qui vous a envoyé ici.',
  },
}
