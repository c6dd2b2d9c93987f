import type { problems as en } from '../en/problems.ts'

export const problems: typeof en = {
  byCode: {
    author_missing: {
      what: 'Les auteurs de ces enregistrements n’ont plus de compte dans {source}. Les copies ne portent pas leur nom.',
      fix: 'Choisissez un auteur dans {destination}, si c’est important.',
    },
    comments_left_out: {
      what: 'Des lecteurs ont commenté ces articles dans {source}. Les commentaires n’ont pas été copiés.',
      fix: 'Ils restent dans {source}. Gardez l’accès tant que vous en avez besoin.',
    },
    deleted: {
      what: 'Quelqu’un a supprimé ces enregistrements dans {destination} après leur copie.',
      fix: 'Ils restent supprimés. Vous pouvez les rétablir ci-dessous.',
    },
    deletion_not_checked: {
      what: '{source} n’a pas pu dire si ces enregistrements existent encore.',
      fix: 'Copiez de nouveau les modifications plus tard : {source} sera alors interrogé encore une fois.',
    },
    differs: {
      what: '{destination} n’a pas ces enregistrements tels qu’ils ont été envoyés.',
      fix: 'Comparez-les un à un : {destination} a changé quelque chose selon une règle qui lui est propre.',
    },
    doubled: {
      what: 'Ces enregistrements sont plusieurs fois dans {destination}.',
      fix: '{destination} ne nous a pas laissés retirer le double. Retirez-le là-bas à la main ; la liste les nomme tous.',
    },
    draft_left_out: {
      what: 'Ces articles ont dans {source} un brouillon avec des modifications qui ne sont pas encore publiées. Le brouillon n’a pas été copié.',
      fix: 'Publiez le brouillon dans {source} et lancez une autre exécution, ou copiez son texte à la main.',
    },
    duplicate_id: {
      what: 'Plusieurs lignes ont le même identifiant. Chacune est devenue un enregistrement à part.',
      fix: 'Retirez dans {destination} ceux dont vous n’avez pas besoin.',
    },
    edited: {
      what: 'Quelqu’un a modifié ces enregistrements dans {destination} après leur copie.',
      fix: 'Ils y restent tels quels.',
    },
    email_only: {
      what: 'Ces articles n’ont été envoyés que par e-mail et n’ont jamais été sur votre site.',
      fix: 'Vérifiez si {destination} les montre.',
    },
    entity_not_taken: {
      what: '{destination} n’accepte pas les enregistrements de ce type.',
      fix: 'Ils restent dans {source}.',
    },
    fewer_than_counted: {
      what: '{source} a compté plus d’enregistrements que le nombre fourni.',
      fix: 'En général, certains ne sont visibles pour personne ou ont été supprimés entre-temps. S’il en manque, utilisez la clé d’un administrateur.',
    },
    field_unreadable: {
      what: 'Un champ de ces enregistrements contient quelque chose d’inattendu. Il a été laissé de côté.',
      fix: 'Regardez ces enregistrements dans {source}.',
    },
    file_lost: {
      what: '{source} a perdu le contenu de ces fichiers. Il ne reste que leurs noms.',
      fix: 'Il n’y a plus rien à copier. Cherchez les fichiers dans une sauvegarde.',
    },
    file_missing: {
      what: 'Ces fichiers ne sont plus dans {source}.',
      fix: 'Il n’y a plus rien à copier.',
    },
    file_size_differs: {
      what: 'Ces fichiers n’ont pas la taille indiquée par {source}.',
      fix: 'Veuillez les comparer.',
    },
    not_protected: {
      what: 'Ces enregistrements privés seraient visibles pour plus de personnes dans {destination} que dans {source}. Ils n’ont pas été copiés.',
      fix: 'Si vous les voulez quand même, autorisez-le dans le plan. Puis réessayez.',
    },
    shown_to_more: {
      what: 'Ces enregistrements sont visibles pour plus de personnes dans {destination} que dans {source}.',
      fix: 'Vous l’avez autorisé dans le plan. Retirez-les de {destination} si c’était une erreur.',
    },
    audience_narrowed: {
      what: 'On ne sait pas avec certitude qui peut voir ces enregistrements, ou {destination} n’offre pas ce choix. Ils sont arrivés avec moins de lecteurs.',
      fix: 'Ouvrez-les à d’autres dans {destination}, ou choisissez dans les correspondances ce que devient chaque valeur.',
    },
    parent_missing: {
      what: 'Ces enregistrements dépendent de quelque chose qui n’est pas copié, comme un commentaire sur un fichier. Ils n’ont pas été copiés.',
      fix: 'Ils restent dans {source}. Gardez-en une copie si vous quittez {source}.',
    },
    file_too_large: {
      what: 'Ces fichiers sont plus gros que ce que {destination} accepte. Ils n’ont pas été copiés.',
      fix: 'Ils restent dans {source}. Gardez-en une copie si vous quittez {source}.',
    },
    files_left_out: {
      what: 'Des champs de ces enregistrements contiennent des fichiers. Cette importation n’a pas de place pour les fichiers de tels enregistrements. Ils n’ont pas été copiés.',
      fix: 'Ils restent dans {source}. Gardez-en une copie si vous quittez {source}.',
    },
    follower_left_out: {
      what: 'Des personnes qui suivent ces enregistrements ne sont pas agents dans {source}. Elles ont été laissées de côté.',
      fix: 'Ajoutez-les dans {destination}, si elles doivent suivre.',
    },
    followers_left_out: {
      what: 'Des personnes suivent ces enregistrements dans {source}. Personne ne suit les copies.',
      fix: 'Rien n’est perdu dans {source}. Demandez à ces personnes de suivre dans {destination} les copies qui comptent pour elles.',
    },
    group_watcher_left_out: {
      what: 'Un groupe suit ces enregistrements. Seules les personnes individuelles ont été copiées comme abonnés.',
      fix: 'Ajoutez les personnes du groupe dans {destination}, si elles doivent suivre.',
    },
    back_in_source: {
      what: 'Ces enregistrements ont été retirés parce que {source} ne les avait plus. Maintenant {source} les a de nouveau.',
      fix: 'Réessayez pour les copier encore une fois.',
    },
    beyond_sample: {
      what: 'Ces enregistrements ont été laissés hors de l’échantillon : les échantillons sont gratuits pour un nombre limité d’enregistrements.',
      fix: 'La migration complète les copie.',
    },
    list_withheld: {
      what: '{source} ne nous ouvre pas une liste de ces enregistrements, par exemple parce que son forfait ne la comprend pas. Si la liste a des enregistrements, ils n’ont pas été copiés.',
      fix: 'Choisissez un forfait de {source} qui comprend ces enregistrements, ou une clé qui peut les lire. Copiez ensuite les modifications.',
    },
    merged: {
      what: 'Ces enregistrements ont été réunis avec un autre enregistrement copié, par exemple de même nom ou de même adresse. {destination} n’en garde qu’un pour les deux.',
      fix: 'La liste nomme l’autre enregistrement. S’ils doivent rester distincts, renommez l’un d’eux dans {source} et recommencez, si {destination} en accepte plusieurs.',
    },
    not_paid: {
      what: 'Ces enregistrements n’ont pas été copiés, car personne ne les a payés.',
      fix: 'Payez-les, ou demandez-le au partenaire. Puis réessayez.',
    },
    gone_from_source: {
      what: 'Ces enregistrements ne sont plus dans {source}.',
      fix: 'Ils sont encore dans {destination}. Retirez-les de là ou gardez-les, ci-dessous.',
    },
    held: {
      what: 'Ces enregistrements attendent un enregistrement dont ils dépendent, et qui n’est pas arrivé.',
      fix: 'Ils suivent tout seuls quand il arrive.',
    },
    image_missing: {
      what: 'L’image à la une de ces enregistrements a été supprimée dans {source}.',
      fix: 'Choisissez-en une autre dans {destination}, si vous le souhaitez.',
    },
    kept: {
      what: 'Ces enregistrements n’ont pas été retirés.',
      fix: 'Le rapport dit pourquoi pour chacun. Retirez-les à la main s’ils doivent partir.',
    },
    link_labels_left_out: {
      what: '{source} a des libellés sur des liens de ces enregistrements. Les liens ont été copiés sans les libellés.',
      fix: 'Rien n’est perdu dans {source}. Notez les libellés dans {destination} à la main, s’ils sont importants.',
    },
    link_left_out: {
      what: 'Ces enregistrements renvoient à un autre qui est supprimé ou que personne ne peut voir. Le lien a été laissé de côté.',
      fix: 'Il n’y a rien à faire.',
    },
    link_not_rewritten: {
      what: 'Des liens dans ces textes mènent encore à {source}.',
      fix: 'L’enregistrement visé est arrivé après ou pas du tout, et {destination} ne peut pas modifier un texte. Changez les liens là-bas à la main, s’ils sont importants.',
    },
    link_stray: {
      what: 'Des liens dans ces textes ne nomment aucun site, et personne ne peut dire auquel ils appartenaient.',
      fix: 'Les liens restent tels quels. Ouvrez un enregistrement pour les voir, et écrivez l’adresse entière dans {destination}.',
    },
    link_to_source: {
      what: 'Des liens dans ces textes mènent encore à {source}, car les pages visées n’ont pas été copiées.',
      fix: 'Ouvrez un enregistrement pour voir les adresses, ou cherchez-les dans le rapport. Changez-les dans {destination} avant de quitter {source}.',
    },
    messages_left_out: {
      what: '{source} garde des e-mails ou des discussions de ces enregistrements dans une boîte de réception. Ces messages n’ont pas été copiés.',
      fix: 'Ils restent dans {source}. Gardez l’accès tant que vous en avez besoin.',
    },
    only_first_kept: {
      what: '{destination} accepte une seule valeur là où {source} en a plusieurs. La première a été gardée.',
      fix: 'Comparez ces enregistrements avec leurs originaux.',
    },
    option_not_offered: {
      what: 'Ces enregistrements ont un choix que {destination} n’offre pas. Il a été laissé vide.',
      fix: 'Choisissez dans les correspondances ce que chacun devient.',
    },
    parent_not_moved: {
      what: 'Ces commentaires répondent à quelque chose qui n’est pas copié : c’est supprimé, indésirable ou d’un autre type.',
      fix: 'Comparez-en quelques-uns avec {source}.',
    },
    plan_not_moved: {
      what: 'Ces membres paient un abonnement. Leurs paiements n’ont pas été copiés.',
      fix: 'Proposez-leur un abonnement dans {destination}, et mettez fin à celui de {source}.',
    },
    refused: {
      what: '{destination} a refusé ces enregistrements.',
      fix: 'La liste donne la raison pour chacun. Corrigez, puis réessayez.',
    },
    relation_delay_lost: {
      what: 'Ces demandes en suivent une autre après quelques jours. Le nombre de jours n’a pas été copié.',
      fix: 'Vérifiez les dates de ces demandes dans {destination}.',
    },
    relation_lost: {
      what: 'Un lien vers un autre enregistrement a été laissé de côté, car celui-ci n’a pas été copié.',
      fix: 'Copiez aussi ces enregistrements, si vous avez besoin des liens.',
    },
    relations_left_out: {
      what: '{count} lien vers un autre enregistrement a été laissé de côté : la copie n’a pas de place pour lui.|{count} liens vers d’autres enregistrements ont été laissés de côté : les copies n’ont pas de place pour eux.',
      fix: 'Ouvrez un enregistrement dans {source} pour voir tous ses liens.',
    },
    required_empty: {
      what: 'Il manque à ces enregistrements un champ obligatoire.',
      fix: 'Remplissez-le dans {source}, ou donnez dans les correspondances une valeur pour tous.',
    },
    row_skipped: {
      what: 'Ces lignes de vos fichiers ne peuvent pas être lues. Elles ont été laissées de côté.',
      fix: 'Leurs numéros ont été indiqués à l’envoi des fichiers. Corrigez-les et envoyez les fichiers de nouveau.',
    },
    source_page_skipped: {
      what: '{source} n’a pas pu fournir ces enregistrements : ils ont donc été sautés.',
      fix: 'Demandez à la personne qui gère {source} de les réparer, puis copiez les modifications : les enregistrements sautés sont lus de nouveau. Quand {source} ne compte pas ses enregistrements, le nombre est celui des pages sautées.',
    },
    source_rest_skipped: {
      what: '{source} n’a pas pu fournir une page. Ni elle ni la suite n’ont été lues.',
      fix: 'Demandez à la personne qui gère {source} de la réparer, puis copiez les modifications : tout ce qui manque est lu de nouveau.',
    },
    steps_not_applied: {
      what: 'Ces valeurs sont trop longues pour les transformations que vous avez définies. Elles ont été copiées telles quelles.',
      fix: 'Modifiez-les à la main dans {destination}.',
    },
    text_cut: {
      what: 'Ces textes sont plus longs que ce que {destination} accepte. Ils ont été coupés.',
      fix: 'Gardez les originaux, ou raccourcissez-les dans {source} et recommencez.',
    },
    tiers_not_moved: {
      what: 'Dans {source}, seules certaines formules de membres donnent accès à ces enregistrements. Les formules n’ont pas été copiées.',
      fix: 'Vérifiez dans {destination} qui peut les lire.',
    },
    truncated_by_source: {
      what: '{count} partie de ces enregistrements, comme un ancien commentaire, n’est pas fournie par {source}.|{count} parties de ces enregistrements, comme d’anciens commentaires, ne sont pas fournies par {source}.',
      fix: 'Elles restent dans {source}. Ouvrez-y les enregistrements pour les lire.',
    },
    unknown: {
      what: 'Nous n’avons pas pu savoir si ces enregistrements sont arrivés.',
      fix: 'Ils n’ont pas été renvoyés. Cherchez-les dans {destination} ; la liste les nomme.',
    },
    unnamed_in_source: {
      what: '{source} a envoyé ces enregistrements sans identifiant. Ils n’ont pas été copiés.',
      fix: 'Demandez à la personne qui gère {source} de les réparer.',
    },
    user_kept_as_name: {
      what: 'Ces enregistrements nomment des personnes qui n’ont pas encore de compte dans {destination}. Leurs noms figurent dans les enregistrements.',
      fix: 'Invitez ces personnes dans {destination}. Choisissez ensuite « Appliquer aux enregistrements copiés » sous Personnes.',
    },
    user_not_matched: {
      what: 'Ces enregistrements nomment des personnes sans compte dans {destination}. Elles n’y sont pas nommées.',
      fix: 'Choisissez quelqu’un pour elles sous Personnes. Choisissez-y ensuite « Appliquer aux enregistrements copiés ».',
    },
    user_replaced: {
      what: 'Ces enregistrements nomment des personnes sans compte dans {destination}. La personne que vous avez choisie les remplace.',
      fix: 'Choisissez quelqu’un d’autre sous Personnes, si vous le souhaitez.',
    },
    value_does_not_fit: {
      what: 'Une valeur ne convient pas au champ dans {destination}. Il a été laissé vide.',
      fix: 'Envoyez le champ ailleurs dans les correspondances, par exemple vers un champ de texte.',
    },
    withheld_by_source: {
      what: '{source} a {count} enregistrement de plus, par exemple archivé, et ne le fournit pas.|{source} a {count} enregistrements de plus, par exemple archivés, et ne les fournit pas.',
      fix: 'Ils restent dans {source}. Si vous en avez besoin, demandez à l’administrateur de {source} de les sortir des archives, puis copiez les modifications.',
    },
    value_unreadable: {
      what: 'Une valeur ne convient pas à sa colonne, par exemple un jour qui n’existe pas. Elle a été laissée de côté.',
      fix: 'Ouvrez un enregistrement pour voir le fichier et la ligne. Corrigez la valeur là, ou dans {destination}.',
    },
    vanished: {
      what: 'Ces enregistrements ont disparu de {source} avant d’être copiés.',
      fix: 'Ils ne sont pas dans {destination}. S’ils sont de retour dans {source}, réessayez.',
    },
  },
  ofTexts: {
    anchor_removed:
      '{count} lien à l’intérieur d’un texte ne mène nulle part dans {destination}. Ses mots sont toujours là.|{count} liens à l’intérieur de textes ne mènent nulle part dans {destination}. Leurs mots sont toujours là.',
    audio_linked: '{count} son est maintenant un lien.|{count} sons sont maintenant des liens.',
    caption_moved:
      '{count} légende est maintenant un paragraphe : {destination} n’a pas de légendes.|{count} légendes sont maintenant des paragraphes : {destination} n’a pas de légendes.',
    code_simplified:
      '{count} morceau de code est arrivé ligne par ligne : {destination} l’aurait pris pour du balisage.|{count} morceaux de code sont arrivés ligne par ligne : {destination} les aurait pris pour du balisage.',
    details_opened:
      '{count} partie repliable d’un texte est toujours affichée.|{count} parties repliables de textes sont toujours affichées.',
    embed_linked:
      '{count} élément intégré, comme une carte, est maintenant un lien.|{count} éléments intégrés, comme des cartes, sont maintenant des liens.',
    embed_removed:
      '{count} élément intégré sans adresse a été retiré.|{count} éléments intégrés sans adresse ont été retirés.',
    form_removed:
      'Un formulaire a été retiré de {count} texte. Ses mots sont toujours là.|Des formulaires ont été retirés de {count} textes. Leurs mots sont toujours là.',
    formatting_removed:
      '{destination} ne peut pas mettre en forme {count} passage comme il l’était, par exemple souligné ou au milieu d’un mot.|{destination} ne peut pas mettre en forme {count} passages comme ils l’étaient, par exemple soulignés ou au milieu d’un mot.',
    highlight_removed:
      '{count} passage surligné est maintenant du texte ordinaire.|{count} passages surlignés sont maintenant du texte ordinaire.',
    image_removed:
      '{count} image que {destination} ne peut pas afficher a été retirée.|{count} images que {destination} ne peut pas afficher ont été retirées.',
    link_as_text:
      '{count} lien figure en texte à côté de ses mots : {destination} ne peut pas créer de lien vers une telle adresse.|{count} liens figurent en texte à côté de leurs mots : {destination} ne peut pas créer de liens vers de telles adresses.',
    link_removed:
      '{count} lien sans adresse utilisable a été retiré. Ses mots sont toujours là.|{count} liens sans adresse utilisable ont été retirés. Leurs mots sont toujours là.',
    list_flattened:
      '{count} élément d’une liste contenait plus que des lignes. Tout y est devenu des lignes.|{count} éléments de listes contenaient plus que des lignes. Tout y est devenu des lignes.',
    list_start_removed:
      '{count} liste numérotée commençait par un autre nombre. {destination} commence par 1.|{count} listes numérotées commençaient par un autre nombre. {destination} commence par 1.',
    markup_kept_as_text:
      'Le balisage de {count} texte n’a pas pu être lu. Il est arrivé tel que tapé.|Le balisage de {count} textes n’a pas pu être lu. Il est arrivé tel que tapé.',
    nesting_flattened:
      '{count} texte avait un très grand nombre de niveaux. Les niveaux intérieurs ont été réunis.|À {count} endroits, des textes avaient un très grand nombre de niveaux. Les niveaux intérieurs ont été réunis.',
    plain_only:
      '{count} texte a perdu sa mise en forme : {destination} ne garde que les mots.|{count} textes ont perdu leur mise en forme : {destination} ne garde que les mots.',
    script_removed: 'Un script a été retiré de {count} texte.|Des scripts ont été retirés de {count} textes.',
    style_removed:
      'Les couleurs, tailles et autres styles ont été retirés de {count} texte.|Les couleurs, tailles et autres styles ont été retirés de {count} textes.',
    table_flattened:
      '{count} cellule d’un tableau contenait plus que des lignes. Tout y est devenu des lignes.|{count} cellules de tableaux contenaient plus que des lignes. Tout y est devenu des lignes.',
    table_span_removed:
      '{count} cellule fusionnée d’un tableau est arrivée comme cellule simple.|{count} cellules fusionnées de tableaux sont arrivées comme cellules simples.',
    tag_removed:
      'Un élément inconnu a été retiré de {count} texte. Ses mots sont toujours là.|Des éléments inconnus ont été retirés de {count} textes. Leurs mots sont toujours là.',
    terms_listed:
      '{count} liste de termes est maintenant une liste simple.|{count} listes de termes sont maintenant des listes simples.',
    too_complex:
      '{count} texte était trop long à convertir. Ses mots sont arrivés en texte simple, sans mise en forme.|{count} textes étaient trop longs à convertir. Leurs mots sont arrivés en texte simple, sans mise en forme.',
    video_linked: '{count} vidéo est maintenant un lien.|{count} vidéos sont maintenant des liens.',
  },
  textFix: 'Comparez quelques-uns de ces textes avec leurs originaux.',
  losses: {
    address_refused:
      '{destination} n’accepte pas une adresse e-mail de ces personnes. Elles sont arrivées sans cette adresse.',
    assignee_refused:
      '{destination} n’a pas pris les responsables de ces enregistrements. Les nouveaux ne sont attribués à personne, les autres gardent leur responsable.',
    author_not_kept: 'Ces textes figurent sous un autre nom dans {destination}. Une ligne y indique qui les a écrits.',
    author_replaced:
      'Les auteurs de ces enregistrements sont inconnus ou n’ont pas de compte dans {destination}. Les copies portent le nom de l’utilisateur du compte connecté ou du propriétaire du site.',
    comment_simplified:
      '{destination} garde peu ou pas de mise en forme dans ces textes. Les listes, titres ou images sont devenus des lignes ou des liens.',
    custom_value_refused: '{destination} n’a pas accepté une valeur d’un champ personnalisé.',
    domain_refused: '{destination} n’accepte pas un domaine de ces organisations. Elles sont arrivées sans domaine.',
    due_kept_as_draft:
      'Ces enregistrements devaient être publiés à un moment déjà passé. Ils sont arrivés comme brouillons.',
    kept_for_agents:
      'Les clients pouvaient voir ces messages ou fichiers dans {source}. Ils sont arrivés comme notes internes, que seuls les agents voient.',
    milestone_refused: '{destination} n’a pas accepté le jalon de ces enregistrements.',
    moment_not_kept:
      '{destination} ne peut pas garder une date de ces enregistrements, par exemple une date avant 1970.',
    parent_refused: '{destination} n’a pas permis de placer ces enregistrements sous un autre.',
    person_chosen:
      'Aucun responsable ni auteur n’était connu pour ces enregistrements. {destination} en exige un, les copies nomment donc l’utilisateur du compte connecté.',
    person_replaced:
      '{destination} a refusé le responsable ou l’auteur de ces enregistrements. Les copies nomment l’utilisateur du compte connecté.',
    phone_refused:
      '{destination} n’accepte pas un numéro de téléphone de ces personnes. Elles sont arrivées sans ce numéro.',
    picture_hidden:
      'Des images de ces textes publics étaient réservées aux agents. Elles ont été retirées des textes et arrivent comme notes internes.',
    private_kept_as_draft:
      'Ces enregistrements étaient privés. {destination} n’a pas pu les garder privés : ils y sont des brouillons.',
    probability_adjusted:
      '{destination} n’accepte pas la probabilité de ces étapes. Elles ont la plus proche qu’il accepte.',
    relation_refused: '{destination} n’a pas accepté un lien entre ces enregistrements.',
    stage_chosen:
      'Ces affaires n’avaient pas d’étape. {destination} en exige une, elles sont donc arrivées dans la première.',
    status_refused: '{destination} n’a pas accepté le statut de ces enregistrements.',
    tags_left_out:
      '{destination} n’accepte pas tous les mots-clés de ces enregistrements. Certains ou tous ont été laissés de côté.',
    text_shortened: '{destination} n’a conservé que le début de ces longs textes.',
    watcher_refused: '{destination} a refusé des personnes qui suivent ces enregistrements. Elles n’y figurent pas.',
  },
  lossFix: 'Comparez ces enregistrements avec leurs originaux.',
  fieldNotTaken: (field) => ({
    what: `{destination} n’a pas de champ pour « ${field} » : il n’est donc pas copié.`,
    fix: 'Envoyez-le vers un autre champ dans les correspondances, s’il y en a un qui convient.',
  }),
  fieldNotProtected: (field) => ({
    what: `Dans {source}, seules certaines personnes voient « ${field} ». Dans {destination}, tous ceux qui voient l’enregistrement le verraient : il n’est donc pas copié.`,
    fix: 'Choisissez-lui un champ dans les correspondances si tout le monde peut le voir.',
  }),
  ofUploads: {
    too_many_files: 'Il y a trop de fichiers. Envoyez-en moins, ou réunissez ceux du même genre.',
    too_large: 'C’est trop gros. Envoyez-en moins à la fois, ou enregistrez les tableaux en CSV.',
    bomb_suspected: 'Ce fichier devient beaucoup trop gros une fois décompressé. Envoyez-le seul, sans zip.',
    nested_archive: 'Nous ne lisons pas les archives dans des archives. Décompressez-la et envoyez ses fichiers.',
    encrypted: 'Nous ne lisons pas les fichiers avec mot de passe. Enregistrez-les sans mot de passe.',
    unreadable: 'Ce fichier est endommagé ou protégé par un mot de passe. Créez-le de nouveau et envoyez-le.',
    not_csv: 'Nous ne lisons pas ce format. Enregistrez le fichier en CSV ou en .xlsx.',
    same_name: 'Un fichier précédent porte le même nom. Donnez à chaque fichier son propre nom.',
    no_table: 'Ce n’est pas un tableau, ou il n’a pas de lignes. Vérifiez que c’est le bon fichier.',
    unknown_entity:
      'Ni le nom ni les colonnes ne disent ce que sont les lignes. Choisissez-le ci-dessus, sinon le fichier est laissé de côté.',
    columns_ignored: 'Le fichier a trop de colonnes. Placez les plus importantes au début.',
    rows_abandoned: 'À partir d’un endroit, le fichier est illisible. Vérifiez-y les guillemets et les séparateurs.',
    rows_skipped: 'Certaines lignes sont illisibles et laissées de côté. Vérifiez-y les guillemets et les séparateurs.',
    ids_repeated: 'Des lignes ont l’identifiant d’une ligne précédente. Elles deviennent des enregistrements à part.',
    values_unreadable:
      'Des valeurs d’une colonne sont illisibles et restent vides. Corrigez-les ici ou dans le fichier.',
    reference_not_followed:
      'Nous ne pouvons pas suivre une colonne qui mène à d’autres enregistrements. Elle reste du texte dans un champ personnalisé.',
  },
}
