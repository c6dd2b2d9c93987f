/** Translations of the service's sentences about single records. `{}` is a placeholder for a value. */
export const recordSentences: Record<string, string> = {
  'It has been changed since it was imported.': 'Der Datensatz wurde seit dem Import geändert.',
  'Other people or programs have added messages to it since it was imported.':
    'Andere Personen oder Programme haben seit dem Import Nachrichten hinzugefügt.',
  'People have changed it since it was imported.': 'Jemand hat den Datensatz seit dem Import geändert.',
  'It has been changed since.': 'Der Datensatz wurde seither geändert.',
  'It is too large for this site.': 'Die Datei ist zu groß für diese Website.',
  'People have changed this member since it was imported.': 'Jemand hat dieses Mitglied seit dem Import geändert.',
  'There are comments of this member.': 'Es gibt Kommentare von diesem Mitglied.',
  'Members of this site have this label.': 'Mitglieder dieser Website haben dieses Label.',
  'People have renamed this label.': 'Jemand hat dieses Label umbenannt.',
  'Ghost does not take this member.': 'Ghost nimmt dieses Mitglied nicht an.',
  'Ghost does not take a member with this address.': 'Ghost nimmt kein Mitglied mit dieser Adresse an.',
  'Ghost offers no way to remove a file.': 'Ghost bietet keine Möglichkeit, eine Datei zu entfernen.',
  'Ghost does not delete it: {}': 'Ghost löscht den Datensatz nicht: {}',
  'HubSpot links it to {} records here.': 'HubSpot verknüpft den Datensatz hier mit {} Datensätzen.',
  'Pipedrive links it to {} records.': 'Pipedrive verknüpft den Datensatz mit {} Datensätzen.',
  'It was copied with the first of these links.': 'Er wurde mit der ersten dieser Verknüpfungen kopiert.',
  '{} people follow it in Pipedrive.': 'In Pipedrive folgen ihm {} Personen.',
  'Comments of readers on it: {}.': 'Kommentare von Lesern dazu: {}.',
  'Pipedrive shows {} e-mails at it.': 'Pipedrive zeigt bei ihm {} E-Mails.',
  'HubSpot has {} conversations of it in the inbox.': 'HubSpot hat {} Unterhaltungen dazu im Posteingang.',
  'HubSpot has {} files in fields of it.': 'HubSpot hat in Feldern dazu {} Dateien.',
  'HubSpot has labels at {} of its links.': 'HubSpot hat Bezeichnungen an {} seiner Verknüpfungen.',
  'HubSpot links it to {} other records of its kind.': 'HubSpot verknüpft ihn mit {} anderen Datensätzen seiner Art.',
  'They were not copied.': 'Sie wurden nicht kopiert.',
  'These links were not copied.': 'Diese Verknüpfungen wurden nicht kopiert.',
  'Deals of this account use it.': 'Verkaufschancen dieses Kontos verwenden den Datensatz.',
  'Records of their own that people linked to it: {}.': 'Eigene Datensätze, die Personen damit verknüpft haben: {}.',
  'People renamed it.': 'Jemand hat ihn umbenannt.',
  'Another record of this import was merged with it.': 'Ein anderer Datensatz dieses Imports wurde damit vereint.',
  'HubSpot does not delete it: {}': 'HubSpot löscht den Datensatz nicht: {}',
  'It was deleted in HubSpot after it had been imported.': 'Der Datensatz wurde nach dem Import in HubSpot gelöscht.',
  'Pipedrive does not delete it: {}': 'Pipedrive löscht den Datensatz nicht: {}',
  'It was deleted in Pipedrive after it had been imported.':
    'Der Datensatz wurde nach dem Import in Pipedrive gelöscht.',
  'WordPress does not delete it: {}': 'WordPress löscht den Datensatz nicht: {}',
  'People have commented on it.': 'Jemand hat den Beitrag kommentiert.',
  'People have answered it.': 'Jemand hat darauf geantwortet.',
  'People have reacted to it.': 'Jemand hat darauf reagiert.',
  'Posts or pages of this site use it.': 'Beiträge oder Seiten dieser Website verwenden es.',
  'Posts or pages of this site show it.': 'Beiträge oder Seiten dieser Website zeigen es.',
  'Posts of this site use it.': 'Beiträge dieser Website verwenden es.',
  'A file of this kind could act as a page of the site, so it is not put there.':
    'Eine Datei dieser Art könnte als Seite der Website wirken und wird dort nicht abgelegt.',
  'The field "{}" holds something other than expected and was left out.':
    'Das Feld „{}“ enthält etwas anderes als erwartet und wurde weggelassen.',
  'The field "{}" is empty.': 'Das Feld „{}“ ist leer.',
  'The source names its readers by a word that we do not know.':
    'Wer es lesen darf, ist mit einem Wort angegeben, das wir nicht kennen.',
  'Only some tiers could read it. The tiers are not copied.':
    'Nur einige Stufen konnten es lesen; das wird nicht kopiert.',
  'It was only ever sent by e-mail.': 'Der Beitrag wurde nur per E-Mail verschickt.',
  'It answers a comment that was deleted.': 'Der Kommentar antwortet auf einen, der gelöscht wurde.',
  'It answers a comment that was deleted or is spam.':
    'Der Kommentar antwortet auf einen, der gelöscht wurde oder Spam ist.',
  'Its author is no longer a member.': 'Wer ihn geschrieben hat, ist kein Mitglied mehr.',
  'The paid plan of this member is not copied.': 'Wofür dieses Mitglied zahlt, wird nicht kopiert.',
  'Ghost keeps comments of members only, and members need an e-mail address. This comment has none that Ghost takes.':
    'Ghost bewahrt nur Kommentare von Mitgliedern auf, und Mitglieder brauchen eine E-Mail-Adresse. Dieser Kommentar hat keine, die Ghost annimmt.',
  'The post of this comment is no longer in Ghost.':
    'Der Beitrag, zu dem der Kommentar gehört, ist nicht mehr in Ghost.',
  'It was deleted in Ghost after it had been imported.': 'Der Datensatz wurde nach dem Import in Ghost gelöscht.',
  'It was deleted in WordPress after it had been imported.':
    'Der Datensatz wurde nach dem Import in WordPress gelöscht.',
  'It was deleted in Redmine since it was imported.': 'Der Datensatz wurde nach dem Import in Redmine gelöscht.',
  'It was deleted in Redmine while it was imported.': 'Der Datensatz wurde während des Imports in Redmine gelöscht.',
  'It was deleted in Request Tracker since it was imported.':
    'Der Datensatz wurde nach dem Import in Request Tracker gelöscht.',
  'Its featured image has been deleted.': 'Sein Beitragsbild wurde gelöscht.',
  'Its author no longer has an account.': 'Der Autor hat kein Konto mehr.',
  'It belongs to a record that is not copied.': 'Der Kommentar gehört zu etwas, das nicht kopiert wird.',
  '{} answered {} and gave no reason.': '{} antwortete {} und nannte keinen Grund.',
  'The file has no name.': 'Die Datei hat keinen Namen.',
  'The file belongs to no record.': 'Die Datei gehört zu nichts.',
  'The destination says that this file is too large.': 'Das Ziel sagt, dass diese Datei zu groß ist.',
  'The destination says that this record is too large.': 'Das Ziel sagt, dass dieser Datensatz zu groß ist.',
  'Its fields are too large.': 'Seine Felder sind zu groß.',
  'it did not say why.': 'Einen Grund nannte es nicht.',
  'Redmine refused it without a reason.': 'Redmine hat den Datensatz ohne Begründung abgelehnt.',
  'The record that it belongs to is no longer in Redmine.': 'Wozu der Datensatz gehört, ist nicht mehr in Redmine.',
  'The record that it belongs to is no longer in {}.': 'Wozu der Datensatz gehört, ist nicht mehr in {}.',
  '{} has no place for it ({}).': '{} hat keinen Platz dafür ({}).',
  'The plan of this account may lack it.': 'Vielleicht enthält der Tarif dieses Kontos es nicht.',
  'The server says that the file is too large.': 'Der Server sagt, dass die Datei zu groß ist.',
  'Redmine has no such active user.': 'Diesen aktiven Benutzer gibt es in Redmine nicht.',
  'Redmine does not allow it: the project may be closed, or the module switched off.':
    'Redmine erlaubt es nicht: Vielleicht ist das Projekt geschlossen oder das Modul abgeschaltet.',
  'People have given this member other roles.': 'Jemand hat diesem Mitglied andere Rollen gegeben.',
  'Issues of the project are assigned to this person.': 'Dieser Person sind Tickets des Projekts zugewiesen.',
  'This person has booked time in the project.': 'Diese Person hat im Projekt Zeit gebucht.',
  'This person has booked time.': 'Diese Person hat Zeit gebucht.',
  'An issue below it could not be detached.': 'Ein untergeordnetes Ticket konnte nicht gelöst werden.',
  'A project below it could not be detached.': 'Ein untergeordnetes Projekt konnte nicht gelöst werden.',
  'People have related other issues to it.': 'Jemand hat andere Tickets damit verknüpft.',
  'Time has been booked on it since.': 'Seither wurde Zeit darauf gebucht.',
  'People have switched on more modules in it.': 'Jemand hat dort weitere Module eingeschaltet.',
  'People have added members to it.': 'Jemand hat dort Mitglieder hinzugefügt.',
  'There are still issues in it.': 'Es enthält noch Tickets.',
  'There is still time booked in it.': 'Darauf ist noch Zeit gebucht.',
  'There are still {} in it.': 'Darin gibt es noch: {}.',
  'issue categories': 'Ticket-Kategorien',
  'The days between this issue and one that follows it are not copied.':
    'Der Abstand in Tagen zwischen diesem Ticket und einem folgenden wird nicht kopiert.',
  'The issue that it belongs to is no longer in Redmine.':
    'Das Ticket, zu dem der Datensatz gehört, ist nicht mehr in Redmine.',
  'It also records changes of the issue.': 'Die Notiz hält auch Änderungen des Tickets fest.',
  'This person has signed in to Redmine since.': 'Diese Person hat sich seither in Redmine angemeldet.',
  'This person has become a member of a project or group.':
    'Diese Person ist Mitglied eines Projekts oder einer Gruppe geworden.',
  'There are issues that name this person.': 'Es gibt Tickets, die diese Person nennen.',
  'Everyone who sees the issue could see this file, which was private.':
    'Alle, die das Ticket sehen, könnten diese Datei sehen. Sie war privat.',
  'The record of this file is no longer in Redmine.': 'Wozu die Datei gehört, ist nicht mehr in Redmine.',
  'Redmine did not keep the file.': 'Redmine hat die Datei nicht behalten.',
  'An issue needs a project, and this one has none.': 'Ein Ticket gehört zu einem Projekt, und dieses hat keines.',
  'There is no such person in Redmine.': 'Diese Person gibt es in Redmine nicht.',
  'Redmine has none of the roles that this member has.': 'Redmine hat keine der Rollen dieses Mitglieds.',
  'Someone has given it a wiki page since.': 'Seither hat jemand eine Wiki-Seite zugeordnet.',
  'There are issues of this category.': 'Es gibt Tickets dieser Kategorie.',
  'The project above it is no longer in Redmine.': 'Das übergeordnete Projekt ist nicht mehr in Redmine.',
  'The issue or project of this time entry is no longer in Redmine.':
    'Wofür die Zeit aufgewendet wurde, ist nicht mehr in Redmine.',
  'The project that it belongs to is no longer in Redmine.':
    'Das Projekt, zu dem der Datensatz gehört, ist nicht mehr in Redmine.',
  'Redmine cannot make an address of its title.': 'Redmine kann aus dem Titel keine Adresse bilden.',
  'The project has another wiki page with the title "{}".':
    'Das Projekt hat schon eine andere Wiki-Seite mit dem Titel „{}“.',
  'It is no longer the page that was imported.': 'Es ist nicht mehr die Seite, die importiert wurde.',
  'Someone has added a file to it since.': 'Seither hat jemand eine Datei hinzugefügt.',
  'Request Tracker did not record the message. Look whether it asks for a custom field with every message.':
    'Request Tracker hat die Nachricht nicht aufgenommen. Sehen Sie nach, ob es zu jeder Nachricht ein benutzerdefiniertes Feld verlangt.',
  'The user of the token may not write to this ticket.':
    'Der Benutzer des Zugangsschlüssels darf in dieses Ticket nicht schreiben.',
  'People have changed this ticket since it was imported.': 'Jemand hat dieses Ticket seit dem Import geändert.',
  'People have worked on this ticket since it was imported.': 'Jemand hat seit dem Import an diesem Ticket gearbeitet.',
  'Request Tracker does not let it be removed by itself.':
    'Request Tracker lässt den Datensatz nicht einzeln entfernen.',
  'There are tickets in this queue that people made.':
    'In diesem Bereich gibt es Tickets, die jemand selbst angelegt hat.',
  'This user has become an agent since.': 'Dieser Benutzer ist seither Bearbeiter geworden.',
  'This person requested or watches tickets.': 'Es gibt Tickets, die diese Person gestellt hat oder beobachtet.',
  'This person has become a member of a group since.': 'Diese Person ist seither Mitglied einer Gruppe geworden.',
  'The record of this file is not there.': 'Wozu die Datei gehört, ist nicht da.',
  'Request Tracker kept only a part of this file. Raise MaxAttachmentSize, or switch off TruncateLongAttachments and DropLongAttachments.':
    'Request Tracker hat nur einen Teil dieser Datei behalten. Erhöhen Sie MaxAttachmentSize, oder schalten Sie TruncateLongAttachments und DropLongAttachments ab.',
  'A group of users watches this ticket; only its other watchers are copied.':
    'Eine Benutzergruppe beobachtet dieses Ticket; nur die übrigen Beobachter werden kopiert.',
  'An AdminCc of this ticket is not a privileged user, and is not copied.':
    'Ein AdminCc dieses Tickets ist kein privilegierter Benutzer und wird nicht kopiert.',
  'A link of this ticket points to a ticket that is deleted or not visible.':
    'Eine Verknüpfung dieses Tickets führt zu einem, das gelöscht oder nicht sichtbar ist.',
  'It was not recorded.': 'Der Datensatz wurde nicht aufgenommen.',
  'An organization without a name has no place in Request Tracker.':
    'Eine Organisation ohne Namen hat in Request Tracker keinen Platz.',
  'There is a disabled queue of this name. Enable it, or give it another name.':
    'Es gibt einen abgeschalteten Bereich dieses Namens. Schalten Sie ihn ein, oder geben Sie ihm einen anderen Namen.',
  'The ticket is no longer there.': 'Das Ticket ist nicht mehr da.',
  'Request Tracker did not take the text.': 'Request Tracker hat den Text nicht angenommen.',
  'Tickets of this queue cannot have the status "{}".': 'Tickets dieses Bereichs können den Status „{}“ nicht haben.',
  'Tryton does not take that much at once.': 'So viel auf einmal nimmt Tryton nicht an.',
  'Tryton has lost the bytes of this file; only its name is left.':
    'Tryton hat den Inhalt dieser Datei verloren; nur ihr Name ist übrig.',
  'An opportunity uses it.': 'Eine Verkaufschance verwendet den Datensatz.',
  'It is a company or an employee of this Tryton.': 'Es ist ein Unternehmen oder ein Mitarbeiter dieses Tryton.',
  'Someone has related it to a party that was not imported.':
    'Jemand hat eine Beziehung zu einer Partei angelegt, die nicht importiert wurde.',
  'Sales were made from it.': 'Daraus sind Verkäufe entstanden.',
  'There are notes on it.': 'Daran hängen Notizen.',
  'There are files on it.': 'Daran hängen Dateien.',
  'Tryton failed to store it and did not say why.': 'Tryton ist daran gescheitert und nannte keinen Grund.',
  'Tryton refused it and did not say why.': 'Tryton hat den Datensatz abgelehnt und nannte keinen Grund.',
  'The record that it belongs to is not in Tryton.': 'Wozu der Datensatz gehört, ist nicht in Tryton.',
  'People have renamed it since.': 'Jemand hat den Datensatz seither umbenannt.',
  'Parties are related in this way.': 'Parteien stehen in dieser Beziehung.',
  'There are subdivisions of this country.': 'Es gibt Regionen dieses Landes.',
  'There are addresses in this country.': 'Es gibt Adressen in diesem Land.',
  'Tryton wants a party and an employee for it: give it an account or contact, and an owner who is an employee there.':
    'Tryton verlangt dafür eine Partei und einen Mitarbeiter: Geben Sie der Verkaufschance eine Firma oder einen Kontakt und einen Besitzer, der dort Mitarbeiter ist.',
  'This note belongs to no record, and Tryton has no place for such a note.':
    'Die Notiz gehört zu nichts, und Tryton hat keinen Platz dafür.',
  'A relationship needs two parties and a type.': 'Eine Beziehung braucht zwei Parteien und einen Typ.',
  'There are parties in this category.': 'In dieser Kategorie gibt es Parteien.',
  'There are other categories below this one.': 'Unter dieser Kategorie gibt es weitere.',
  'It is no longer in Tryton.': 'Der Datensatz ist nicht mehr in Tryton.',
  'A tag needs a name.': 'Ein Schlagwort braucht einen Namen.',
  'Someone deleted it in the destination after it was written.':
    'Jemand hat den Datensatz im Ziel gelöscht, nachdem er geschrieben wurde.',
  'Someone changed it in the destination since it was written, so it stays unchanged there.':
    'Der Datensatz wurde im Ziel geändert, nachdem er geschrieben wurde. Er blieb dort, wie er ist.',
  'It was deleted in the source and in the destination.': 'Der Datensatz wurde in der Quelle und im Ziel gelöscht.',
  'It was removed because the source no longer had it. Now the source has it again.':
    'Der Datensatz wurde entfernt, weil die Quelle ihn nicht mehr hatte. Jetzt hat die Quelle ihn wieder.',
  'It may be there or not; nobody can look for it.':
    'Der Datensatz kann dort sein oder nicht; niemand kann danach suchen.',
  'It may be there or not.': 'Der Datensatz kann dort sein oder nicht.',
  'It is not as it was sent. The destination kept it in another form, or someone changed it there.':
    'Es ist nicht so, wie es gesendet wurde. Das Ziel hat es in anderer Form gespeichert, oder jemand hat es dort geändert.',
  'It was changed in the destination after it was written.':
    'Der Datensatz wurde im Ziel geändert, nachdem er geschrieben wurde.',
  'Something that belongs to it was changed in the destination after it was written.':
    'Etwas, das dazugehört, wurde im Ziel geändert, nachdem es geschrieben wurde.',
  'A record that stays in the destination refers to it.': 'Ein Datensatz, der im Ziel bleibt, verweist darauf.',
  'The destination offers no way to remove it.': 'Das Ziel bietet keine Möglichkeit, den Datensatz zu entfernen.',
  'It stays with the record it belongs to.': 'Der Datensatz bleibt bei dem, zu dem er gehört.',
  'It could not be removed: {}': 'Der Datensatz konnte nicht entfernt werden: {}',
  'More people could see it in the destination than in the source, so it was not sent.':
    'Im Ziel könnten mehr Menschen den Datensatz sehen als in der Quelle. Er wurde nicht gesendet.',
  'It belongs to something that is not copied, so it was not sent.':
    'Der Datensatz gehört zu etwas, das nicht kopiert wird. Er wurde nicht gesendet.',
  'The file has more than {}, which is the most that the destination accepts.':
    'Die Datei hat mehr als {}. Das ist das Äußerste, was das Ziel annimmt.',
  'The file has {}; the destination accepts files up to {}.': 'Die Datei hat {}; das Ziel nimmt Dateien bis {} an.',
  'The source does not hand out this file.': 'Die Quelle gibt diese Datei nicht heraus.',
  'The source no longer has this file.': 'Die Quelle hat diese Datei nicht mehr.',
  'It failed {} times or more: {}': 'Es ist {}-mal oder öfter fehlgeschlagen: {}',
  'something on our side went wrong': 'Bei uns ist ein Fehler aufgetreten',
  'a tool could not be reached': 'Ein Programm war nicht zu erreichen',
  'a tool answered with {}': 'Ein Programm antwortete mit etwas Unlesbarem ({})',
  'a tool answered {}': 'Ein Programm antwortete {}',
  'the transfer of a file broke off': 'Die Übertragung einer Datei brach ab',
  'It vanished from the source before it was copied. It is not in the destination.':
    'Der Datensatz verschwand aus der Quelle, bevor er kopiert wurde. Er ist nicht im Ziel.',
  'It is not as it was sent: someone may have changed it.':
    'Der Datensatz ist nicht, wie er gesendet wurde: Vielleicht hat ihn jemand geändert.',
  'It is there more than once: other people or programs have added messages to the other one.':
    'Der Datensatz ist mehrfach da: Andere Personen oder Programme haben dem anderen Nachrichten hinzugefügt.',
  'It is there more than once: the destination did not let us remove the other one.':
    'Der Datensatz ist mehrfach da: Das Ziel ließ uns den anderen nicht entfernen.',
  'This record was merged with {} ({}). The destination keeps one record for both.':
    'Dieser Datensatz wurde eins mit {} ({}). Das Ziel führt beide als einen Datensatz.',
  '{} was merged with {} ({}). The destination keeps one record for both.':
    '{} wurde eins mit {} ({}). Das Ziel führt beide als einen Datensatz.',
  'The destination no longer shows it, so it cannot be compared.':
    'Das Ziel zeigt den Datensatz nicht mehr an, er lässt sich also nicht vergleichen.',
  'The destination shows it in a form that cannot be read.':
    'Das Ziel zeigt den Datensatz in einer Form, die sich nicht lesen lässt.',
  'The file has {} bytes; in the source it has {}.': 'Die Datei hat {} Bytes; in der Quelle hat sie {}.',
  'Not as it was sent: {}': 'Nicht, wie es gesendet wurde: {}',
  'it has changed in the source since': 'In der Quelle hat es sich seither geändert',
  'It was deleted in Intercom since it was imported.': 'Der Datensatz wurde nach dem Import in Intercom gelöscht.',
  'Its ticket was deleted in Intercom since it was imported.':
    'Das Ticket dazu wurde nach dem Import in Intercom gelöscht.',
  'Intercom does not make a field that the record needs: {}':
    'Intercom legt ein Feld nicht an, das der Datensatz braucht: {}',
  'Intercom takes no company without a name.': 'Intercom nimmt keine Firma ohne Namen an.',
  'Intercom does not turn an internal article into another one. Delete its copy in Intercom, then bring it back.':
    'Intercom macht aus einem internen Artikel keinen anderen. Löschen Sie die Kopie in Intercom, und holen Sie sie dann zurück.',
  'Intercom takes no ticket without the person who asked.':
    'Intercom nimmt kein Ticket ohne die Person an, die gefragt hat.',
  'Intercom takes nothing without a title here.': 'Intercom nimmt hier nichts ohne Titel an.',
  'Intercom takes no files of articles by its API.': 'Intercom nimmt über seine API keine Dateien von Artikeln an.',
  'Intercom has no team of this name, and lets only people make teams.':
    'Intercom hat kein Team dieses Namens, und nur Menschen können dort Teams anlegen.',
  'Intercom does not delete it: {}': 'Intercom löscht den Datensatz nicht: {}',
  'Articles of this account stand in it.': 'Artikel dieses Kontos stehen darin.',
  'Conversations of this account name them.': 'Konversationen dieses Kontos nennen diese Person.',
  'Contacts of this account belong to it.': 'Kontakte dieses Kontos gehören dazu.',
  'Intercom links it to {} records here. One link was copied.':
    'Intercom verknüpft ihn hier mit {} Datensätzen. Eine Verknüpfung wurde kopiert.',
  'Its assignee is no teammate and was left out.':
    'Die zugewiesene Person gehört nicht zum Team und wurde weggelassen.',
  'Nobody in the workspace wrote this comment.': 'Niemand im Workspace hat diesen Kommentar geschrieben.',
  'It came with a change of the conversation. Only teammates see it now.':
    'Der Kommentar kam mit einer Änderung der Konversation. Nur Teammitglieder sehen ihn nun.',
  'Help Scout does not let the account read all messages of this conversation.':
    'Help Scout lässt das Konto nicht alle Nachrichten dieser Unterhaltung lesen.',
  'Help Scout does not let the account read the properties of this organization.':
    'Help Scout lässt das Konto die Eigenschaften dieser Organisation nicht lesen.',
  'Its draft was not copied.': 'Sein Entwurf wurde nicht kopiert.',
  'People are writing a draft, which a change would delete.':
    'Jemand schreibt an einem Entwurf, den eine Änderung löschen würde.',
  'The source sent a record without an id.': 'Die Quelle hat einen Datensatz ohne Kennung gesendet.',
  'Some customers could read it. Its copy is for the staff.':
    'Einige Kunden konnten ihn lesen. Seine Kopie ist nur für das Team.',
  'Pipedrive keeps 15 digits of an amount. This one has more.':
    'Pipedrive behält 15 Stellen eines Betrags. Dieser hat mehr.',
  'Intercom hands out the newest 500 parts of a conversation. Older ones are missing.':
    'Intercom gibt die neuesten 500 Teile einer Konversation heraus. Ältere fehlen.',
  'It was deleted in Zendesk since it was imported.': 'Der Datensatz wurde nach dem Import in Zendesk gelöscht.',
  'Zendesk changes nothing in a closed ticket, and adds nothing to it.':
    'Zendesk ändert nichts an einem geschlossenen Ticket und fügt ihm nichts hinzu.',
  'Zendesk does not make a field that the record needs: {}':
    'Zendesk legt ein Feld nicht an, das der Datensatz braucht: {}',
  'Tickets of this account name them.': 'Tickets dieses Kontos nennen diese Person.',
  'It is not empty.': 'Es ist nicht leer.',
  'Other records of this account may have this tag.':
    'Andere Datensätze dieses Kontos können dieses Schlagwort tragen.',
  'Other records of this account may use this field.':
    'Andere Datensätze dieses Kontos benutzen dieses Feld vielleicht.',
  'It is in {} categories.': 'Er gehört zu {} Kategorien.',
  'It was copied into the first one.': 'Er wurde in die erste kopiert.',
  'Nobody in the account wrote the first message.': 'Niemand im Konto hat die erste Nachricht geschrieben.',
  'Nobody in the account wrote this article.': 'Niemand im Konto hat diesen Artikel geschrieben.',
  'Nobody in the account wrote this comment.': 'Niemand im Konto hat diesen Kommentar geschrieben.',
  'It was deleted in Help Scout since it was imported.': 'Der Datensatz wurde nach dem Import in Help Scout gelöscht.',
  'Help Scout takes no conversation without a customer.': 'Help Scout nimmt keine Konversation ohne Kunden an.',
  'Help Scout takes files of at most 7.4 MB.': 'Help Scout nimmt Dateien bis 7,4 MB an.',
  'Zendesk links it to {} organizations. One link was copied, and the names of the others.':
    'Zendesk verknüpft den Datensatz mit {} Organisationen. Eine Verknüpfung wurde kopiert, dazu die Namen der anderen.',
  'Zendesk does not list its status. Only the category was read.':
    'Zendesk nennt den Status nicht. Nur seine Kategorie wurde gelesen.',
  'Zendesk does not list its user segments to us. Without one, everybody could read this article.':
    'Zendesk nennt uns seine Benutzersegmente nicht. Ohne eines könnten alle diesen Artikel lesen.',
  'Tickets of this account are in it.': 'Tickets dieses Kontos gehören dazu.',
  'People of this account belong to it.': 'Personen dieses Kontos gehören dazu.',
  'People may have added this file.': 'Vielleicht hat jemand diese Datei hinzugefügt.',
  'The tool deletes it only together with the record that it belongs to.':
    'Das Tool löscht den Datensatz nur zusammen mit dem Datensatz, zu dem er gehört.',
  'Freshdesk did not add the file to its record. We send it as a note.':
    'Freshdesk hat die Datei nicht zu ihrem Datensatz hinzugefügt. Wir senden sie als Notiz.',
  'Help Scout deletes no single comment. It is hidden now.':
    'Help Scout löscht keine einzelnen Kommentare. Der Kommentar ist jetzt ausgeblendet.',
  'It was deleted in Freshdesk since it was imported.': 'Der Datensatz wurde nach dem Import in Freshdesk gelöscht.',
  'This person belongs to further companies.': 'Diese Person gehört zu weiteren Firmen.',
  'Its agent has no account any more.': 'Der zuständige Agent hat kein Konto mehr.',
  'A follower is no agent any more.': 'Ein Follower ist kein Agent mehr.',
  'The person who asked was deleted.': 'Die Person, die gefragt hat, wurde gelöscht.',
  'Its folder was deleted in Freshdesk since it was imported.':
    'Sein Ordner wurde nach dem Import in Freshdesk gelöscht.',
  'Everyone can read its article, and would see this private file.':
    'Alle können den Artikel lesen und würden diese private Datei sehen.',
  'People are writing a draft of its article, which a change would delete.':
    'Jemand schreibt gerade einen Entwurf des Artikels, den eine Änderung löschen würde.',
}
