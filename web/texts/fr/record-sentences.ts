/** Translations of the service's sentences about single records. `{}` is a placeholder for a value. */
export const recordSentences: Record<string, string> = {
  'It has been changed since it was imported.': 'L’enregistrement a été modifié depuis l’import.',
  'Other people or programs have added messages to it since it was imported.':
    'D’autres personnes ou programmes y ont ajouté des messages depuis l’import.',
  'People have changed it since it was imported.': 'Quelqu’un a modifié l’enregistrement depuis l’import.',
  'It has been changed since.': 'L’enregistrement a été modifié depuis.',
  'It is too large for this site.': 'Le fichier est trop gros pour ce site.',
  'People have changed this member since it was imported.': 'Quelqu’un a modifié ce membre depuis l’import.',
  'There are comments of this member.': 'Il y a des commentaires de ce membre.',
  'Members of this site have this label.': 'Des membres de ce site ont ce libellé.',
  'People have renamed this label.': 'Quelqu’un a renommé ce libellé.',
  'Ghost does not take this member.': 'Ghost n’accepte pas ce membre.',
  'Ghost does not take a member with this address.': 'Ghost n’accepte pas de membre avec cette adresse.',
  'Ghost offers no way to remove a file.': 'Ghost n’offre aucun moyen de retirer un fichier.',
  'Ghost does not delete it: {}': 'Ghost ne le supprime pas : {}',
  'HubSpot links it to {} records here.': 'HubSpot lie ici cet enregistrement à {} enregistrements.',
  'Pipedrive links it to {} records.': 'Pipedrive lie cet enregistrement à {} enregistrements.',
  'It was copied with the first of these links.': 'Il a été copié avec le premier de ces liens.',
  '{} people follow it in Pipedrive.': '{} personnes le suivent dans Pipedrive.',
  'Comments of readers on it: {}.': 'Commentaires de lecteurs : {}.',
  'Pipedrive shows {} e-mails at it.': 'Pipedrive y montre {} e-mails.',
  'HubSpot has {} conversations of it in the inbox.': 'HubSpot en a {} conversations dans la boîte de réception.',
  'HubSpot has {} files in fields of it.': 'HubSpot en a {} fichiers dans des champs.',
  'HubSpot has labels at {} of its links.': 'HubSpot a des libellés sur {} de ses liens.',
  'HubSpot links it to {} other records of its kind.': 'HubSpot le lie à {} autres enregistrements de son type.',
  'They were not copied.': 'Ils n’ont pas été copiés.',
  'These links were not copied.': 'Ces liens n’ont pas été copiés.',
  'Deals of this account use it.': 'Des transactions de ce compte l’utilisent.',
  'Records of their own that people linked to it: {}.': 'Enregistrements que des personnes y ont liés : {}.',
  'People renamed it.': 'Quelqu’un l’a renommé.',
  'Another record of this import was merged with it.':
    'Un autre enregistrement de cette importation a été fusionné avec lui.',
  'HubSpot does not delete it: {}': 'HubSpot ne le supprime pas : {}',
  'It was deleted in HubSpot after it had been imported.': 'Il a été supprimé dans HubSpot après son import.',
  'Pipedrive does not delete it: {}': 'Pipedrive ne le supprime pas : {}',
  'It was deleted in Pipedrive after it had been imported.': 'Il a été supprimé dans Pipedrive après son import.',
  'WordPress does not delete it: {}': 'WordPress ne le supprime pas : {}',
  'People have commented on it.': 'Quelqu’un l’a commenté.',
  'People have answered it.': 'Quelqu’un y a répondu.',
  'People have reacted to it.': 'Quelqu’un y a réagi.',
  'Posts or pages of this site use it.': 'Des articles ou pages de ce site l’utilisent.',
  'Posts or pages of this site show it.': 'Des articles ou pages de ce site l’affichent.',
  'Posts of this site use it.': 'Des articles de ce site l’utilisent.',
  'A file of this kind could act as a page of the site, so it is not put there.':
    'Un fichier de ce type pourrait agir comme une page du site ; il n’y est donc pas déposé.',
  'The field "{}" holds something other than expected and was left out.':
    'Le champ « {} » contient autre chose que prévu et a été laissé de côté.',
  'The field "{}" is empty.': 'Le champ « {} » est vide.',
  'The source names its readers by a word that we do not know.': 'Le mot qui dit qui peut le lire nous est inconnu.',
  'Only some tiers could read it. The tiers are not copied.':
    'Seuls certains niveaux pouvaient le lire ; cela n’est pas copié.',
  'It was only ever sent by e-mail.': 'L’article n’a été envoyé que par e-mail.',
  'It answers a comment that was deleted.': 'Le commentaire répond à un commentaire supprimé.',
  'It answers a comment that was deleted or is spam.':
    'Le commentaire répond à un commentaire supprimé ou indésirable.',
  'Its author is no longer a member.': 'La personne qui l’a écrit n’est plus membre.',
  'The paid plan of this member is not copied.': 'Ce que ce membre paie n’est pas copié.',
  'Ghost keeps comments of members only, and members need an e-mail address. This comment has none that Ghost takes.':
    'Ghost ne garde que les commentaires de membres, et un membre doit avoir une adresse électronique. Ce commentaire n’en a aucune que Ghost accepte.',
  'The post of this comment is no longer in Ghost.': 'Ce que ce commentaire concerne n’est plus dans Ghost.',
  'It was deleted in Ghost after it had been imported.': 'L’enregistrement a été supprimé dans Ghost après l’import.',
  'It was deleted in WordPress after it had been imported.':
    'L’enregistrement a été supprimé dans WordPress après l’import.',
  'It was deleted in Redmine since it was imported.': 'L’enregistrement a été supprimé dans Redmine après l’import.',
  'It was deleted in Redmine while it was imported.': 'L’enregistrement a été supprimé dans Redmine pendant l’import.',
  'It was deleted in Request Tracker since it was imported.':
    'L’enregistrement a été supprimé dans Request Tracker après l’import.',
  'Its featured image has been deleted.': 'Son image mise en avant a été supprimée.',
  'Its author no longer has an account.': 'Son auteur n’a plus de compte.',
  'It belongs to a record that is not copied.': 'Ce commentaire concerne quelque chose qui n’est pas copié.',
  '{} answered {} and gave no reason.': '{} a répondu {} sans donner de raison.',
  'The file has no name.': 'Le fichier n’a pas de nom.',
  'The file belongs to no record.': 'Le fichier n’appartient à rien.',
  'The destination says that this file is too large.': 'La destination dit que ce fichier est trop gros.',
  'The destination says that this record is too large.': 'La destination dit que cet enregistrement est trop gros.',
  'Its fields are too large.': 'Ses champs sont trop gros.',
  'it did not say why.': 'sans dire pourquoi.',
  'Redmine refused it without a reason.': 'Redmine l’a refusé sans donner de raison.',
  'The record that it belongs to is no longer in Redmine.': 'Ce dont il fait partie n’est plus dans Redmine.',
  'The record that it belongs to is no longer in {}.': 'Ce dont il fait partie n’est plus dans {}.',
  '{} has no place for it ({}).': '{} n’a pas de place pour lui ({}).',
  'The plan of this account may lack it.': 'L’offre de ce compte ne le comprend peut-être pas.',
  'The server says that the file is too large.': 'Le serveur dit que le fichier est trop gros.',
  'Redmine has no such active user.': 'Redmine n’a pas cet utilisateur actif.',
  'Redmine does not allow it: the project may be closed, or the module switched off.':
    'Redmine ne le permet pas : le projet est peut-être fermé, ou le module désactivé.',
  'People have given this member other roles.': 'Quelqu’un a donné d’autres rôles à ce membre.',
  'Issues of the project are assigned to this person.': 'Des demandes du projet sont assignées à cette personne.',
  'This person has booked time in the project.': 'Cette personne a saisi du temps dans le projet.',
  'This person has booked time.': 'Cette personne a saisi du temps.',
  'An issue below it could not be detached.': 'Une demande placée dessous n’a pas pu être détachée.',
  'A project below it could not be detached.': 'Un projet placé dessous n’a pas pu être détaché.',
  'People have related other issues to it.': 'Quelqu’un y a lié d’autres demandes.',
  'Time has been booked on it since.': 'Du temps y a été saisi depuis.',
  'People have switched on more modules in it.': 'Quelqu’un y a activé d’autres modules.',
  'People have added members to it.': 'Quelqu’un y a ajouté des membres.',
  'There are still issues in it.': 'Il contient encore des demandes.',
  'There is still time booked in it.': 'Du temps y est encore saisi.',
  'There are still {} in it.': 'Il contient encore : {}.',
  'issue categories': 'catégories de demandes',
  'The days between this issue and one that follows it are not copied.':
    'Le nombre de jours entre cette demande et une suivante n’est pas copié.',
  'The issue that it belongs to is no longer in Redmine.': 'La demande dont il fait partie n’est plus dans Redmine.',
  'It also records changes of the issue.': 'La note contient aussi des changements de la demande.',
  'This person has signed in to Redmine since.': 'Cette personne s’est connectée à Redmine depuis.',
  'This person has become a member of a project or group.':
    'Cette personne est devenue membre d’un projet ou d’un groupe.',
  'There are issues that name this person.': 'Des demandes nomment cette personne.',
  'Everyone who sees the issue could see this file, which was private.':
    'Toute personne qui voit la demande pourrait voir ce fichier, qui était privé.',
  'The record of this file is no longer in Redmine.': 'Ce dont le fichier fait partie n’est plus dans Redmine.',
  'Redmine did not keep the file.': 'Redmine n’a pas gardé le fichier.',
  'An issue needs a project, and this one has none.': 'Une demande appartient à un projet, et celle-ci n’en a pas.',
  'There is no such person in Redmine.': 'Cette personne n’existe pas dans Redmine.',
  'Redmine has none of the roles that this member has.': 'Redmine n’a aucun des rôles de ce membre.',
  'Someone has given it a wiki page since.': 'Quelqu’un lui a donné une page wiki depuis.',
  'There are issues of this category.': 'Il y a des demandes de cette catégorie.',
  'The project above it is no longer in Redmine.': 'Le projet parent n’est plus dans Redmine.',
  'The issue or project of this time entry is no longer in Redmine.':
    'Ce à quoi le temps a été passé n’est plus dans Redmine.',
  'The project that it belongs to is no longer in Redmine.': 'Le projet dont il fait partie n’est plus dans Redmine.',
  'Redmine cannot make an address of its title.': 'Redmine ne peut pas former d’adresse à partir du titre.',
  'The project has another wiki page with the title "{}".': 'Le projet a une autre page wiki intitulée « {} ».',
  'It is no longer the page that was imported.': 'Ce n’est plus la page qui a été importée.',
  'Someone has added a file to it since.': 'Quelqu’un y a ajouté un fichier depuis.',
  'Request Tracker did not record the message. Look whether it asks for a custom field with every message.':
    'Request Tracker n’a pas enregistré le message. Vérifiez s’il exige un champ personnalisé à chaque message.',
  'The user of the token may not write to this ticket.': 'L’utilisateur du jeton ne peut pas écrire dans ce ticket.',
  'People have changed this ticket since it was imported.': 'Quelqu’un a modifié ce ticket depuis l’import.',
  'People have worked on this ticket since it was imported.': 'Quelqu’un a travaillé sur ce ticket depuis l’import.',
  'Request Tracker does not let it be removed by itself.': 'Request Tracker ne permet pas de le retirer seul.',
  'There are tickets in this queue that people made.': 'Il y a dans cette file des tickets créés par des personnes.',
  'This user has become an agent since.': 'Cet utilisateur est devenu agent depuis.',
  'This person requested or watches tickets.': 'Il y a des tickets que cette personne a demandés ou suit.',
  'This person has become a member of a group since.': 'Cette personne est devenue membre d’un groupe depuis.',
  'The record of this file is not there.': 'Ce dont le fichier fait partie n’est pas là.',
  'Request Tracker kept only a part of this file. Raise MaxAttachmentSize, or switch off TruncateLongAttachments and DropLongAttachments.':
    'Request Tracker n’a gardé qu’une partie de ce fichier. Augmentez MaxAttachmentSize, ou désactivez TruncateLongAttachments et DropLongAttachments.',
  'A group of users watches this ticket; only its other watchers are copied.':
    'Un groupe d’utilisateurs suit ce ticket ; seuls les autres observateurs sont copiés.',
  'An AdminCc of this ticket is not a privileged user, and is not copied.':
    'Un AdminCc de ce ticket n’est pas un utilisateur privilégié et n’est pas copié.',
  'A link of this ticket points to a ticket that is deleted or not visible.':
    'Un lien de ce ticket mène à un ticket supprimé ou invisible.',
  'It was not recorded.': 'L’enregistrement n’a pas été conservé.',
  'An organization without a name has no place in Request Tracker.':
    'Une organisation sans nom n’a pas de place dans Request Tracker.',
  'There is a disabled queue of this name. Enable it, or give it another name.':
    'Il existe une file désactivée de ce nom. Activez-la, ou donnez-lui un autre nom.',
  'The ticket is no longer there.': 'Le ticket n’est plus là.',
  'Request Tracker did not take the text.': 'Request Tracker n’a pas accepté le texte.',
  'Tickets of this queue cannot have the status "{}".':
    'Les tickets de cette file ne peuvent pas avoir le statut « {} ».',
  'Tryton does not take that much at once.': 'Tryton n’en accepte pas autant à la fois.',
  'Tryton has lost the bytes of this file; only its name is left.':
    'Tryton a perdu le contenu de ce fichier ; il n’en reste que le nom.',
  'An opportunity uses it.': 'Une opportunité l’utilise.',
  'It is a company or an employee of this Tryton.': 'C’est une société ou un employé de ce Tryton.',
  'Someone has related it to a party that was not imported.': 'Quelqu’un l’a relié à un tiers qui n’a pas été importé.',
  'Sales were made from it.': 'Des ventes en sont issues.',
  'There are notes on it.': 'Il y a des notes dessus.',
  'There are files on it.': 'Il y a des fichiers dessus.',
  'Tryton failed to store it and did not say why.': 'Tryton a échoué dessus et n’a pas dit pourquoi.',
  'Tryton refused it and did not say why.': 'Tryton l’a refusé et n’a pas dit pourquoi.',
  'The record that it belongs to is not in Tryton.': 'Ce dont il fait partie n’est pas dans Tryton.',
  'People have renamed it since.': 'Quelqu’un l’a renommé depuis.',
  'Parties are related in this way.': 'Des tiers ont cette relation.',
  'There are subdivisions of this country.': 'Il y a des subdivisions de ce pays.',
  'There are addresses in this country.': 'Il y a des adresses dans ce pays.',
  'Tryton wants a party and an employee for it: give it an account or contact, and an owner who is an employee there.':
    'Tryton veut pour elle un tiers et un employé : donnez-lui une entreprise ou un contact, et un propriétaire qui y est employé.',
  'This note belongs to no record, and Tryton has no place for such a note.':
    'La note n’est rattachée à rien, et Tryton n’a pas de place pour une telle note.',
  'A relationship needs two parties and a type.': 'Une relation demande deux tiers et un type.',
  'There are parties in this category.': 'Il y a des tiers dans cette catégorie.',
  'There are other categories below this one.': 'Il y a d’autres catégories sous celle-ci.',
  'It is no longer in Tryton.': 'L’enregistrement n’est plus dans Tryton.',
  'A tag needs a name.': 'Un mot-clé doit avoir un nom.',
  'Someone deleted it in the destination after it was written.':
    'Quelqu’un l’a supprimé dans la destination après son écriture.',
  'Someone changed it in the destination since it was written, so it stays unchanged there.':
    'L’enregistrement a été modifié dans la destination après son écriture. Il y a été laissé tel quel.',
  'It was deleted in the source and in the destination.':
    'L’enregistrement a été supprimé dans la source et dans la destination.',
  'It was removed because the source no longer had it. Now the source has it again.':
    'L’enregistrement a été retiré parce que la source ne l’avait plus. Maintenant, la source l’a de nouveau.',
  'It may be there or not; nobody can look for it.':
    'L’enregistrement y est peut-être, ou non ; personne ne peut le chercher.',
  'It may be there or not.': 'L’enregistrement y est peut-être, ou non.',
  'It is not as it was sent. The destination kept it in another form, or someone changed it there.':
    'Il n’est pas tel qu’il a été envoyé. La destination l’a conservé sous une autre forme, ou quelqu’un l’y a modifié.',
  'It was changed in the destination after it was written.':
    'L’enregistrement a été modifié dans la destination après son écriture.',
  'Something that belongs to it was changed in the destination after it was written.':
    'Quelque chose qui en fait partie a été modifié dans la destination après son écriture.',
  'A record that stays in the destination refers to it.': 'Un enregistrement qui reste dans la destination y renvoie.',
  'The destination offers no way to remove it.': 'La destination n’offre aucun moyen de le retirer.',
  'It stays with the record it belongs to.': 'L’enregistrement reste avec celui dont il fait partie.',
  'It could not be removed: {}': 'L’enregistrement n’a pas pu être retiré : {}',
  'More people could see it in the destination than in the source, so it was not sent.':
    'Plus de personnes pourraient le voir dans la destination que dans la source. Il n’a pas été envoyé.',
  'It belongs to something that is not copied, so it was not sent.':
    'L’enregistrement fait partie de quelque chose qui n’est pas copié. Il n’a pas été envoyé.',
  'The file has more than {}, which is the most that the destination accepts.':
    'Le fichier dépasse {}, soit le maximum accepté par la destination.',
  'The file has {}; the destination accepts files up to {}.':
    'Le fichier fait {} ; la destination accepte les fichiers jusqu’à {}.',
  'The source does not hand out this file.': 'La source ne remet pas ce fichier.',
  'The source no longer has this file.': 'La source n’a plus ce fichier.',
  'It failed {} times or more: {}': 'Échec {} fois ou plus : {}',
  'something on our side went wrong': 'une erreur de notre côté',
  'a tool could not be reached': 'un outil n’a pas pu être joint',
  'a tool answered with {}': 'un outil a répondu quelque chose d’illisible ({})',
  'a tool answered {}': 'un outil a répondu {}',
  'the transfer of a file broke off': 'le transfert d’un fichier s’est interrompu',
  'It vanished from the source before it was copied. It is not in the destination.':
    'L’enregistrement a disparu de la source avant d’être copié. Il n’est pas dans la destination.',
  'It is not as it was sent: someone may have changed it.':
    'L’enregistrement n’est pas tel qu’envoyé : quelqu’un l’a peut-être modifié.',
  'It is there more than once: other people or programs have added messages to the other one.':
    'L’enregistrement est là plus d’une fois : d’autres personnes ou programmes ont ajouté des messages à l’autre.',
  'It is there more than once: the destination did not let us remove the other one.':
    'L’enregistrement est là plus d’une fois : la destination ne nous a pas laissé retirer l’autre.',
  'This record was merged with {} ({}). The destination keeps one record for both.':
    'Cet enregistrement a été réuni avec {} ({}). La destination garde un seul enregistrement pour les deux.',
  '{} was merged with {} ({}). The destination keeps one record for both.':
    '{} a été réuni avec {} ({}). La destination garde un seul enregistrement pour les deux.',
  'The destination no longer shows it, so it cannot be compared.':
    "La destination ne l'affiche plus, il ne peut donc pas être comparé.",
  'The destination shows it in a form that cannot be read.': 'La destination le montre sous une forme illisible.',
  'The file has {} bytes; in the source it has {}.': 'Le fichier a {} octets ; dans la source, il en a {}.',
  'Not as it was sent: {}': 'Pas tel qu’envoyé : {}',
  'it has changed in the source since': 'modifié depuis dans la source',
  'It was deleted in Intercom since it was imported.': 'Il a été supprimé dans Intercom après son import.',
  'Its ticket was deleted in Intercom since it was imported.':
    'Son ticket a été supprimé dans Intercom après son import.',
  'Intercom does not make a field that the record needs: {}':
    'Intercom ne crée pas un champ dont l’enregistrement a besoin : {}',
  'Intercom takes no company without a name.': 'Intercom n’accepte pas d’entreprise sans nom.',
  'Intercom does not turn an internal article into another one. Delete its copy in Intercom, then bring it back.':
    'Intercom ne transforme pas un article interne en un autre. Supprimez sa copie dans Intercom, puis rétablissez-la.',
  'Intercom takes no ticket without the person who asked.':
    'Intercom n’accepte aucun ticket sans la personne qui l’a demandé.',
  'Intercom takes nothing without a title here.': 'Intercom n’accepte ici rien sans titre.',
  'Intercom takes no files of articles by its API.': 'Intercom n’accepte pas de fichiers d’articles par son API.',
  'Intercom has no team of this name, and lets only people make teams.':
    'Intercom n’a pas d’équipe de ce nom, et seules des personnes peuvent y créer des équipes.',
  'Intercom does not delete it: {}': 'Intercom ne le supprime pas : {}',
  'Articles of this account stand in it.': 'Des articles de ce compte s’y trouvent.',
  'Conversations of this account name them.': 'Des conversations de ce compte la mentionnent.',
  'Contacts of this account belong to it.': 'Des contacts de ce compte en font partie.',
  'Intercom links it to {} records here. One link was copied.':
    'Intercom le relie ici à {} enregistrements. Un seul lien a été copié.',
  'Its assignee is no teammate and was left out.':
    'La personne assignée ne fait pas partie de l’équipe et a été omise.',
  'Nobody in the workspace wrote this comment.': 'Personne dans l’espace de travail n’a écrit ce commentaire.',
  'It came with a change of the conversation. Only teammates see it now.':
    'Il est arrivé avec un changement de la conversation. Seuls les membres de l’équipe le voient désormais.',
  'Help Scout does not let the account read all messages of this conversation.':
    'Help Scout ne laisse pas le compte lire tous les messages de cette conversation.',
  'Help Scout does not let the account read the properties of this organization.':
    'Help Scout ne laisse pas le compte lire les propriétés de cette organisation.',
  'Its draft was not copied.': 'Son brouillon n’a pas été copié.',
  'People are writing a draft, which a change would delete.':
    'Quelqu’un écrit un brouillon, qu’une modification supprimerait.',
  'The source sent a record without an id.': 'La source a envoyé un enregistrement sans identifiant.',
  'Some customers could read it. Its copy is for the staff.':
    'Certains clients pouvaient le lire. Sa copie est réservée à l’équipe.',
  'Pipedrive keeps 15 digits of an amount. This one has more.':
    'Pipedrive conserve 15 chiffres d’un montant. Celui-ci en a plus.',
  'Intercom hands out the newest 500 parts of a conversation. Older ones are missing.':
    'Intercom fournit les 500 parties les plus récentes d’une conversation. Les plus anciennes manquent.',
  'It was deleted in Zendesk since it was imported.': 'L’enregistrement a été supprimé dans Zendesk après l’import.',
  'Zendesk changes nothing in a closed ticket, and adds nothing to it.':
    'Zendesk ne modifie pas un ticket fermé et n’y ajoute rien.',
  'Zendesk does not make a field that the record needs: {}':
    'Zendesk ne crée pas un champ dont l’enregistrement a besoin : {}',
  'Tickets of this account name them.': 'Des tickets de ce compte mentionnent cette personne.',
  'It is not empty.': 'Il n’est pas vide.',
  'Other records of this account may have this tag.':
    'D’autres enregistrements de ce compte peuvent porter cette étiquette.',
  'Other records of this account may use this field.':
    'D’autres enregistrements de ce compte utilisent peut-être ce champ.',
  'It is in {} categories.': 'Il se trouve dans {} catégories.',
  'It was copied into the first one.': 'Il a été copié dans la première.',
  'Nobody in the account wrote the first message.': 'Personne dans le compte n’a écrit le premier message.',
  'Nobody in the account wrote this article.': 'Personne dans le compte n’a écrit cet article.',
  'Nobody in the account wrote this comment.': 'Personne dans le compte n’a écrit ce commentaire.',
  'It was deleted in Help Scout since it was imported.':
    'L’enregistrement a été supprimé dans Help Scout après l’importation.',
  'Help Scout takes no conversation without a customer.': 'Help Scout n’accepte aucune conversation sans client.',
  'Help Scout takes files of at most 7.4 MB.': 'Help Scout accepte les fichiers jusqu’à 7,4 Mo.',
  'Zendesk links it to {} organizations. One link was copied, and the names of the others.':
    'Zendesk lie cet enregistrement à {} organisations. Un lien a été copié, ainsi que les noms des autres.',
  'Zendesk does not list its status. Only the category was read.':
    'Zendesk n’indique pas son statut. Seule la catégorie a été lue.',
  'Zendesk does not list its user segments to us. Without one, everybody could read this article.':
    'Zendesk ne nous montre pas ses segments d’utilisateurs. Sans segment, tout le monde pourrait lire cet article.',
  'Tickets of this account are in it.': 'Des tickets de ce compte en font partie.',
  'People of this account belong to it.': 'Des personnes de ce compte en font partie.',
  'People may have added this file.': 'Quelqu’un a peut-être ajouté ce fichier.',
  'The tool deletes it only together with the record that it belongs to.':
    'L’outil ne le supprime qu’avec l’enregistrement auquel il appartient.',
  'Freshdesk did not add the file to its record. We send it as a note.':
    'Freshdesk n’a pas ajouté le fichier à son enregistrement. Nous l’envoyons comme note.',
  'Help Scout deletes no single comment. It is hidden now.':
    'Help Scout ne supprime aucun commentaire isolé. Le commentaire est maintenant masqué.',
  'It was deleted in Freshdesk since it was imported.':
    'L’enregistrement a été supprimé dans Freshdesk après l’import.',
  'This person belongs to further companies.': 'Cette personne appartient à d’autres entreprises.',
  'Its agent has no account any more.': 'Son agent n’a plus de compte.',
  'A follower is no agent any more.': 'Un abonné n’est plus agent.',
  'The person who asked was deleted.': 'La personne qui a posé la question a été supprimée.',
  'Its folder was deleted in Freshdesk since it was imported.':
    'Son dossier a été supprimé dans Freshdesk après l’import.',
  'Everyone can read its article, and would see this private file.':
    'Tout le monde peut lire son article et verrait ce fichier privé.',
  'People are writing a draft of its article, which a change would delete.':
    'Quelqu’un rédige un brouillon de son article, qu’une modification supprimerait.',
}
