import type { problems as en } from '../en/problems.ts'

export const problems: typeof en = {
  byCode: {
    author_missing: {
      what: 'Die Verfasser dieser Datensätze haben in {source} kein Konto mehr. Die Kopien stehen nicht unter ihrem Namen.',
      fix: 'Wählen Sie in {destination} jemanden aus, wenn es wichtig ist.',
    },
    comments_left_out: {
      what: 'Leser haben diese Artikel in {source} kommentiert. Die Kommentare wurden nicht kopiert.',
      fix: 'Sie bleiben in {source}. Behalten Sie den Zugang, solange Sie sie brauchen.',
    },
    deleted: {
      what: 'Jemand hat diese Datensätze in {destination} gelöscht, nachdem sie kopiert waren.',
      fix: 'Sie bleiben gelöscht. Unten können Sie sie zurückholen.',
    },
    deletion_not_checked: {
      what: '{source} konnte nicht sagen, ob es diese Datensätze noch hat.',
      fix: 'Kopieren Sie die Änderungen später noch einmal: Dann wird {source} wieder gefragt.',
    },
    differs: {
      what: 'Diese Datensätze sind in {destination} nicht so, wie sie gesendet wurden.',
      fix: 'Vergleichen Sie sie einzeln: {destination} hat nach eigenen Regeln etwas geändert.',
    },
    doubled: {
      what: 'Diese Datensätze sind mehr als einmal in {destination}.',
      fix: '{destination} ließ uns den zweiten nicht entfernen. Bitte entfernen Sie ihn dort von Hand; die Liste nennt jeden.',
    },
    draft_left_out: {
      what: 'Diese Artikel haben in {source} einen Entwurf mit Änderungen, die noch nicht veröffentlicht sind. Der Entwurf wurde nicht kopiert.',
      fix: 'Veröffentlichen Sie den Entwurf in {source} und starten Sie einen weiteren Durchlauf, oder kopieren Sie seinen Text von Hand.',
    },
    duplicate_id: {
      what: 'Mehrere Zeilen haben dieselbe Kennung. Jede wurde ein eigener Datensatz.',
      fix: 'Entfernen Sie in {destination}, was Sie nicht brauchen.',
    },
    edited: {
      what: 'Jemand hat diese Datensätze in {destination} geändert, nachdem sie kopiert waren.',
      fix: 'Sie bleiben so, wie sie dort sind.',
    },
    email_only: {
      what: 'Diese Beiträge wurden nur per E-Mail verschickt und standen nie auf Ihrer Website.',
      fix: 'Prüfen Sie, ob {destination} sie zeigt.',
    },
    entity_not_taken: {
      what: '{destination} nimmt Datensätze dieser Art nicht an.',
      fix: 'Sie bleiben in {source}.',
    },
    fewer_than_counted: {
      what: '{source} hat mehr Datensätze gezählt, als es herausgegeben hat.',
      fix: 'Meist sind einige für niemanden sichtbar oder wurden inzwischen gelöscht. Fehlen welche, verwenden Sie den Schlüssel eines Administrators.',
    },
    field_unreadable: {
      what: 'Ein Feld dieser Datensätze enthält etwas Unerwartetes. Es wurde weggelassen.',
      fix: 'Sehen Sie sich diese Datensätze in {source} an.',
    },
    file_lost: {
      what: '{source} hat den Inhalt dieser Dateien verloren. Nur ihre Namen sind noch da.',
      fix: 'Es ist nichts mehr da, was kopiert werden könnte. Suchen Sie die Dateien in einer Sicherung.',
    },
    file_missing: {
      what: 'Diese Dateien gibt es in {source} nicht mehr.',
      fix: 'Es ist nichts mehr da, was kopiert werden könnte.',
    },
    file_size_differs: {
      what: 'Diese Dateien haben eine andere Länge, als {source} angibt.',
      fix: 'Bitte vergleichen Sie sie.',
    },
    not_protected: {
      what: 'In {destination} könnten mehr Menschen diese privaten Datensätze sehen als in {source}. Sie wurden nicht kopiert.',
      fix: 'Wenn Sie sie trotzdem wollen, erlauben Sie es im Plan. Versuchen Sie sie dann noch einmal.',
    },
    shown_to_more: {
      what: 'In {destination} können mehr Menschen diese Datensätze sehen als in {source}.',
      fix: 'Sie haben es im Plan erlaubt. Entfernen Sie sie in {destination}, wenn das ein Versehen war.',
    },
    audience_narrowed: {
      what: 'Es ist nicht sicher, wer diese Datensätze sehen darf, oder {destination} hat keine solche Auswahl. Sie sind dort für weniger Menschen sichtbar.',
      fix: 'Geben Sie sie in {destination} frei, oder wählen Sie in der Zuordnung, was aus jedem Wert wird.',
    },
    parent_missing: {
      what: 'Diese Datensätze gehören zu etwas, das nicht kopiert wird, etwa ein Kommentar zu einer Datei. Sie wurden nicht kopiert.',
      fix: 'Sie bleiben in {source}. Heben Sie eine Kopie auf, wenn Sie {source} aufgeben.',
    },
    file_too_large: {
      what: 'Diese Dateien sind größer, als {destination} annimmt. Sie wurden nicht kopiert.',
      fix: 'Sie bleiben in {source}. Heben Sie eine Kopie auf, wenn Sie {source} aufgeben.',
    },
    files_left_out: {
      what: 'Felder dieser Datensätze enthalten Dateien. Dieser Import hat keinen Platz für Dateien solcher Datensätze. Sie wurden nicht kopiert.',
      fix: 'Sie bleiben in {source}. Heben Sie eine Kopie auf, wenn Sie {source} aufgeben.',
    },
    follower_left_out: {
      what: 'Personen, die diese Datensätze beobachten, sind in {source} keine Bearbeiter. Sie wurden weggelassen.',
      fix: 'Fügen Sie sie in {destination} hinzu, wenn sie beobachten sollen.',
    },
    followers_left_out: {
      what: 'In {source} folgen Personen diesen Datensätzen. Den Kopien folgt niemand.',
      fix: 'In {source} geht nichts verloren. Bitten Sie diese Personen, den Kopien in {destination} zu folgen, die ihnen wichtig sind.',
    },
    group_watcher_left_out: {
      what: 'Eine Gruppe beobachtet diese Datensätze. Nur einzelne Personen wurden als Beobachter kopiert.',
      fix: 'Fügen Sie die Personen der Gruppe in {destination} hinzu, wenn sie beobachten sollen.',
    },
    back_in_source: {
      what: 'Diese Datensätze wurden entfernt, weil {source} sie nicht mehr hatte. Jetzt hat {source} sie wieder.',
      fix: 'Versuchen Sie es noch einmal, dann werden sie wieder kopiert.',
    },
    beyond_sample: {
      what: 'Diese Datensätze fehlen in der Probe: Proben sind nur für eine begrenzte Zahl kostenlos.',
      fix: 'Die vollständige Übertragung kopiert sie.',
    },
    list_withheld: {
      what: '{source} öffnet uns eine Liste dieser Datensätze nicht, zum Beispiel weil der Tarif sie nicht enthält. Hat die Liste Datensätze, wurden sie nicht kopiert.',
      fix: 'Wählen Sie einen Tarif von {source}, der diese Datensätze enthält, oder einen Schlüssel, der sie lesen darf. Kopieren Sie dann die Änderungen.',
    },
    merged: {
      what: 'Jeder dieser Datensätze wurde mit einem anderen kopierten zusammengeführt, etwa mit einem gleichen Namens oder gleicher Adresse. {destination} führt beide als einen.',
      fix: 'Die Liste nennt den anderen Datensatz. Sollen sie getrennt bleiben, benennen Sie einen in {source} um und wiederholen Sie den Vorgang, sofern {destination} mehrere annimmt.',
    },
    not_paid: {
      what: 'Diese Datensätze wurden nicht kopiert, weil sie niemand bezahlt hat.',
      fix: 'Bezahlen Sie sie, oder bitten Sie den Partner darum. Versuchen Sie sie dann noch einmal.',
    },
    gone_from_source: {
      what: 'Diese Datensätze sind nicht mehr in {source}.',
      fix: 'In {destination} sind sie noch. Entfernen oder behalten Sie sie weiter unten.',
    },
    held: {
      what: 'Diese Datensätze gehören zu einem, der nicht angekommen ist. Sie warten auf ihn.',
      fix: 'Sie werden von selbst kopiert, sobald er ankommt.',
    },
    image_missing: {
      what: 'Das Beitragsbild dieser Datensätze wurde in {source} gelöscht.',
      fix: 'Wählen Sie in {destination} ein anderes, wenn Sie möchten.',
    },
    kept: {
      what: 'Diese Datensätze wurden nicht entfernt.',
      fix: 'Der Bericht sagt bei jedem, warum. Entfernen Sie sie von Hand, wenn sie weg sollen.',
    },
    link_labels_left_out: {
      what: '{source} hat an Verknüpfungen dieser Datensätze Bezeichnungen. Die Verknüpfungen wurden ohne die Bezeichnungen kopiert.',
      fix: 'In {source} geht nichts verloren. Tragen Sie die Bezeichnungen in {destination} von Hand nach, wenn sie wichtig sind.',
    },
    link_left_out: {
      what: 'Diese Datensätze verweisen auf einen, der gelöscht ist oder den niemand sehen kann. Der Verweis fehlt.',
      fix: 'Sie müssen nichts tun.',
    },
    link_not_rewritten: {
      what: 'Links in diesen Texten führen noch zu {source}.',
      fix: 'Der verlinkte Datensatz kam erst später oder gar nicht, und {destination} kann einen Text nicht ändern. Ändern Sie die Links dort von Hand, wenn sie wichtig sind.',
    },
    link_stray: {
      what: 'Links in diesen Texten nennen keine Website, und niemand kann sagen, zu welcher sie gehörten.',
      fix: 'Die Links bleiben, wie sie waren. Öffnen Sie einen Datensatz, um sie zu sehen, und schreiben Sie in {destination} die ganze Adresse.',
    },
    link_to_source: {
      what: 'Links in diesen Texten führen weiterhin zu {source}, weil die verlinkten Seiten nicht kopiert wurden.',
      fix: 'Öffnen Sie einen Datensatz, um die Adressen zu sehen, oder schlagen Sie sie im Bericht nach. Ändern Sie sie in {destination}, bevor Sie {source} aufgeben.',
    },
    messages_left_out: {
      what: '{source} bewahrt E-Mails oder Chats zu diesen Datensätzen in einem Postfach auf. Diese Nachrichten wurden nicht kopiert.',
      fix: 'Sie bleiben in {source}. Behalten Sie den Zugang, solange Sie sie brauchen.',
    },
    only_first_kept: {
      what: '{destination} nimmt einen Wert, wo {source} mehrere hat. Der erste wurde behalten.',
      fix: 'Vergleichen Sie diese Datensätze mit ihren Originalen.',
    },
    option_not_offered: {
      what: 'Diese Datensätze haben einen Auswahlwert, den {destination} nicht anbietet. Er blieb leer.',
      fix: 'Wählen Sie in der Zuordnung, was aus jedem wird.',
    },
    parent_not_moved: {
      what: 'Diese Kommentare antworten auf etwas, das nicht kopiert wird: Es wurde gelöscht, ist Spam oder von anderer Art.',
      fix: 'Vergleichen Sie einige davon mit {source}.',
    },
    plan_not_moved: {
      what: 'Diese Mitglieder bezahlen für ein Abo. Ihre Zahlungen wurden nicht kopiert.',
      fix: 'Bieten Sie ihnen in {destination} ein Abo an, und beenden Sie das in {source}.',
    },
    refused: {
      what: '{destination} hat diese Datensätze abgelehnt.',
      fix: 'Die Liste nennt bei jedem den Grund. Beheben Sie ihn und versuchen Sie es dann noch einmal.',
    },
    relation_delay_lost: {
      what: 'Diese Vorgänge folgen einige Tage auf einen anderen. Die Zahl der Tage wurde nicht kopiert.',
      fix: 'Prüfen Sie die Daten dieser Vorgänge in {destination}.',
    },
    relation_lost: {
      what: 'Eine Verknüpfung mit einem anderen Datensatz fehlt, weil dieser nicht kopiert wurde.',
      fix: 'Kopieren Sie auch diese Datensätze, wenn Sie die Verknüpfungen brauchen.',
    },
    relations_left_out: {
      what: '{count} Verknüpfung mit einem weiteren Datensatz fehlt: Die Kopie hat keinen Platz dafür.|{count} Verknüpfungen mit weiteren Datensätzen fehlen: Die Kopien haben keinen Platz dafür.',
      fix: 'Öffnen Sie einen Datensatz in {source}, um alle seine Verknüpfungen zu sehen.',
    },
    required_empty: {
      what: 'Diesen Datensätzen fehlt ein Feld, das sie haben sollten.',
      fix: 'Füllen Sie es in {source} aus, oder geben Sie in der Zuordnung einen Wert für alle an.',
    },
    row_skipped: {
      what: 'Diese Zeilen Ihrer Dateien sind nicht lesbar. Sie wurden weggelassen.',
      fix: 'Beim Hochladen wurden ihre Nummern genannt. Berichtigen Sie sie und laden Sie die Dateien noch einmal hoch.',
    },
    source_page_skipped: {
      what: '{source} hat diese Datensätze nicht herausgegeben; sie wurden übersprungen.',
      fix: 'Bitten Sie den Betreiber von {source}, sie zu reparieren, und übertragen Sie dann die Änderungen seither: Übersprungenes wird noch einmal gelesen. Zählt {source} seine Datensätze nicht, ist die Zahl die der übersprungenen Seiten.',
    },
    source_rest_skipped: {
      what: '{source} hat eine Seite nicht herausgegeben. Weder sie noch alles danach wurde gelesen.',
      fix: 'Bitten Sie den Betreiber von {source}, sie zu reparieren, und übertragen Sie dann die Änderungen seither: Alles Fehlende wird noch einmal gelesen.',
    },
    steps_not_applied: {
      what: 'Diese Werte sind zu lang für die Änderungen, die Sie eingestellt haben. Sie wurden kopiert, wie sie sind.',
      fix: 'Ändern Sie sie in {destination} von Hand.',
    },
    text_cut: {
      what: 'Diese Texte sind länger, als {destination} annimmt. Sie wurden gekürzt.',
      fix: 'Heben Sie die Originale auf, oder kürzen Sie sie in {source} und wiederholen Sie es.',
    },
    tiers_not_moved: {
      what: 'Nur einige Stufen von Mitgliedern können diese Datensätze in {source} lesen. Die Stufen wurden nicht kopiert.',
      fix: 'Prüfen Sie in {destination}, wer sie lesen kann.',
    },
    truncated_by_source: {
      what: '{count} Teil dieser Datensätze, etwa ein älterer Kommentar, wird von {source} nicht herausgegeben.|{count} Teile dieser Datensätze, etwa ältere Kommentare, werden von {source} nicht herausgegeben.',
      fix: 'Sie bleiben in {source}. Öffnen Sie die Datensätze dort, um sie zu lesen.',
    },
    unknown: {
      what: 'Bei diesen Datensätzen lässt sich nicht feststellen, ob sie angekommen sind.',
      fix: 'Sie wurden nicht noch einmal gesendet. Bitte sehen Sie in {destination} nach; die Liste nennt sie.',
    },
    unnamed_in_source: {
      what: '{source} hat diese Datensätze ohne Kennung geschickt. Sie wurden nicht kopiert.',
      fix: 'Bitten Sie den Betreiber von {source}, sie zu reparieren.',
    },
    user_kept_as_name: {
      what: 'Diese Datensätze nennen Personen, die noch kein Konto in {destination} haben. Ihre Namen stehen in den Datensätzen.',
      fix: 'Laden Sie diese Personen in {destination} ein. Wählen Sie dann unter Personen „Auf kopierte Datensätze anwenden“.',
    },
    user_not_matched: {
      what: 'Diese Datensätze nennen Personen, die in {destination} kein Konto haben. Sie werden dort nicht genannt.',
      fix: 'Wählen Sie unter Personen jemanden für sie. Wählen Sie dort dann „Auf kopierte Datensätze anwenden“.',
    },
    user_replaced: {
      what: 'Diese Datensätze nennen Personen, die in {destination} kein Konto haben. Die von Ihnen gewählte Person steht für sie.',
      fix: 'Wählen Sie unter Personen jemand anderen für sie, wenn Sie möchten.',
    },
    value_does_not_fit: {
      what: 'Ein Wert passt nicht in das Feld in {destination}. Es blieb leer.',
      fix: 'Schicken Sie das Feld in der Zuordnung woandershin, zum Beispiel in ein Textfeld.',
    },
    withheld_by_source: {
      what: '{source} hat {count} weiteren Datensatz, etwa einen archivierten, und gibt ihn nicht heraus.|{source} hat {count} weitere Datensätze, etwa archivierte, und gibt sie nicht heraus.',
      fix: 'Sie bleiben in {source}. Wenn Sie sie brauchen, bitten Sie den Betreiber von {source}, sie aus dem Archiv zu holen, und kopieren Sie dann die Änderungen.',
    },
    value_unreadable: {
      what: 'Ein Wert passt nicht zu seiner Spalte, zum Beispiel ein Tag, den es nicht gibt. Er wurde weggelassen.',
      fix: 'Öffnen Sie einen Datensatz, um Datei und Zeile zu sehen. Berichtigen Sie den Wert dort oder in {destination}.',
    },
    vanished: {
      what: 'Diese Datensätze verschwanden aus {source}, bevor sie kopiert waren.',
      fix: 'Sie sind nicht in {destination}. Sind sie wieder in {source}, versuchen Sie es noch einmal.',
    },
  },
  /** The singular and, after the bar, the plural. */
  ofTexts: {
    anchor_removed:
      '{count} Link innerhalb eines Textes führt in {destination} nirgendwohin. Seine Wörter sind noch da.|{count} Links innerhalb von Texten führen in {destination} nirgendwohin. Ihre Wörter sind noch da.',
    audio_linked: '{count} Tonaufnahme ist jetzt ein Link.|{count} Tonaufnahmen sind jetzt Links.',
    caption_moved:
      '{count} Beschriftung ist jetzt ein Absatz: {destination} kennt keine.|{count} Beschriftungen sind jetzt Absätze: {destination} kennt keine.',
    code_simplified:
      '{count} Stück Code kam Zeile für Zeile an: {destination} hätte es für Formatierung gehalten.|{count} Stücke Code kamen Zeile für Zeile an: {destination} hätte sie für Formatierung gehalten.',
    details_opened:
      '{count} Textteil zum Aufklappen ist jetzt immer zu sehen.|{count} Textteile zum Aufklappen sind jetzt immer zu sehen.',
    embed_linked:
      '{count} eingebetteter Inhalt, etwa eine Karte, ist jetzt ein Link.|{count} eingebettete Inhalte, etwa Karten, sind jetzt Links.',
    embed_removed:
      '{count} eingebetteter Inhalt ohne Adresse wurde entfernt.|{count} eingebettete Inhalte ohne Adresse wurden entfernt.',
    form_removed:
      'Aus {count} Text wurde ein Formular entfernt. Seine Wörter sind noch da.|Aus {count} Texten wurden Formulare entfernt. Ihre Wörter sind noch da.',
    formatting_removed:
      '{destination} kann {count} Textstelle nicht so formatieren, wie sie war, etwa unterstrichen oder mitten im Wort.|{destination} kann {count} Textstellen nicht so formatieren, wie sie waren, etwa unterstrichen oder mitten im Wort.',
    highlight_removed:
      '{count} markierte Textstelle ist jetzt nicht mehr markiert.|{count} markierte Textstellen sind jetzt nicht mehr markiert.',
    image_removed:
      '{count} Bild, das {destination} nicht zeigen kann, wurde entfernt.|{count} Bilder, die {destination} nicht zeigen kann, wurden entfernt.',
    link_as_text:
      '{count} Link steht als Text neben seinen Wörtern: {destination} kann nicht auf eine solche Adresse verweisen.|{count} Links stehen als Text neben ihren Wörtern: {destination} kann nicht auf solche Adressen verweisen.',
    link_removed:
      '{count} Link ohne brauchbare Adresse wurde entfernt. Seine Wörter sind noch da.|{count} Links ohne brauchbare Adresse wurden entfernt. Ihre Wörter sind noch da.',
    list_flattened:
      '{count} Listenpunkt enthielt mehr als Zeilen. Alles darin wurde zu Zeilen.|{count} Listenpunkte enthielten mehr als Zeilen. Alles darin wurde zu Zeilen.',
    list_start_removed:
      '{count} nummerierte Liste begann mit einer anderen Nummer. {destination} beginnt mit 1.|{count} nummerierte Listen begannen mit einer anderen Nummer. {destination} beginnt mit 1.',
    markup_kept_as_text:
      'Die Formatierung von {count} Text war nicht lesbar. Er kam an, wie er getippt wurde.|Die Formatierung von {count} Texten war nicht lesbar. Sie kamen an, wie sie getippt wurden.',
    nesting_flattened:
      '{count} Text war sehr tief verschachtelt. Seine inneren Ebenen wurden zusammengelegt.|Texte waren an {count} Stellen sehr tief verschachtelt. Ihre inneren Ebenen wurden zusammengelegt.',
    plain_only:
      '{count} Text verlor seine Formatierung: {destination} bewahrt nur Wörter auf.|{count} Texte verloren ihre Formatierung: {destination} bewahrt nur Wörter auf.',
    script_removed: 'Aus {count} Text wurde ein Skript entfernt.|Aus {count} Texten wurden Skripte entfernt.',
    style_removed:
      'Aus {count} Text wurden Farben, Größen und andere Stile entfernt.|Aus {count} Texten wurden Farben, Größen und andere Stile entfernt.',
    table_flattened:
      '{count} Tabellenzelle enthielt mehr als Zeilen. Alles darin wurde zu Zeilen.|{count} Tabellenzellen enthielten mehr als Zeilen. Alles darin wurde zu Zeilen.',
    table_span_removed:
      '{count} verbundene Tabellenzelle kam als einzelne Zelle an.|{count} verbundene Tabellenzellen kamen als einzelne Zellen an.',
    tag_removed:
      'Aus {count} Text wurde ein unbekanntes Element entfernt. Seine Wörter sind noch da.|Aus {count} Texten wurden unbekannte Elemente entfernt. Ihre Wörter sind noch da.',
    terms_listed:
      '{count} Liste von Begriffen ist jetzt eine einfache Liste.|{count} Listen von Begriffen sind jetzt einfache Listen.',
    too_complex:
      'Die Umwandlung von {count} Text dauerte zu lange. Seine Wörter kamen als reiner Text an, ohne Formatierung.|Die Umwandlung von {count} Texten dauerte zu lange. Ihre Wörter kamen als reiner Text an, ohne Formatierung.',
    video_linked: '{count} Video ist jetzt ein Link.|{count} Videos sind jetzt Links.',
  },
  textFix: 'Vergleichen Sie einige dieser Texte mit ihren Originalen.',
  losses: {
    address_refused: '{destination} nimmt eine E-Mail-Adresse dieser Personen nicht an. Sie kamen ohne sie an.',
    assignee_refused:
      '{destination} hat die Zuständigen dieser Datensätze nicht angenommen. Neue Datensätze sind niemandem zugewiesen, andere behalten ihre Zuständigen.',
    author_not_kept:
      'Diese Texte stehen in {destination} unter anderem Namen. Eine Zeile darin sagt, von wem sie sind.',
    author_replaced:
      'Die Verfasser dieser Datensätze sind unbekannt oder haben in {destination} kein Konto. Die Kopien nennen den Benutzer des verbundenen Kontos oder den Inhaber der Website.',
    comment_simplified:
      '{destination} behält in diesen Texten wenig oder keine Formatierung. Listen, Überschriften oder Bilder wurden zu Zeilen oder Links.',
    custom_value_refused: '{destination} hat einen Wert eines eigenen Feldes nicht angenommen.',
    domain_refused: '{destination} nimmt eine Domain dieser Organisationen nicht an. Sie kamen ohne Domains an.',
    due_kept_as_draft:
      'Diese Datensätze sollten zu einem Zeitpunkt erscheinen, der vorbei ist. Sie kamen als Entwürfe an.',
    kept_for_agents:
      'Kunden konnten diese Nachrichten oder Dateien in {source} sehen. Sie kamen als interne Notizen an, die nur Agenten sehen.',
    milestone_refused: '{destination} hat den Meilenstein dieser Datensätze nicht angenommen.',
    moment_not_kept: '{destination} kann einen Zeitpunkt dieser Datensätze nicht aufbewahren, etwa einen vor 1970.',
    parent_refused: 'In {destination} durften diese Datensätze nicht unter einem anderen stehen.',
    person_chosen:
      'Für diese Datensätze war keine zuständige Person und kein Autor bekannt. {destination} verlangt das, also nennen die Kopien den Benutzer des verbundenen Kontos.',
    person_replaced:
      '{destination} hat die zuständige Person oder den Autor dieser Datensätze abgelehnt. Die Kopien nennen den Benutzer des verbundenen Kontos.',
    phone_refused: '{destination} nimmt eine Telefonnummer dieser Personen nicht an. Sie kamen ohne sie an.',
    picture_hidden:
      'Bilder in diesen öffentlichen Texten waren nur für Agenten bestimmt. Sie wurden aus den Texten entfernt und kommen als interne Notizen an.',
    private_kept_as_draft:
      'Diese Datensätze waren privat. {destination} konnte sie nicht privat aufnehmen, daher sind sie dort Entwürfe.',
    probability_adjusted:
      '{destination} nimmt die Wahrscheinlichkeit dieser Phasen nicht an. Sie haben die nächstliegende, die möglich ist.',
    relation_refused: '{destination} hat eine Verknüpfung zwischen diesen Datensätzen nicht angenommen.',
    stage_chosen:
      'Diese Verkaufschancen hatten keine Phase. {destination} verlangt eine, also kamen sie in der ersten Phase an.',
    status_refused: '{destination} hat den Status dieser Datensätze nicht angenommen.',
    tags_left_out:
      '{destination} nimmt nicht alle Schlagwörter dieser Datensätze an. Einige oder alle wurden weggelassen.',
    text_shortened: '{destination} hat nur den Anfang dieser langen Texte behalten.',
    watcher_refused: '{destination} hat Beobachter dieser Datensätze abgelehnt. Sie fehlen dort.',
  },
  lossFix: 'Vergleichen Sie diese Datensätze mit ihren Originalen.',
  fieldNotTaken: (field) => ({
    what: `{destination} hat kein Feld für „${field}“; es wird nicht kopiert.`,
    fix: 'Schicken Sie es in der Zuordnung in ein anderes Feld, wenn eines passt.',
  }),
  fieldNotProtected: (field) => ({
    what: `„${field}“ sehen in {source} nur manche. In {destination} würden es alle sehen, die den Datensatz sehen; deshalb wird es nicht kopiert.`,
    fix: 'Wählen Sie in der Zuordnung ein Feld dafür, wenn alle es sehen dürfen.',
  }),
  ofUploads: {
    too_many_files: 'Es sind zu viele Dateien. Laden Sie weniger hoch, oder fügen Sie gleichartige zusammen.',
    too_large: 'Das ist zu groß. Laden Sie weniger auf einmal hoch, oder speichern Sie Tabellen als CSV.',
    bomb_suspected: 'Diese Datei wird beim Entpacken viel zu groß. Laden Sie sie einzeln hoch, ohne Zip.',
    nested_archive: 'Archive in Archiven lesen wir nicht. Entpacken Sie es und laden Sie die Dateien hoch.',
    encrypted: 'Dateien mit Passwort lesen wir nicht. Speichern Sie sie ohne Passwort.',
    unreadable: 'Diese Datei ist beschädigt oder hat ein Passwort. Erstellen Sie sie neu und laden Sie sie hoch.',
    not_csv: 'Dieses Format lesen wir nicht. Speichern Sie die Datei als CSV oder .xlsx.',
    same_name: 'Eine frühere Datei heißt genauso. Geben Sie jeder Datei einen eigenen Namen.',
    no_table: 'Das ist keine Tabelle, oder sie hat keine Zeilen. Sehen Sie nach, ob es die richtige Datei ist.',
    unknown_entity:
      'Weder Name noch Spalten sagen, was die Zeilen sind. Wählen Sie es oben, sonst bleibt die Datei weg.',
    columns_ignored: 'Die Datei hat zu viele Spalten. Stellen Sie die wichtigen an den Anfang.',
    rows_abandoned: 'Ab einer Stelle ist die Datei nicht lesbar. Prüfen Sie dort Anführungszeichen und Trennzeichen.',
    rows_skipped:
      'Einzelne Zeilen sind nicht lesbar und bleiben weg. Prüfen Sie dort Anführungszeichen und Trennzeichen.',
    ids_repeated: 'Zeilen haben die Kennung einer früheren Zeile. Sie werden eigene Datensätze.',
    values_unreadable:
      'Werte einer Spalte sind nicht lesbar und bleiben leer. Berichtigen Sie sie hier oder in der Datei.',
    reference_not_followed:
      'Einer Spalte, die auf andere Datensätze zeigt, können wir nicht folgen. Sie bleibt Text in einem eigenen Feld.',
  },
}
