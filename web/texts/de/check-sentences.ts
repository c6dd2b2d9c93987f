/** Translations of the service's sentences about checks and obstacles. `{}` is a placeholder for a value. */
export const checkSentences: Record<string, string> = {
  'Redmine sends mail about every issue and every note that is imported, and its API cannot switch that off.':
    'Redmine verschickt zu jedem importierten Ticket und jeder Notiz eine E-Mail. Über seine API lässt sich das nicht abschalten.',
  'Before the import, untick every action under Administration › Settings › Email notifications, and tick them again afterwards.':
    'Entfernen Sie vor dem Import alle Häkchen unter Administration › Konfiguration › Mailbenachrichtigung, und setzen Sie sie danach wieder.',
  'Redmine computes priority, dates and progress of an issue that has others below it, unless it is told not to.':
    'Redmine berechnet Priorität, Termine und Fortschritt eines Tickets mit untergeordneten Tickets selbst, solange das nicht abgeschaltet ist.',
  'To keep them as they are, set the parent task attributes to "Independent of subtasks" under Administration › Settings › Issue tracking.':
    'Damit sie bleiben, wie sie sind, stellen Sie unter Administration › Konfiguration › Tickets die Eigenschaften übergeordneter Tickets auf „Unabhängig von untergeordneten Tickets“.',
  'Links between tickets of different groups are left out, and listed, unless Redmine allows links between projects.':
    'Verknüpfungen zwischen Tickets verschiedener Gruppen entfallen und werden aufgeführt, solange Redmine keine Verknüpfungen zwischen Projekten erlaubt.',
  'Under Administration › Settings › Issue tracking, tick "Allow cross-project issue relations", and allow cross-project subtasks "With all projects".':
    'Setzen Sie unter Administration › Konfiguration › Tickets das Häkchen bei „Ticket-Beziehungen zwischen Projekten erlauben“, und erlauben Sie projektübergreifende untergeordnete Tickets „Mit allen Projekten“.',
  'Contacts become users of Redmine.': 'Kontakte werden in Redmine zu Benutzern.',
  'They get no mail and no password, but could ask for one and then see public projects.':
    'Sie erhalten weder E-Mail noch Passwort, könnten aber eines anfordern und dann öffentliche Projekte sehen.',
  'If that is not wanted, switch off "Lost password" under Administration › Settings › Authentication, or lock these users after the import.':
    'Wenn das nicht gewünscht ist, schalten Sie unter Administration › Konfiguration › Authentifizierung das Zurücksetzen des Passworts per E-Mail ab, oder sperren Sie diese Benutzer nach dem Import.',
  'Under Administration › Custom fields, make a field for {} with the format Text and the name "{}"; tick "Used as a filter", "For all projects" and every tracker.':
    'Legen Sie unter Administration › Benutzerdefinierte Felder ein Feld für {} an, mit dem Format Text und dem Namen „{}“. Setzen Sie die Häkchen bei „Als Filter benutzen“, „Für alle Projekte“ und jedem Tracker.',
  'Under Administration › Custom fields, make a field for {} with the format Text and the name "{}"; tick "Used as a filter".':
    'Legen Sie unter Administration › Benutzerdefinierte Felder ein Feld für {} an, mit dem Format Text und dem Namen „{}“. Setzen Sie das Häkchen bei „Als Filter benutzen“.',
  'Redmine has no custom field "{}" for {}, by which imported records are found again.':
    'Das benutzerdefinierte Feld „{}“ für {} fehlt in Redmine. Daran werden importierte Datensätze wiedererkannt.',
  'The custom field "{}" for {} is not used as a filter.':
    'Das benutzerdefinierte Feld „{}“ für {} wird nicht als Filter benutzt.',
  'The custom field "{}" is missing for {}.': 'Das benutzerdefinierte Feld „{}“ fehlt für {}.',
  'The custom field "{}" for {} is there.': 'Das benutzerdefinierte Feld „{}“ für {} ist da.',
  'spent time': 'Aufgewendete Zeit',
  'issues of the tracker "{}"': 'Tickets des Trackers „{}“',
  'The custom field "{}" is missing in Redmine or not used as a filter. Please restore it.':
    'Das benutzerdefinierte Feld „{}“ fehlt in Redmine oder wird nicht als Filter benutzt. Bitte richten Sie es wieder so ein.',
  'Redmine has no custom field "{}" for {}. Make one of the format Text, for all projects and trackers, used as a filter.':
    'In Redmine fehlt das benutzerdefinierte Feld „{}“ für {}. Legen Sie es mit dem Format Text an, für alle Projekte und Tracker, als Filter benutzt.',
  'The project {} in Redmine has been archived. Please unarchive it, so that the import can go on.':
    'Das Projekt {} in Redmine wurde archiviert. Bitte dearchivieren Sie es, damit der Import weitergehen kann.',
  'Redmine does not accept this API key, or its REST API is switched off.':
    'Redmine nimmt diesen API-Schlüssel nicht an, oder seine REST-API ist abgeschaltet.',
  'In Request Tracker, choose Admin > Custom Fields > Create. Name: "{}", type: "Enter one value", applies to: "{}". Save it, then choose "Applies to" and tick it for all of them ("globally").':
    'Wählen Sie in Request Tracker Admin > Custom Fields > Create. Name: „{}“, Type: „Enter one value“, Applies to: „{}“. Speichern Sie es, wählen Sie dann „Applies to“ und setzen Sie das Häkchen für alle („globally“).',
  'The custom field "{}" for {} is missing.': 'Das benutzerdefinierte Feld „{}“ für {} fehlt.',
  'Public messages on closed tickets leave two lines about their status in the history while the scrip "On Correspond Open Inactive Tickets" is enabled.':
    'Öffentliche Nachrichten an geschlossenen Tickets hinterlassen im Verlauf zwei Zeilen über deren Status, solange das Scrip „On Correspond Open Inactive Tickets“ eingeschaltet ist.',
  'Disable it during the import to do without them.': 'Schalten Sie es während des Imports ab, um sie zu vermeiden.',
  'There is a custom field for our key on {}.': 'Das benutzerdefinierte Feld für unseren Schlüssel ist da: {}.',
  'The custom field "{}" is needed on {}, so that nothing is written twice and everything can be undone.':
    'Das benutzerdefinierte Feld „{}“ wird gebraucht für: {}. Damit wird nichts doppelt geschrieben, und alles kann rückgängig gemacht werden.',
  'Messages can be written without a mail to anyone.':
    'Nachrichten können geschrieben werden, ohne dass jemand eine E-Mail erhält.',
  'Messages cannot be written without a mail to customers, because the page for them does not take ours.':
    'Nachrichten können nicht ohne E-Mail an Kunden geschrieben werden, weil die Seite dafür unsere nicht annimmt.',
  'Connect Request Tracker by the address that its settings WebDomain and WebPort name, and no other.':
    'Verbinden Sie Request Tracker genau unter der Adresse, die seine Einstellungen WebDomain und WebPort nennen.',
  'Times in custom fields are kept exactly.': 'Zeiten in benutzerdefinierten Feldern bleiben genau erhalten.',
  'Times in custom fields may be shifted, because the user of the token does not have UTC as its time zone.':
    'Zeiten in benutzerdefinierten Feldern können sich verschieben, weil der Benutzer des Zugangsschlüssels nicht die Zeitzone UTC hat.',
  'In Request Tracker, set the time zone of the user of the token to UTC.':
    'Stellen Sie in Request Tracker die Zeitzone dieses Benutzers auf UTC.',
  'The pages of Request Tracker do not accept the token. Make its address reachable without another sign-in in front.':
    'Die Seiten von Request Tracker nehmen den Zugangsschlüssel nicht an. Seine Adresse muss ohne eine vorgeschaltete Anmeldung erreichbar sein.',
  'This user may create, change and delete what is imported.':
    'Dieser Benutzer darf anlegen, ändern und löschen, was importiert wird.',
  'This user may not create, change and delete {}.':
    'Dieser Benutzer darf Folgendes nicht anlegen, ändern und löschen: {}.',
  'Connect Tryton with a user of the groups "Party Administration" and "Sales", or give these groups to this user.':
    'Verbinden Sie Tryton mit einem Benutzer der Gruppen „Party Administration“ und „Sales“, oder geben Sie diesem Benutzer diese Gruppen.',
  'HubSpot does not accept this access token.': 'HubSpot nimmt dieses Zugriffstoken nicht an.',
  'HubSpot sends no mail about imported records.': 'HubSpot sendet keine E-Mails zu importierten Datensätzen.',
  'Companies that HubSpot already has are not looked for: they arrive a second time.':
    'Unternehmen, die HubSpot schon hat, werden nicht gesucht: Sie kommen ein zweites Mal an.',
  'Merge the duplicates in HubSpot after the import, once you are sure that you will not undo it.':
    'Führen Sie die Duplikate nach dem Import in HubSpot zusammen, sobald sicher ist, dass Sie ihn nicht rückgängig machen.',
  'HubSpot can make a company for the address of each contact by itself.':
    'HubSpot kann zur Adresse jedes Kontakts selbst ein Unternehmen anlegen.',
  'An undo does not remove these companies.': 'Beim Rückgängigmachen werden diese Unternehmen nicht entfernt.',
  'Switch off "Create and associate companies with contacts" in the settings of companies.':
    'Schalten Sie in den Einstellungen der Unternehmen „Unternehmen erstellen und mit Kontakten verknüpfen“ ab.',
  'Workflows of this account may: switch off those that start with new records.':
    'Workflows dieses Kontos können das tun: Schalten Sie die ab, die bei neuen Datensätzen starten.',
  'Pipedrive does not accept this API token.': 'Pipedrive nimmt diesen API-Token nicht an.',
  'The sign-in named an address that is not Pipedrive’s.':
    'Die Anmeldung nannte eine Adresse, die nicht zu Pipedrive gehört.',
  'Please sign in again.': 'Bitte melden Sie sich noch einmal an.',
  'Pipedrive sends no mail about imported records.': 'Pipedrive sendet keine E-Mails zu importierten Datensätzen.',
  'Automations of this account may: switch off those that start with new records.':
    'Automatisierungen dieses Kontos können das tun: Schalten Sie die ab, die bei neuen Datensätzen starten.',
  'People and organizations that Pipedrive already has are not looked for: they arrive a second time.':
    'Personen und Organisationen, die Pipedrive schon hat, werden nicht gesucht: Sie kommen ein zweites Mal an.',
  'Merge the duplicates in Pipedrive after the import, once you are sure that you will not undo it.':
    'Führen Sie die Duplikate nach dem Import in Pipedrive zusammen, sobald sicher ist, dass Sie ihn nicht rückgängig machen.',
  'Deals without a stage arrive in the first stage of their pipeline: Pipedrive requires one.':
    'Verkaufschancen ohne Phase kommen in der ersten Phase ihrer Pipeline an: Pipedrive verlangt eine.',
  'Pipedrive does not let us make the custom field "{}".':
    'Pipedrive lässt das benutzerdefinierte Feld „{}“ nicht anlegen.',
  "Please make room for it, or connect an administrator's account.":
    'Schaffen Sie Platz dafür, oder verbinden Sie das Konto eines Administrators.',
  'Pipedrive took the mark of our import out of a text, so nothing more can be written safely.':
    'Pipedrive hat das Kennzeichen des Imports aus einem Text entfernt. Ohne es wird nichts weiter geschrieben.',
  'Tryton can take deals.': 'Tryton kann Verkaufschancen aufnehmen.',
  'Tryton has no opportunities, so deals stay behind.':
    'Tryton hat keine Verkaufschancen, daher werden Ihre nicht kopiert.',
  'Activate the module "sale_opportunity" in Tryton, if you want your deals there.':
    'Aktivieren Sie in Tryton das Modul „sale_opportunity“, wenn Sie Ihre Verkaufschancen dort haben wollen.',
  'Tryton can say who works for whom.': 'Tryton kann festhalten, wer für wen arbeitet.',
  'Tryton cannot say who works for whom, so people come without their organisation.':
    'Tryton kann nicht festhalten, wer für wen arbeitet. Personen kommen daher ohne ihre Organisation an.',
  'Activate the module "party_relationship" in Tryton.': 'Aktivieren Sie in Tryton das Modul „party_relationship“.',
  'This user works for no company, and every deal needs one.':
    'Dieser Benutzer arbeitet für kein Unternehmen, und jede Verkaufschance braucht eines.',
  'Deals go to this user’s company.': 'Verkaufschancen gehen an das Unternehmen dieses Benutzers.',
  'Choose a company in the preferences of this user.':
    'Wählen Sie in den Einstellungen dieses Benutzers ein Unternehmen.',
  'Deals can be given to employees.': 'Verkaufschancen können Mitarbeitern zugewiesen werden.',
  'The company has no employees: open deals become leads, and deals that were won are refused.':
    'Das Unternehmen hat keine Mitarbeiter: Offene Verkaufschancen werden zu Interessenten, und gewonnene werden abgelehnt.',
  'Add the people who own deals as employees of the company, with their e-mail addresses.':
    'Legen Sie die Personen, denen Verkaufschancen gehören, mit ihren E-Mail-Adressen als Mitarbeiter des Unternehmens an.',
  'Countries are there.': 'Die Länder sind da.',
  'Tryton knows no countries yet; those of your addresses will be added.':
    'Tryton kennt noch keine Länder; die Länder Ihrer Adressen werden ergänzt.',
  'Run trytond_import_countries to have all of them with their regions.':
    'Führen Sie trytond_import_countries aus, um alle mit ihren Regionen zu haben.',
  '{} parties are there; a party whose code is taken gets a few letters after its code.':
    '{} Parteien sind da. Eine Partei, deren Code vergeben ist, erhält einige Zeichen dahinter.',
  'This user may not move the numbering of parties on: imported numbers may collide with later ones.':
    'Dieser Benutzer darf die Nummerierung der Parteien nicht weiterstellen: Sie kann später auf kopierte Nummern treffen.',
  'After the import set the next number of the sequence "Party" above the largest imported number.':
    'Stellen Sie nach dem Import die nächste Nummer des Nummernkreises „Party“ über die größte kopierte Nummer.',
  'There is no Tryton with a database "{}" at this address. Please connect the account again.':
    'Unter dieser Adresse ist kein Tryton mit einer Datenbank „{}“. Bitte verbinden Sie das Konto neu.',
  'Tryton does not know this user name and password.': 'Tryton kennt diesen Benutzernamen und dieses Passwort nicht.',
  'Please connect the account again.': 'Bitte verbinden Sie das Konto neu.',
  'Tryton does not let this user do what the import needs. Please connect it with a user who may.':
    'Tryton lässt diesen Benutzer nicht tun, was der Import braucht. Bitte verbinden Sie es mit einem, der es darf.',
  'Tryton does not let this user read {}. Please connect it with a user who may.':
    'Tryton lässt diesen Benutzer {} nicht lesen. Bitte verbinden Sie es mit einem, der es darf.',
  'Tryton asks this user for more than a password. Please connect a user who signs in with a password alone.':
    'Tryton verlangt von diesem Benutzer mehr als ein Passwort. Bitte verbinden Sie einen, der sich nur mit einem Passwort anmeldet.',
  'Tryton refuses records that the import needs in addition: notes, relation types or categories. Please connect it with a user who may create these.':
    'Tryton lehnt ab, was Datensätze außer sich selbst brauchen: Notizen, Beziehungstypen oder Kategorien. Bitte verbinden Sie es mit einem Benutzer, der sie anlegen darf.',
  'Only paying members may comment in this Ghost, so comments of others are refused.':
    'In diesem Ghost dürfen nur zahlende Mitglieder kommentieren. Kommentare von anderen werden abgelehnt.',
  'Comments are switched off in this Ghost, so none can be imported.':
    'In diesem Ghost sind Kommentare abgeschaltet. Es können keine importiert werden.',
  'Members may comment.': 'Mitglieder dürfen kommentieren.',
  'In Ghost, under Settings, Access, let all members comment, at least for the import.':
    'Lassen Sie in Ghost unter Settings, Access alle Mitglieder kommentieren, wenigstens für den Import.',
  'Comments are switched off in this Ghost. Please switch them on in its settings (Membership, Access).':
    'In diesem Ghost sind Kommentare abgeschaltet. Bitte schalten Sie sie in seinen Einstellungen ein (Membership, Access).',
  'Ghost no longer lets us do this (answered {}). Please connect it again with the key of an integration.':
    'Ghost lässt uns das nicht mehr tun (Antwort {}). Bitte verbinden Sie es neu, mit dem Schlüssel einer Integration.',
  'Ghost does not know this key. Please use the Admin API key of a custom integration.':
    'Ghost kennt diesen Schlüssel nicht. Bitte nehmen Sie den Admin-API-Schlüssel einer eigenen Integration.',
  'The user may write everything.': 'Der Benutzer darf alles schreiben.',
  'The user lacks: {}.': 'Dem Benutzer fehlt: {}.',
  'Connect WordPress with an application password of an administrator.':
    'Verbinden Sie WordPress mit dem Anwendungspasswort eines Administrators.',
  'Texts are kept as they are sent.': 'Texte bleiben, wie sie gesendet werden.',
  'WordPress takes markup out of the texts of this user (a site of a network does so for all but its super administrators).':
    'WordPress entfernt Formatierungen aus den Texten dieses Benutzers (eine Website eines Netzwerks tut das bei allen außer ihren Super-Administratoren).',
  'Use a super administrator, or look at the formatting of a sample first.':
    'Nehmen Sie einen Super-Administrator, oder sehen Sie sich zuerst die Formatierung einer Probe an.',
  'WordPress no longer lets us do this (answered {}).': 'WordPress lässt uns das nicht mehr tun (Antwort {}).',
  "Please connect it again with an administrator's application password.":
    'Bitte verbinden Sie es neu, mit dem Anwendungspasswort eines Administrators.',
  'WordPress does not know this user name and application password.':
    'WordPress kennt diesen Benutzernamen und dieses Anwendungspasswort nicht.',
  'This WordPress takes no comments at all. Please allow comments in its settings or plugins, at least for the time of the import.':
    'Dieses WordPress nimmt gar keine Kommentare an. Bitte erlauben Sie Kommentare in seinen Einstellungen oder Plugins, wenigstens während des Imports.',
  'Please connect it again.': 'Bitte verbinden Sie es neu.',
  'The token lacks the scopes {}.': 'Dem Token fehlen die Berechtigungen (Scopes) {}.',
  'Please add them to the app in HubSpot, and connect it again.':
    'Bitte fügen Sie sie der App in HubSpot hinzu, und verbinden Sie das Konto erneut.',
  '{} no longer lets us in ({}).': '{} lässt uns nicht mehr hinein ({}).',
  'The account no longer lets us in ({}).': 'Das Konto lässt uns nicht mehr hinein ({}).',
  '{} keeps answering with an error ({}). Its administrator must repair it.':
    '{} antwortet immer wieder mit einem Fehler ({}). Wer es betreibt, muss das beheben.',
  'A tool keeps answering with {}. Its administrator must repair it, or the address is wrong.':
    'Ein Programm antwortet immer wieder mit etwas Unlesbarem ({}). Wer es betreibt, muss das beheben, oder die Adresse ist falsch.',
  'more than we read at once': 'mehr, als wir auf einmal lesen',
  'more than we can read': 'mehr, als wir lesen können',
  'something that is no JSON': 'etwas anderes als JSON',
  'More than {} records of the tool have the same time ({}). Its search does not show the rest.':
    'Mehr als {} Datensätze des Programms haben dieselbe Zeit ({}). Seine Suche zeigt die übrigen nicht.',
  'A file of the tool cannot be downloaded: {}.': 'Eine Datei des Programms lässt sich nicht herunterladen: {}.',
  'its address leads on more than {} times': 'Ihre Adresse leitet öfter als {}-mal weiter',
  'its address leads nowhere': 'Ihre Adresse führt nirgendwohin',
  'its address leads to one with a password': 'Ihre Adresse führt zu einer mit Passwort',
  'its address leads to one without encryption': 'Ihre Adresse führt zu einer ohne Verschlüsselung',
  'The address of the account leads into a network that this service must not reach. Please connect it with a public address.':
    'Die Adresse des Kontos führt in ein Netz, das dieser Dienst nicht erreichen darf. Bitte verbinden Sie es mit einer öffentlichen Adresse.',
  'The tool answered {} {} and sends us on. We do not follow, so that data goes only where you said. If the tool has moved, please connect it again with its new address.':
    'Das Programm antwortete {} {} und schickt uns weiter. Dorthin gehen wir nicht, damit Daten nur dahin gelangen, wohin Sie wollten. Wenn das Programm umgezogen ist, verbinden Sie es bitte mit seiner neuen Adresse.',
  'The destination says that our request breaks the protocol: {}':
    'Das Ziel sagt, dass unsere Anfrage gegen das Protokoll verstößt: {}',
  'There is no longer a destination at its address (404). Please check the address and connect it again.':
    'Unter seiner Adresse ist das Ziel nicht mehr (404). Bitte prüfen Sie die Adresse und verbinden Sie es neu.',
  'The destination does not keep to the protocol: {}. Please tell the partner who runs it; "wherry conformance" shows what to put right.':
    'Das Ziel hält sich nicht an das Protokoll: {}. Bitte sagen Sie es dem Partner, der es betreibt; „wherry conformance“ zeigt, was zu beheben ist.',
  'Nothing was written: {}. Either our database was restored from an older copy, or the destination counts wrongly; "wherry conformance" tells which.':
    'Es wurde nichts geschrieben: {}. Entweder wurde unsere Datenbank aus einer älteren Kopie wiederhergestellt, oder das Ziel zählt falsch; „wherry conformance“ sagt, was davon.',
  'The connector for {} does not keep its contract: {}.': 'Der Konnektor für {} hält seinen Vertrag nicht ein: {}.',
  '{} of {} records were copied, and {} may be: those that are paid for or sponsored and a quarter more, but at least the free records of a sample. Pay for the others, ask the partner to pay, or finish without them.':
    '{} von {} Datensätzen wurden kopiert, und {} dürfen es sein: die bezahlten oder übernommenen und ein Viertel mehr, aber nie weniger, als Proben frei sind. Bezahlen Sie die übrigen, lassen Sie sie übernehmen, oder schließen Sie ohne sie ab.',
  '{} records were copied, and {} may be: those that are paid for or sponsored and a quarter more, but at least the free records of a sample. Pay for the others, ask the partner to pay, or finish without them.':
    '{} Datensätze wurden kopiert, und {} dürfen es sein: die bezahlten oder übernommenen und ein Viertel mehr, aber nie weniger, als Proben frei sind. Bezahlen Sie die übrigen, lassen Sie sie übernehmen, oder schließen Sie ohne sie ab.',
  'One record was imported to see whether the destination sends mail about it: {}. If anybody got one, switch mail off there, as the plan says. Then continue.':
    'Ein Datensatz wurde importiert, um zu sehen, ob das Ziel darüber E-Mails verschickt: {}. Wenn jemand eine erhalten hat, schalten Sie dort E-Mails ab, wie im Plan beschrieben. Machen Sie dann weiter.',
  'Please connect the source account.': 'Bitte verbinden Sie das Konto der Quelle.',
  'Please connect the destination account.': 'Bitte verbinden Sie das Konto des Ziels.',
  'There is no connector from {} to {}.': 'Es gibt keine Verbindung von {} nach {}.',
  '{} fails to return the first {} ({}).': '{} gibt die ersten Datensätze nicht heraus: {} ({}).',
  '{} fails to return the next {} ({}).': '{} gibt die nächsten Datensätze nicht heraus: {} ({}).',
  '{} fails to return {} ({}).': '{} gibt Folgendes nicht heraus: {} ({}).',
  'its answer could not be understood': 'Die Antwort war nicht zu verstehen',
  'it answered {}': 'Antwort: {}',
  'it could not be reached': 'nicht erreichbar',
  'So far we have read {} of {} {}.': 'Bisher haben wir {} von {} gesehen: {}.',
  'So far we have read {} {}.': 'Bisher haben wir {} gesehen: {}.',
  'We keep trying.': 'Wir versuchen es weiter.',
  '{} returns the same pages of {} again and again: its list does not end.':
    '{} liefert immer wieder dieselben Seiten, ohne Ende: {}.',
  'Nothing is lost.': 'Nichts ist verloren.',
  'The run goes on from here when you try again.': 'Der Lauf geht hier weiter, wenn Sie es noch einmal versuchen.',
  'You can skip this page: its records are left out, and everything else goes on.':
    'Sie können diese Seite überspringen: Ihre Datensätze entfallen, und alles andere geht weiter.',
  'A tool has not answered for a long time. We keep trying; nothing is lost.':
    'Ein Programm hat lange nicht geantwortet. Wir versuchen es weiter; es ist nichts verloren.',
  'Something on our side keeps failing. We have been notified; nothing is lost.':
    'Bei uns ist immer wieder etwas fehlgeschlagen. Wir wissen davon; es ist nichts verloren.',
  '{} has turned our requests away for about an hour: a limit or a firewall stops us.':
    '{} weist unsere Anfragen seit etwa einer Stunde ab: Ein Limit oder eine Firewall hält uns auf.',
  '{} has turned our requests away for a day: a limit or a firewall stops us.':
    '{} weist unsere Anfragen seit einem Tag ab: Ein Limit oder eine Firewall hält uns auf.',
  'We keep trying; nothing is lost.': 'Wir versuchen es weiter; es ist nichts verloren.',
  'Ask the people who run the tool to let this service in.':
    'Bitten Sie die Betreiber des Programms, diesen Dienst zuzulassen.',
  'Then try again.': 'Versuchen Sie es dann noch einmal.',
  'Its last answer: {}.': 'Letzte Antwort: {}.',
  '{} asked us to wait until {} UTC (Retry-After). We ask again after an hour at the latest; nothing is lost.':
    '{} hat uns gebeten, bis {} UTC zu warten (Retry-After). Spätestens nach einer Stunde fragen wir wieder; es ist nichts verloren.',
  '{} allows fewer requests at a time than one step of this run needs. The run tries again at {} UTC, and gets further only with a higher limit. Nothing is lost.':
    '{} erlaubt weniger Anfragen auf einmal, als ein Schritt dieses Laufs braucht. Der Lauf versucht es um {} UTC wieder; weiter kommt er nur mit einem höheren Limit. Es geht nichts verloren.',
  '{} allows a limited number of requests, and they are used up until {} UTC. The run then goes on by itself; nothing is lost.':
    '{} erlaubt eine begrenzte Zahl von Anfragen, und sie sind bis {} UTC verbraucht. Danach geht es von selbst weiter; es ist nichts verloren.',
  'A tool': 'Ein Programm',
  'The destination': 'Das Ziel',
  'Support has paused the import.': 'Der Support hat den Import angehalten.',
  'You have paused the import.': 'Sie haben den Import angehalten.',
  'The message was outdated before it could be sent.':
    'Die Nachricht konnte nicht gesendet werden, solange sie neu war.',
  'the mail server took too long': 'Der Mailserver hat zu lange gebraucht.',
  'the mail server could not be reached': 'Der Mailserver war nicht zu erreichen.',
  'Intercom does not accept this access token. Check the region of the workspace, too.':
    'Intercom nimmt dieses Zugriffstoken nicht an. Prüfen Sie auch die Region des Workspace.',
  'The plan of this Intercom workspace has no tickets.': 'Der Tarif dieses Intercom-Workspace enthält keine Tickets.',
  'The workspace has tickets.': 'Der Workspace hat Tickets.',
  'Choose a plan with tickets, or copy contacts, companies and articles only.':
    'Wählen Sie einen Tarif mit Tickets, oder kopieren Sie nur Kontakte, Firmen und Artikel.',
  'Files arrive in Intercom as notes. Teammates see them, customers do not.':
    'Dateien kommen in Intercom als Notizen an. Das Team sieht sie, Kunden nicht.',
  'Intercom keeps descriptions of tickets and public replies as plain text. Formatting in them is lost; notes and articles keep it.':
    'Intercom speichert Beschreibungen von Tickets und öffentliche Antworten als reinen Text. Ihre Formatierung geht verloren; Notizen und Artikel behalten sie.',
  'Zendesk does not know this e-mail address and API token.':
    'Zendesk kennt diese E-Mail-Adresse und diesen API-Token nicht.',
  'This user is no administrator. Zendesk lets only administrators export and import tickets.':
    'Dieser Benutzer ist kein Administrator. Zendesk lässt nur Administratoren Tickets exportieren und importieren.',
  'Only administrators of Zendesk may import tickets.': 'Nur Administratoren von Zendesk dürfen Tickets importieren.',
  'Connect Zendesk as an administrator.': 'Verbinden Sie Zendesk als Administrator.',
  'Zendesk adds nothing to closed tickets. Comments and files that come in a later run are refused.':
    'Zendesk fügt geschlossenen Tickets nichts hinzu. Kommentare und Dateien, die bei einem späteren Lauf kommen, werden abgelehnt.',
  'Zendesk sends the requester a mail about each public comment that a later run adds to a copied ticket. New tickets and the comments in them cause no mail.':
    'Zendesk schickt dem Anfragenden eine E-Mail über jeden öffentlichen Kommentar, den ein späterer Lauf zu einem kopierten Ticket hinzufügt. Neue Tickets und die Kommentare darin lösen keine E-Mail aus.',
  'Before you copy later changes, turn off the trigger "Notify requester and CCs of comment update" and followers. Turn them on again afterwards.':
    'Schalten Sie den Trigger „Notify requester and CCs of comment update“ und Follower ab, bevor Sie spätere Änderungen kopieren. Schalten Sie sie danach wieder ein.',
  'Files that cannot be sent together with their ticket arrive as internal notes. Zendesk sends a mail about each of them to the agent and the followers of the ticket.':
    'Dateien, die nicht zusammen mit ihrem Ticket gesendet werden können, kommen als interne Notizen an. Zendesk schickt über jede davon eine E-Mail an den Agenten und die Follower des Tickets.',
  'To avoid these mails, turn off followers and the trigger "Notify assignee of comment update" until the import is done.':
    'Um diese E-Mails zu vermeiden, schalten Sie Follower und den Trigger „Notify assignee of comment update“ ab, bis der Import fertig ist.',
  'To get those as well, map the status closed to solved. Zendesk closes solved tickets by itself.':
    'Um auch diese zu bekommen, ordnen Sie dem Status „closed“ den Status „solved“ zu. Zendesk schließt gelöste Tickets von selbst.',
  'Please connect it again as an administrator.': 'Bitte verbinden Sie es noch einmal als Administrator.',
  'Help Scout does not accept this App ID with this App Secret, or this Docs API key.':
    'Help Scout nimmt diese App ID mit diesem App Secret oder diesen Docs-API-Schlüssel nicht an.',
  'Tickets go to the inbox "{}", unless the mapping names another one.':
    'Tickets kommen in das Postfach „{}“, wenn die Zuordnung kein anderes nennt.',
  'The user sees no inbox of Help Scout, so there is no place for tickets.':
    'Der Benutzer sieht kein Postfach von Help Scout, also gibt es keinen Platz für Tickets.',
  'Give the user access to an inbox in Help Scout, and check again.':
    'Geben Sie dem Benutzer in Help Scout Zugriff auf ein Postfach und prüfen Sie noch einmal.',
  'Please connect it again with the App ID and the App Secret of a user who may use the API.':
    'Bitte verbinden Sie es neu, mit App ID und App Secret eines Benutzers, der die API benutzen darf.',
  'Freshdesk does not know this API key.': 'Freshdesk kennt diesen API-Schlüssel nicht.',
  'This agent sees only some of the tickets. Connect Freshdesk with the API key of an administrator.':
    'Dieser Agent sieht nur einen Teil der Tickets. Verbinden Sie Freshdesk mit dem API-Schlüssel eines Administrators.',
  'This agent is no administrator. Freshdesk shows groups and fields only to administrators.':
    'Dieser Agent ist kein Administrator. Freshdesk zeigt Gruppen und Felder nur Administratoren.',
  'Please connect it again with the API key of an administrator.':
    'Bitte verbinden Sie es neu, mit dem API-Schlüssel eines Administrators.',
  'Freshdesk sends its usual e-mail notifications about new tickets and public notes. No request can prevent that.':
    'Freshdesk verschickt seine üblichen E-Mail-Benachrichtigungen über neue Tickets und öffentliche Notizen. Keine Anfrage kann das verhindern.',
  'In Freshdesk, switch off the e-mail notifications and automations for the time of the import.':
    'Schalten Sie in Freshdesk die E-Mail-Benachrichtigungen und Automatisierungen für die Dauer des Imports ab.',
  'Freshdesk keeps no times of creation. A line above each text says when it was written, and by whom.':
    'Freshdesk bewahrt keine Erstellungszeiten auf. Eine Zeile über jedem Text sagt, wann und von wem er geschrieben wurde.',
  'All comments arrive as notes, because Freshdesk would mail replies to your customers.':
    'Alle Kommentare kommen als Notizen an, weil Freshdesk Antworten an Ihre Kunden mailen würde.',
  'Freshdesk takes 20 MB of files for one ticket. It refuses the files beyond that.':
    'Freshdesk nimmt je Ticket 20 MB an Dateien an. Was darüber hinausgeht, lehnt es ab.',
  'Freshdesk requires fields of every ticket, and refuses tickets without them: {}.':
    'Freshdesk verlangt bei jedem Ticket Felder und lehnt Tickets ohne sie ab: {}.',
  'In Freshdesk, make these fields optional for the time of the import, or map a field of the source to each.':
    'Machen Sie diese Felder in Freshdesk für die Dauer des Imports freiwillig, oder ordnen Sie jedem ein Feld der Quelle zu.',
  'Freshdesk gives articles the time of their arrival. Views and votes of articles are not copied.':
    'Freshdesk gibt Artikeln die Zeit ihrer Ankunft. Aufrufe und Bewertungen von Artikeln werden nicht kopiert.',
  'All articles arrive in the main language of the account, whatever their language is. Translations are not copied.':
    'Alle Artikel kommen in der Hauptsprache des Kontos an, gleich welche Sprache sie haben. Übersetzungen werden nicht kopiert.',
  'In Freshdesk the folder decides who may read an article. Articles for agents go to a folder of their own, beside the public one.':
    'In Freshdesk entscheidet der Ordner, wer einen Artikel lesen darf. Artikel für Agenten kommen in einen eigenen Ordner neben dem öffentlichen.',
  'This Freshdesk has no knowledge base, or the agent may not see it. Categories and articles are not copied.':
    'Dieses Freshdesk hat keine Wissensdatenbank, oder der Agent darf sie nicht sehen. Kategorien und Artikel werden nicht kopiert.',
  'To copy them, switch the knowledge base on in Freshdesk, and check again.':
    'Um sie zu kopieren, schalten Sie die Wissensdatenbank in Freshdesk ein und prüfen Sie erneut.',
  'Collections and articles go to the Docs site "{}".': 'Sammlungen und Artikel kommen auf die Docs-Seite „{}“.',
  'Help Scout gives articles the time of their arrival, and the user of the key as their author. Views and ratings are not copied.':
    'Help Scout gibt Artikeln die Zeit ihrer Ankunft und den Benutzer des Schlüssels als Autor. Aufrufe und Bewertungen werden nicht kopiert.',
  'Names of articles are unique in a collection. The second article of one name gets a number behind it.':
    'Namen von Artikeln sind in einer Sammlung eindeutig. Der zweite Artikel eines Namens bekommt eine Nummer dahinter.',
  'Everyone can see the names of new collections and categories. Articles for agents go to private categories.':
    'Die Namen neuer Sammlungen und Kategorien sieht jeder. Artikel für Agenten kommen in private Kategorien.',
  'Help Scout has collections and categories, and nothing below. Categories further inside become categories of the collection.':
    'Help Scout hat Sammlungen und Kategorien, und nichts darunter. Kategorien weiter innen werden Kategorien der Sammlung.',
  'Help Scout lists no files under an article. A line at the end of the text links to each of them.':
    'Help Scout listet unter einem Artikel keine Dateien auf. Eine Zeile am Ende des Textes verlinkt jede von ihnen.',
  'This Help Scout has no Docs site, or the user of the key may not see it. Categories and articles are not copied.':
    'Dieses Help Scout hat keine Docs-Seite, oder der Benutzer des Schlüssels darf sie nicht sehen. Kategorien und Artikel werden nicht kopiert.',
  'Without a Docs API key, categories and articles are not copied.':
    'Ohne einen Docs-API-Schlüssel werden Kategorien und Artikel nicht kopiert.',
  'To copy them, make a Docs site in Help Scout, and check again.':
    'Um sie zu kopieren, legen Sie in Help Scout eine Docs-Seite an und prüfen Sie erneut.',
  'To copy them, connect Help Scout again with a Docs API key.':
    'Um sie zu kopieren, verbinden Sie Help Scout erneut mit einem Docs-API-Schlüssel.',
}
