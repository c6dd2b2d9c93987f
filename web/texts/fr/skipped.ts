import type { skipped as en } from '../en/skipped.ts'

const notCopied = (one: string, many: string) => (count: number, shown: string) =>
  count < 2 ? `Non copié : ${shown} ${one}.` : `Non copiés : ${shown} ${many}.`
const notCopiedFeminine = (one: string, many: string) => (count: number, shown: string) =>
  count < 2 ? `Non copiée : ${shown} ${one}.` : `Non copiées : ${shown} ${many}.`

export const skipped: typeof en = {
  heading: 'Laissé de côté exprès',
  stays: (source) => `Tout cela reste dans ${source}.`,
  kinds: {
    account_links: (count, shown) =>
      `Non copiés : les liens de ${shown} ${count < 2 ? 'entreprise' : 'entreprises'} avec d’autres entreprises, s’il y en a.`,
    activities_elsewhere: notCopiedFeminine(
      'activité (appel, réunion ou tâche)',
      'activités (appels, réunions et tâches)',
    ),
    approvals: notCopiedFeminine('approbation', 'approbations'),
    article_translations: notCopiedFeminine('traduction d’un article', 'traductions d’articles'),
    articles: notCopied('article de la base de connaissances', 'articles de la base de connaissances'),
    assets: notCopied('équipement', 'équipements'),
    call_logs: notCopied('journal d’appel', 'journaux d’appels'),
    community_posts: notCopiedFeminine(
      'publication du forum de la communauté',
      'publications du forum de la communauté',
    ),
    custom_posts: notCopied('texte d’un autre type qu’article ou page', 'textes d’autres types qu’article ou page'),
    custom_records: notCopied('enregistrement d’un objet personnalisé', 'enregistrements d’objets personnalisés'),
    deleted_tickets: notCopied('ticket supprimé', 'tickets supprimés'),
    files_elsewhere: notCopied(
      'fichier d’un enregistrement d’un autre type',
      'fichiers d’enregistrements d’autres types',
    ),
    forum_topics: notCopied('sujet d’un forum', 'sujets de forums'),
    history_entries: notCopiedFeminine(
      'entrée de l’historique, comme un changement de statut',
      'entrées de l’historique, comme des changements de statut',
    ),
    invoices: notCopiedFeminine('facture', 'factures'),
    leads: notCopied('lead', 'leads'),
    line_items: notCopiedFeminine('ligne de produit', 'lignes de produit'),
    menu_items: notCopied('élément de menu', 'éléments de menu'),
    messages: notCopied('message autre qu’un e-mail', 'messages autres que des e-mails'),
    news: notCopiedFeminine('actualité', 'actualités'),
    newsletters: notCopiedFeminine('lettre d’information', 'lettres d’information'),
    note_comments: (count, shown) =>
      `Non copiés : les commentaires de ${shown} ${count < 2 ? 'note' : 'notes'}, s’il y en a.`,
    notes_elsewhere: notCopiedFeminine(
      'note sur un enregistrement d’un autre type',
      'notes sur des enregistrements d’autres types',
    ),
    offers: notCopiedFeminine('offre aux membres', 'offres aux membres'),
    other_help_centers: notCopied('Help Center d’une autre marque', 'Help Centers d’autres marques'),
    pingbacks: notCopied('pingback ou rétrolien', 'pingbacks ou rétroliens'),
    products: notCopied('produit', 'produits'),
    projects_elsewhere: notCopied('projet', 'projets'),
    quotes: notCopied('devis', 'devis'),
    reminders: notCopied('rappel', 'rappels'),
    reusable_blocks: notCopied('bloc réutilisable', 'blocs réutilisables'),
    revisions: notCopiedFeminine('version antérieure d’un texte', 'versions antérieures de textes'),
    sales: notCopiedFeminine('vente', 'ventes'),
    satisfaction_ratings: notCopiedFeminine('évaluation d’un client', 'évaluations de clients'),
    saved_queries: notCopiedFeminine('requête enregistrée', 'requêtes enregistrées'),
    sensitive_fields: notCopied('champ pour données sensibles', 'champs pour données sensibles'),
    spam_comments: notCopied('commentaire indésirable', 'commentaires indésirables'),
    spam_tickets: notCopied('ticket indésirable', 'tickets indésirables'),
    suspended_tickets: notCopied('ticket suspendu', 'tickets suspendus'),
    system_users: notCopied('utilisateur du système lui-même', 'utilisateurs du système lui-même'),
    tickets_elsewhere: notCopied('ticket', 'tickets'),
    tiers: notCopiedFeminine('formule payante', 'formules payantes'),
    time_entries: notCopied('temps passé', 'temps passés'),
    trashed_comments: notCopied('commentaire dans la corbeille', 'commentaires dans la corbeille'),
    trashed_pages: notCopiedFeminine('page dans la corbeille', 'pages dans la corbeille'),
    trashed_posts: notCopied('article dans la corbeille', 'articles dans la corbeille'),
  },
}
