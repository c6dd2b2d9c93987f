/** Translations of the service's sentences about checks and obstacles. `{}` is a placeholder for a value. */
export const checkSentences: Record<string, string> = {
  'Redmine sends mail about every issue and every note that is imported, and its API cannot switch that off.':
    'Redmine envoie un e-mail pour chaque demande et chaque note importée, et son API ne permet pas de l’empêcher.',
  'Before the import, untick every action under Administration › Settings › Email notifications, and tick them again afterwards.':
    'Avant l’import, décochez toutes les actions sous Administration › Configuration › Notifications par mail, et cochez-les de nouveau ensuite.',
  'Redmine computes priority, dates and progress of an issue that has others below it, unless it is told not to.':
    'Redmine calcule lui-même la priorité, les dates et l’avancement d’une demande qui en a d’autres sous elle, sauf réglage contraire.',
  'To keep them as they are, set the parent task attributes to "Independent of subtasks" under Administration › Settings › Issue tracking.':
    'Pour les garder tels quels, réglez sous Administration › Configuration › Suivi des demandes les attributs des tâches parentes sur « Indépendent des sous-tâches ».',
  'Links between tickets of different groups are left out, and listed, unless Redmine allows links between projects.':
    'Les liens entre tickets de groupes différents sont laissés de côté, et listés, sauf si Redmine autorise les liens entre projets.',
  'Under Administration › Settings › Issue tracking, tick "Allow cross-project issue relations", and allow cross-project subtasks "With all projects".':
    'Sous Administration › Configuration › Suivi des demandes, cochez « Autoriser les relations entre demandes de différents projets », et autorisez les sous-tâches « Avec tous les projets ».',
  'Contacts become users of Redmine.': 'Les contacts deviennent des utilisateurs de Redmine.',
  'They get no mail and no password, but could ask for one and then see public projects.':
    'Ils ne reçoivent ni e-mail ni mot de passe, mais pourraient en demander un et voir alors les projets publics.',
  'If that is not wanted, switch off "Lost password" under Administration › Settings › Authentication, or lock these users after the import.':
    'Si ce n’est pas souhaité, désactivez sous Administration › Configuration › Authentification la réinitialisation par e-mail du mot de passe perdu, ou verrouillez ces utilisateurs après l’import.',
  'Under Administration › Custom fields, make a field for {} with the format Text and the name "{}"; tick "Used as a filter", "For all projects" and every tracker.':
    'Sous Administration › Champs personnalisés, créez un champ pour {} au format Texte, nommé « {} » ; cochez « Utilisé comme filtre », « Pour tous les projets » et chaque tracker.',
  'Under Administration › Custom fields, make a field for {} with the format Text and the name "{}"; tick "Used as a filter".':
    'Sous Administration › Champs personnalisés, créez un champ pour {} au format Texte, nommé « {} » ; cochez « Utilisé comme filtre ».',
  'Redmine has no custom field "{}" for {}, by which imported records are found again.':
    'Il manque dans Redmine le champ personnalisé « {} » pour {}. Il permet de retrouver les données importées.',
  'The custom field "{}" for {} is not used as a filter.':
    'Le champ personnalisé « {} » pour {} n’est pas utilisé comme filtre.',
  'The custom field "{}" is missing for {}.': 'Le champ personnalisé « {} » manque pour {}.',
  'The custom field "{}" for {} is there.': 'Le champ personnalisé « {} » pour {} existe.',
  'spent time': 'temps passé',
  'issues of the tracker "{}"': 'les demandes du tracker « {} »',
  'The custom field "{}" is missing in Redmine or not used as a filter. Please restore it.':
    'Le champ personnalisé « {} » manque dans Redmine ou n’est pas utilisé comme filtre. Veuillez le rétablir.',
  'Redmine has no custom field "{}" for {}. Make one of the format Text, for all projects and trackers, used as a filter.':
    'Redmine n’a pas de champ personnalisé « {} » pour {}. Créez-le au format Texte, pour tous les projets et trackers, utilisé comme filtre.',
  'The project {} in Redmine has been archived. Please unarchive it, so that the import can go on.':
    'Le projet {} a été archivé dans Redmine. Veuillez le désarchiver pour que l’import puisse continuer.',
  'Redmine does not accept this API key, or its REST API is switched off.':
    'Redmine n’accepte pas cette clé API, ou son API REST est désactivée.',
  'In Request Tracker, choose Admin > Custom Fields > Create. Name: "{}", type: "Enter one value", applies to: "{}". Save it, then choose "Applies to" and tick it for all of them ("globally").':
    'Dans Request Tracker, choisissez Admin > Custom Fields > Create. Nom : « {} », type : « Enter one value », s’applique à : « {} ». Enregistrez, puis choisissez « Applies to » et cochez-le pour tous (« globally »).',
  'The custom field "{}" for {} is missing.': 'Le champ personnalisé « {} » pour {} manque.',
  'Public messages on closed tickets leave two lines about their status in the history while the scrip "On Correspond Open Inactive Tickets" is enabled.':
    'Les messages publics sur des tickets fermés laissent dans l’historique deux lignes sur leur statut tant que le scrip « On Correspond Open Inactive Tickets » est activé.',
  'Disable it during the import to do without them.': 'Désactivez-le pendant l’import pour les éviter.',
  'There is a custom field for our key on {}.': 'Le champ personnalisé pour notre clé existe : {}.',
  'The custom field "{}" is needed on {}, so that nothing is written twice and everything can be undone.':
    'Le champ personnalisé « {} » est nécessaire pour : {}. Ainsi rien n’est écrit deux fois et tout peut être annulé.',
  'Messages can be written without a mail to anyone.': 'Les messages peuvent être écrits sans e-mail à quiconque.',
  'Messages cannot be written without a mail to customers, because the page for them does not take ours.':
    'Les messages ne peuvent pas être écrits sans e-mail aux clients, car la page prévue n’accepte pas les nôtres.',
  'Connect Request Tracker by the address that its settings WebDomain and WebPort name, and no other.':
    'Connectez Request Tracker exactement par l’adresse que donnent ses réglages WebDomain et WebPort.',
  'Times in custom fields are kept exactly.': 'Les heures des champs personnalisés sont gardées exactement.',
  'Times in custom fields may be shifted, because the user of the token does not have UTC as its time zone.':
    'Les heures des champs personnalisés peuvent être décalées, car l’utilisateur du jeton n’a pas UTC comme fuseau horaire.',
  'In Request Tracker, set the time zone of the user of the token to UTC.':
    'Dans Request Tracker, réglez le fuseau horaire de cet utilisateur sur UTC.',
  'The pages of Request Tracker do not accept the token. Make its address reachable without another sign-in in front.':
    'Les pages de Request Tracker n’acceptent pas le jeton. Son adresse doit être accessible sans autre connexion préalable.',
  'This user may create, change and delete what is imported.':
    'Cet utilisateur peut créer, modifier et supprimer ce qui est importé.',
  'This user may not create, change and delete {}.': 'Cet utilisateur ne peut pas créer, modifier et supprimer : {}.',
  'Connect Tryton with a user of the groups "Party Administration" and "Sales", or give these groups to this user.':
    'Connectez Tryton avec un utilisateur des groupes « Party Administration » et « Sales », ou donnez ces groupes à cet utilisateur.',
  'HubSpot does not accept this access token.': 'HubSpot n’accepte pas ce jeton d’accès.',
  'HubSpot sends no mail about imported records.':
    'HubSpot n’envoie aucun e-mail au sujet des enregistrements importés.',
  'Companies that HubSpot already has are not looked for: they arrive a second time.':
    'Les entreprises que HubSpot a déjà ne sont pas recherchées : elles arrivent une seconde fois.',
  'Merge the duplicates in HubSpot after the import, once you are sure that you will not undo it.':
    'Fusionnez les doublons dans HubSpot après l’import, une fois certain de ne pas l’annuler.',
  'HubSpot can make a company for the address of each contact by itself.':
    'HubSpot peut créer de lui-même une entreprise pour l’adresse de chaque contact.',
  'An undo does not remove these companies.': 'Une annulation ne supprime pas ces entreprises.',
  'Switch off "Create and associate companies with contacts" in the settings of companies.':
    'Désactivez « Créer et associer des entreprises aux contacts » dans les paramètres des entreprises.',
  'Workflows of this account may: switch off those that start with new records.':
    'Les workflows de ce compte le peuvent : désactivez ceux qui démarrent avec de nouveaux enregistrements.',
  'Pipedrive does not accept this API token.': 'Pipedrive n’accepte pas ce jeton d’API.',
  'The sign-in named an address that is not Pipedrive’s.':
    'La connexion a indiqué une adresse qui n’est pas celle de Pipedrive.',
  'Please sign in again.': 'Veuillez vous connecter de nouveau.',
  'Pipedrive sends no mail about imported records.':
    'Pipedrive n’envoie aucun e-mail au sujet des enregistrements importés.',
  'Automations of this account may: switch off those that start with new records.':
    'Les automatisations de ce compte le peuvent : désactivez celles qui démarrent avec de nouveaux enregistrements.',
  'People and organizations that Pipedrive already has are not looked for: they arrive a second time.':
    'Les personnes et les organisations que Pipedrive a déjà ne sont pas recherchées : elles arrivent une seconde fois.',
  'Merge the duplicates in Pipedrive after the import, once you are sure that you will not undo it.':
    'Fusionnez les doublons dans Pipedrive après l’import, une fois certain de ne pas l’annuler.',
  'Deals without a stage arrive in the first stage of their pipeline: Pipedrive requires one.':
    'Les affaires sans étape arrivent dans la première étape de leur pipeline : Pipedrive en exige une.',
  'Pipedrive does not let us make the custom field "{}".':
    'Pipedrive ne permet pas de créer le champ personnalisé « {} ».',
  "Please make room for it, or connect an administrator's account.":
    'Faites-lui de la place ou connectez le compte d’un administrateur.',
  'Pipedrive took the mark of our import out of a text, so nothing more can be written safely.':
    'Pipedrive a retiré d’un texte la marque de l’import. Sans elle, rien de plus n’est écrit.',
  'Tryton can take deals.': 'Tryton peut recevoir des affaires.',
  'Tryton has no opportunities, so deals stay behind.':
    'Tryton n’a pas d’opportunités ; vos affaires ne sont donc pas copiées.',
  'Activate the module "sale_opportunity" in Tryton, if you want your deals there.':
    'Activez le module « sale_opportunity » dans Tryton si vous voulez y avoir vos affaires.',
  'Tryton can say who works for whom.': 'Tryton peut indiquer qui travaille pour qui.',
  'Tryton cannot say who works for whom, so people come without their organisation.':
    'Tryton ne peut pas indiquer qui travaille pour qui ; les personnes arrivent donc sans leur organisation.',
  'Activate the module "party_relationship" in Tryton.': 'Activez le module « party_relationship » dans Tryton.',
  'This user works for no company, and every deal needs one.':
    'Cet utilisateur ne travaille pour aucune société, et chaque affaire en demande une.',
  'Deals go to this user’s company.': 'Les affaires vont à la société de cet utilisateur.',
  'Choose a company in the preferences of this user.':
    'Choisissez une société dans les préférences de cet utilisateur.',
  'Deals can be given to employees.': 'Les affaires peuvent être attribuées à des employés.',
  'The company has no employees: open deals become leads, and deals that were won are refused.':
    'La société n’a pas d’employés : les affaires en cours deviennent des prospects, et les affaires gagnées sont refusées.',
  'Add the people who own deals as employees of the company, with their e-mail addresses.':
    'Ajoutez comme employés de la société, avec leur adresse électronique, les personnes à qui appartiennent des affaires.',
  'Countries are there.': 'Les pays sont là.',
  'Tryton knows no countries yet; those of your addresses will be added.':
    'Tryton ne connaît encore aucun pays ; ceux de vos adresses seront ajoutés.',
  'Run trytond_import_countries to have all of them with their regions.':
    'Lancez trytond_import_countries pour les avoir tous avec leurs régions.',
  '{} parties are there; a party whose code is taken gets a few letters after its code.':
    '{} tiers sont là ; un tiers dont le code est pris arrive avec quelques lettres à la suite.',
  'This user may not move the numbering of parties on: imported numbers may collide with later ones.':
    'Cet utilisateur ne peut pas avancer la numérotation des tiers : elle peut rencontrer plus tard des numéros copiés.',
  'After the import set the next number of the sequence "Party" above the largest imported number.':
    'Après l’import, réglez le prochain numéro de la séquence « Party » au-dessus du plus grand numéro copié.',
  'There is no Tryton with a database "{}" at this address. Please connect the account again.':
    'Il n’y a pas de Tryton avec une base de données « {} » à cette adresse. Veuillez reconnecter le compte.',
  'Tryton does not know this user name and password.': 'Tryton ne connaît pas ce nom d’utilisateur et ce mot de passe.',
  'Please connect the account again.': 'Veuillez reconnecter le compte.',
  'Tryton does not let this user do what the import needs. Please connect it with a user who may.':
    'Tryton ne laisse pas cet utilisateur faire ce qu’il faut pour l’import. Connectez-le avec quelqu’un qui en a le droit.',
  'Tryton does not let this user read {}. Please connect it with a user who may.':
    'Tryton ne laisse pas cet utilisateur lire {}. Connectez-le avec quelqu’un qui en a le droit.',
  'Tryton asks this user for more than a password. Please connect a user who signs in with a password alone.':
    'Tryton demande à cet utilisateur plus qu’un mot de passe. Connectez quelqu’un qui entre avec un mot de passe seul.',
  'Tryton refuses records that the import needs in addition: notes, relation types or categories. Please connect it with a user who may create these.':
    'Tryton refuse ce dont les enregistrements ont besoin : notes, types de relations ou catégories. Connectez-le avec un utilisateur qui peut les créer.',
  'Only paying members may comment in this Ghost, so comments of others are refused.':
    'Dans ce Ghost, seuls les membres payants peuvent commenter ; les commentaires des autres sont refusés.',
  'Comments are switched off in this Ghost, so none can be imported.':
    'Les commentaires sont désactivés dans ce Ghost ; aucun ne peut être importé.',
  'Members may comment.': 'Les membres peuvent commenter.',
  'In Ghost, under Settings, Access, let all members comment, at least for the import.':
    'Dans Ghost, sous Settings, Access, laissez tous les membres commenter, au moins pendant l’import.',
  'Comments are switched off in this Ghost. Please switch them on in its settings (Membership, Access).':
    'Les commentaires sont désactivés dans ce Ghost. Veuillez les activer dans ses réglages (Membership, Access).',
  'Ghost no longer lets us do this (answered {}). Please connect it again with the key of an integration.':
    'Ghost ne nous laisse plus faire cela (réponse {}). Veuillez le reconnecter avec la clé d’une intégration.',
  'Ghost does not know this key. Please use the Admin API key of a custom integration.':
    'Ghost ne connaît pas cette clé. Prenez la clé d’API d’administration d’une intégration personnalisée.',
  'The user may write everything.': 'L’utilisateur peut tout écrire.',
  'The user lacks: {}.': 'Il manque à l’utilisateur : {}.',
  'Connect WordPress with an application password of an administrator.':
    'Connectez WordPress avec un mot de passe d’application d’un administrateur.',
  'Texts are kept as they are sent.': 'Les textes sont gardés tels qu’ils sont envoyés.',
  'WordPress takes markup out of the texts of this user (a site of a network does so for all but its super administrators).':
    'WordPress retire du balisage des textes de cet utilisateur (un site d’un réseau le fait pour tous sauf ses super-administrateurs).',
  'Use a super administrator, or look at the formatting of a sample first.':
    'Prenez un super-administrateur, ou regardez d’abord la mise en forme d’un échantillon.',
  'WordPress no longer lets us do this (answered {}).': 'WordPress ne nous laisse plus faire cela (réponse {}).',
  "Please connect it again with an administrator's application password.":
    'Veuillez le reconnecter avec le mot de passe d’application d’un administrateur.',
  'WordPress does not know this user name and application password.':
    'WordPress ne connaît pas ce nom d’utilisateur et ce mot de passe d’application.',
  'This WordPress takes no comments at all. Please allow comments in its settings or plugins, at least for the time of the import.':
    'Ce WordPress n’accepte aucun commentaire. Veuillez autoriser les commentaires dans ses réglages ou extensions, au moins pendant l’import.',
  'Please connect it again.': 'Veuillez le reconnecter.',
  'The token lacks the scopes {}.': 'Il manque au token les autorisations (scopes) {}.',
  'Please add them to the app in HubSpot, and connect it again.':
    'Ajoutez-les à l’application dans HubSpot, puis reconnectez le compte.',
  '{} no longer lets us in ({}).': '{} ne nous laisse plus entrer ({}).',
  'The account no longer lets us in ({}).': 'Le compte ne nous laisse plus entrer ({}).',
  '{} keeps answering with an error ({}). Its administrator must repair it.':
    '{} répond sans cesse par une erreur ({}). La personne qui le gère doit le réparer.',
  'A tool keeps answering with {}. Its administrator must repair it, or the address is wrong.':
    'Un outil répond sans cesse quelque chose d’illisible ({}). La personne qui le gère doit le réparer, ou l’adresse est fausse.',
  'more than we read at once': 'plus que ce que nous lisons en une fois',
  'more than we can read': 'plus que ce que nous pouvons lire',
  'something that is no JSON': 'autre chose que du JSON',
  'More than {} records of the tool have the same time ({}). Its search does not show the rest.':
    'Plus de {} enregistrements de l’outil ont la même heure ({}). Sa recherche ne montre pas les autres.',
  'A file of the tool cannot be downloaded: {}.': 'Un fichier de l’outil ne peut pas être téléchargé : {}.',
  'its address leads on more than {} times': 'son adresse renvoie ailleurs plus de {} fois',
  'its address leads nowhere': 'son adresse ne mène nulle part',
  'its address leads to one with a password': 'son adresse mène à une autre avec mot de passe',
  'its address leads to one without encryption': 'son adresse mène à une autre sans chiffrement',
  'The address of the account leads into a network that this service must not reach. Please connect it with a public address.':
    'L’adresse du compte mène dans un réseau que ce service ne doit pas atteindre. Connectez-le avec une adresse publique.',
  'The tool answered {} {} and sends us on. We do not follow, so that data goes only where you said. If the tool has moved, please connect it again with its new address.':
    'L’outil a répondu {} {} et nous renvoie ailleurs. Nous n’y allons pas, afin que les données n’aillent que là où vous l’avez voulu. Si l’outil a déménagé, connectez-le avec sa nouvelle adresse.',
  'The destination says that our request breaks the protocol: {}':
    'La destination dit que notre requête enfreint le protocole : {}',
  'There is no longer a destination at its address (404). Please check the address and connect it again.':
    'La destination n’est plus à son adresse (404). Vérifiez l’adresse et reconnectez-la.',
  'The destination does not keep to the protocol: {}. Please tell the partner who runs it; "wherry conformance" shows what to put right.':
    'La destination ne respecte pas le protocole : {}. Dites-le au fournisseur qui la gère ; « wherry conformance » montre ce qu’il faut corriger.',
  'Nothing was written: {}. Either our database was restored from an older copy, or the destination counts wrongly; "wherry conformance" tells which.':
    'Rien n’a été écrit : {}. Soit notre base de données a été restaurée d’une copie plus ancienne, soit la destination compte mal ; « wherry conformance » dit lequel.',
  'The connector for {} does not keep its contract: {}.': 'Le connecteur pour {} ne respecte pas son contrat : {}.',
  '{} of {} records were copied, and {} may be: those that are paid for or sponsored and a quarter more, but at least the free records of a sample. Pay for the others, ask the partner to pay, or finish without them.':
    '{} enregistrements sur {} ont été copiés, et {} peuvent l’être : ceux qui sont payés ou pris en charge, avec un quart de plus, et jamais moins que ceux des échantillons gratuits. Payez les autres, faites-les prendre en charge, ou terminez sans eux.',
  '{} records were copied, and {} may be: those that are paid for or sponsored and a quarter more, but at least the free records of a sample. Pay for the others, ask the partner to pay, or finish without them.':
    '{} enregistrements ont été copiés, et {} peuvent l’être : ceux qui sont payés ou pris en charge, avec un quart de plus, et jamais moins que ceux des échantillons gratuits. Payez les autres, faites-les prendre en charge, ou terminez sans eux.',
  'One record was imported to see whether the destination sends mail about it: {}. If anybody got one, switch mail off there, as the plan says. Then continue.':
    'Un enregistrement a été importé pour voir si la destination envoie des e-mails à son sujet : {}. Si quelqu’un en a reçu un, désactivez-y les e-mails, comme le plan l’indique. Puis continuez.',
  'Please connect the source account.': 'Veuillez connecter le compte de la source.',
  'Please connect the destination account.': 'Veuillez connecter le compte de la destination.',
  'There is no connector from {} to {}.': 'Il n’y a pas de connecteur de {} vers {}.',
  '{} fails to return the first {} ({}).': '{} n’arrive pas à fournir les premiers enregistrements : {} ({}).',
  '{} fails to return the next {} ({}).': '{} n’arrive pas à fournir les enregistrements suivants : {} ({}).',
  '{} fails to return {} ({}).': '{} n’arrive pas à fournir : {} ({}).',
  'its answer could not be understood': 'sa réponse n’a pas pu être comprise',
  'it answered {}': 'réponse : {}',
  'it could not be reached': 'injoignable',
  'So far we have read {} of {} {}.': 'Jusqu’ici nous en avons vu {} sur {} : {}.',
  'So far we have read {} {}.': 'Jusqu’ici nous en avons vu {} : {}.',
  'We keep trying.': 'Nous continuons d’essayer.',
  '{} returns the same pages of {} again and again: its list does not end.':
    '{} renvoie sans fin les mêmes pages : {}.',
  'Nothing is lost.': 'Rien n’est perdu.',
  'The run goes on from here when you try again.': 'L’exécution reprend ici quand vous réessayez.',
  'You can skip this page: its records are left out, and everything else goes on.':
    'Vous pouvez sauter cette page : ses enregistrements sont laissés de côté, et tout le reste continue.',
  'A tool has not answered for a long time. We keep trying; nothing is lost.':
    'Un outil n’a pas répondu depuis longtemps. Nous continuons d’essayer ; rien n’est perdu.',
  'Something on our side keeps failing. We have been notified; nothing is lost.':
    'Quelque chose a échoué sans cesse de notre côté. Nous en sommes informés ; rien n’est perdu.',
  '{} has turned our requests away for about an hour: a limit or a firewall stops us.':
    '{} refuse nos requêtes depuis environ une heure : une limite ou un pare-feu nous bloque.',
  '{} has turned our requests away for a day: a limit or a firewall stops us.':
    '{} refuse nos requêtes depuis un jour : une limite ou un pare-feu nous bloque.',
  'We keep trying; nothing is lost.': 'Nous continuons d’essayer ; rien n’est perdu.',
  'Ask the people who run the tool to let this service in.':
    'Demandez aux responsables de l’outil de laisser passer ce service.',
  'Then try again.': 'Réessayez ensuite.',
  'Its last answer: {}.': 'Dernière réponse : {}.',
  '{} asked us to wait until {} UTC (Retry-After). We ask again after an hour at the latest; nothing is lost.':
    '{} nous a demandé d’attendre jusqu’à {} UTC (Retry-After). Nous redemandons au plus tard dans une heure ; rien n’est perdu.',
  '{} allows fewer requests at a time than one step of this run needs. The run tries again at {} UTC, and gets further only with a higher limit. Nothing is lost.':
    '{} autorise moins de requêtes à la fois qu’il n’en faut pour une étape de cette exécution. Nouvel essai à {} UTC ; elle n’avance qu’avec une limite plus élevée. Rien n’est perdu.',
  '{} allows a limited number of requests, and they are used up until {} UTC. The run then goes on by itself; nothing is lost.':
    '{} autorise un nombre limité de requêtes, et elles sont épuisées jusqu’à {} UTC. Cela reprend ensuite de soi-même ; rien n’est perdu.',
  'A tool': 'Un outil',
  'The destination': 'La destination',
  'Support has paused the import.': 'L’assistance l’a mis en pause.',
  'You have paused the import.': 'Vous l’avez mis en pause.',
  'The message was outdated before it could be sent.':
    'Le message n’a pas pu être envoyé tant qu’il était d’actualité.',
  'the mail server took too long': 'Le serveur de messagerie a mis trop de temps.',
  'the mail server could not be reached': 'Le serveur de messagerie n’a pas pu être joint.',
  'Intercom does not accept this access token. Check the region of the workspace, too.':
    'Intercom n’accepte pas ce jeton d’accès. Vérifiez aussi la région de l’espace de travail.',
  'The plan of this Intercom workspace has no tickets.':
    'L’abonnement de cet espace Intercom ne comprend pas de tickets.',
  'The workspace has tickets.': 'L’espace de travail a des tickets.',
  'Choose a plan with tickets, or copy contacts, companies and articles only.':
    'Choisissez un abonnement avec tickets, ou copiez seulement contacts, entreprises et articles.',
  'Files arrive in Intercom as notes. Teammates see them, customers do not.':
    'Les fichiers arrivent dans Intercom sous forme de notes. L’équipe les voit, les clients non.',
  'Intercom keeps descriptions of tickets and public replies as plain text. Formatting in them is lost; notes and articles keep it.':
    'Intercom garde les descriptions de tickets et les réponses publiques en texte brut. Leur mise en forme est perdue ; les notes et les articles la conservent.',
  'Zendesk does not know this e-mail address and API token.':
    'Zendesk ne connaît pas cette adresse e-mail et ce token API.',
  'This user is no administrator. Zendesk lets only administrators export and import tickets.':
    'Cet utilisateur n’est pas administrateur. Zendesk ne laisse que les administrateurs exporter et importer des tickets.',
  'Only administrators of Zendesk may import tickets.':
    'Seuls les administrateurs de Zendesk peuvent importer des tickets.',
  'Connect Zendesk as an administrator.': 'Connectez Zendesk en tant qu’administrateur.',
  'Zendesk adds nothing to closed tickets. Comments and files that come in a later run are refused.':
    'Zendesk n’ajoute rien aux tickets fermés. Les commentaires et les fichiers qui arrivent lors d’une exécution ultérieure sont refusés.',
  'Zendesk sends the requester a mail about each public comment that a later run adds to a copied ticket. New tickets and the comments in them cause no mail.':
    'Zendesk envoie au demandeur un e-mail au sujet de chaque commentaire public qu’une exécution ultérieure ajoute à un ticket copié. Les nouveaux tickets et leurs commentaires n’en déclenchent aucun.',
  'Before you copy later changes, turn off the trigger "Notify requester and CCs of comment update" and followers. Turn them on again afterwards.':
    'Avant de copier les changements ultérieurs, désactivez le déclencheur « Notify requester and CCs of comment update » et les abonnés. Réactivez-les ensuite.',
  'Files that cannot be sent together with their ticket arrive as internal notes. Zendesk sends a mail about each of them to the agent and the followers of the ticket.':
    'Les fichiers qui ne peuvent pas être envoyés avec leur ticket arrivent sous forme de notes internes. Zendesk envoie un e-mail au sujet de chacune à l’agent et aux abonnés du ticket.',
  'To avoid these mails, turn off followers and the trigger "Notify assignee of comment update" until the import is done.':
    'Pour éviter ces e-mails, désactivez les abonnés et le déclencheur « Notify assignee of comment update » jusqu’à la fin de l’import.',
  'To get those as well, map the status closed to solved. Zendesk closes solved tickets by itself.':
    'Pour les obtenir aussi, faites correspondre le statut « closed » à « solved ». Zendesk ferme de lui-même les tickets résolus.',
  'Please connect it again as an administrator.': 'Veuillez le connecter à nouveau en tant qu’administrateur.',
  'Help Scout does not accept this App ID with this App Secret, or this Docs API key.':
    'Help Scout n’accepte pas cet App ID avec cet App Secret, ou cette clé API de Docs.',
  'Tickets go to the inbox "{}", unless the mapping names another one.':
    'Les tickets vont dans la boîte « {} », sauf si la correspondance en nomme une autre.',
  'The user sees no inbox of Help Scout, so there is no place for tickets.':
    'L’utilisateur ne voit aucune boîte de Help Scout, il n’y a donc pas de place pour les tickets.',
  'Give the user access to an inbox in Help Scout, and check again.':
    'Donnez à l’utilisateur l’accès à une boîte dans Help Scout, puis vérifiez de nouveau.',
  'Please connect it again with the App ID and the App Secret of a user who may use the API.':
    'Veuillez le reconnecter avec l’App ID et l’App Secret d’un utilisateur qui peut se servir de l’API.',
  'Freshdesk does not know this API key.': 'Freshdesk ne connaît pas cette clé API.',
  'This agent sees only some of the tickets. Connect Freshdesk with the API key of an administrator.':
    'Cet agent ne voit qu’une partie des tickets. Connectez Freshdesk avec la clé API d’un administrateur.',
  'This agent is no administrator. Freshdesk shows groups and fields only to administrators.':
    'Cet agent n’est pas administrateur. Freshdesk ne montre les groupes et les champs qu’aux administrateurs.',
  'Please connect it again with the API key of an administrator.':
    'Veuillez le reconnecter avec la clé API d’un administrateur.',
  'Freshdesk sends its usual e-mail notifications about new tickets and public notes. No request can prevent that.':
    'Freshdesk envoie ses notifications habituelles par e-mail pour les nouveaux tickets et les notes publiques. Aucune requête ne peut l’empêcher.',
  'In Freshdesk, switch off the e-mail notifications and automations for the time of the import.':
    'Dans Freshdesk, désactivez les notifications par e-mail et les automatisations pendant l’import.',
  'Freshdesk keeps no times of creation. A line above each text says when it was written, and by whom.':
    'Freshdesk ne conserve pas les dates de création. Une ligne au-dessus de chaque texte dit quand et par qui il a été écrit.',
  'All comments arrive as notes, because Freshdesk would mail replies to your customers.':
    'Tous les commentaires arrivent sous forme de notes, car Freshdesk enverrait les réponses par e-mail à vos clients.',
  'Freshdesk takes 20 MB of files for one ticket. It refuses the files beyond that.':
    'Freshdesk accepte 20 Mo de fichiers par ticket. Il refuse les fichiers au-delà.',
  'Freshdesk requires fields of every ticket, and refuses tickets without them: {}.':
    'Freshdesk exige des champs pour chaque ticket et refuse les tickets qui ne les ont pas : {}.',
  'In Freshdesk, make these fields optional for the time of the import, or map a field of the source to each.':
    'Dans Freshdesk, rendez ces champs facultatifs pendant l’import, ou associez à chacun un champ de la source.',
  'Freshdesk gives articles the time of their arrival. Views and votes of articles are not copied.':
    'Freshdesk donne aux articles la date de leur arrivée. Les vues et les votes des articles ne sont pas copiés.',
  'All articles arrive in the main language of the account, whatever their language is. Translations are not copied.':
    'Tous les articles arrivent dans la langue principale du compte, quelle que soit leur langue. Les traductions ne sont pas copiées.',
  'In Freshdesk the folder decides who may read an article. Articles for agents go to a folder of their own, beside the public one.':
    'Dans Freshdesk, c’est le dossier qui décide qui peut lire un article. Les articles pour les agents vont dans un dossier à part, à côté du dossier public.',
  'This Freshdesk has no knowledge base, or the agent may not see it. Categories and articles are not copied.':
    'Ce Freshdesk n’a pas de base de connaissances, ou l’agent ne peut pas la voir. Les catégories et les articles ne sont pas copiés.',
  'To copy them, switch the knowledge base on in Freshdesk, and check again.':
    'Pour les copier, activez la base de connaissances dans Freshdesk, puis vérifiez de nouveau.',
  'Collections and articles go to the Docs site "{}".': 'Les collections et les articles vont sur le site Docs « {} ».',
  'Help Scout gives articles the time of their arrival, and the user of the key as their author. Views and ratings are not copied.':
    'Help Scout donne aux articles la date de leur arrivée et, pour auteur, l’utilisateur de la clé. Les vues et les évaluations ne sont pas copiées.',
  'Names of articles are unique in a collection. The second article of one name gets a number behind it.':
    'Les noms des articles sont uniques dans une collection. Le deuxième article d’un même nom reçoit un numéro à la fin.',
  'Everyone can see the names of new collections and categories. Articles for agents go to private categories.':
    'Tout le monde peut voir les noms des nouvelles collections et catégories. Les articles destinés aux agents vont dans des catégories privées.',
  'Help Scout has collections and categories, and nothing below. Categories further inside become categories of the collection.':
    'Help Scout a des collections et des catégories, et rien en dessous. Les catégories plus profondes deviennent des catégories de la collection.',
  'Help Scout lists no files under an article. A line at the end of the text links to each of them.':
    'Help Scout ne liste pas de fichiers sous un article. Une ligne à la fin du texte mène à chacun d’eux.',
  'This Help Scout has no Docs site, or the user of the key may not see it. Categories and articles are not copied.':
    'Ce Help Scout n’a pas de site Docs, ou l’utilisateur de la clé ne peut pas le voir. Les catégories et les articles ne sont pas copiés.',
  'Without a Docs API key, categories and articles are not copied.':
    'Sans clé API Docs, les catégories et les articles ne sont pas copiés.',
  'To copy them, make a Docs site in Help Scout, and check again.':
    'Pour les copier, créez un site Docs dans Help Scout, puis vérifiez de nouveau.',
  'To copy them, connect Help Scout again with a Docs API key.':
    'Pour les copier, reconnectez Help Scout avec une clé API Docs.',
}
