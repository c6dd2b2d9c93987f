import type { problems as en } from '../en/problems.ts'

export const problems: typeof en = {
  byCode: {
    author_missing: {
      what: 'Wer diese Datensätze verfasst hat, hat in {source} kein Konto mehr. Sie nennen niemanden.',
      fix: 'Wählen Sie in {destination} jemanden aus, wenn es wichtig ist.',
    },
    deleted: {
      what: 'Jemand hat diese Datensätze in {destination} gelöscht, nachdem sie kopiert waren.',
      fix: 'Sie bleiben gelöscht. Unten können Sie sie zurückholen.',
    },
    differs: {
      what: 'Diese Datensätze sind in {destination} nicht so, wie sie gesendet wurden.',
      fix: 'Vergleichen Sie sie einzeln: {destination} hat nach eigenen Regeln etwas geändert.',
    },
    doubled: {
      what: 'Diese Datensätze sind mehr als einmal in {destination}.',
      fix: '{destination} ließ uns den zweiten nicht entfernen. Bitte entfernen Sie ihn dort von Hand; die Liste nennt jeden.',
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
    file_too_large: {
      what: 'Diese Dateien sind größer, als {destination} annimmt. Sie wurden nicht kopiert.',
      fix: 'Sie bleiben in {source}. Heben Sie eine Kopie auf, wenn Sie {source} aufgeben.',
    },
    follower_left_out: {
      what: 'Personen, die diese Datensätze beobachten, sind in {source} keine Bearbeiter. Sie wurden weggelassen.',
      fix: 'Fügen Sie sie in {destination} hinzu, wenn sie beobachten sollen.',
    },
    group_watcher_left_out: {
      what: 'Eine Gruppe beobachtet diese Datensätze. Nur einzelne Personen wurden als Beobachter kopiert.',
      fix: 'Fügen Sie die Personen der Gruppe in {destination} hinzu, wenn sie beobachten sollen.',
    },
    beyond_sample: {
      what: 'Diese Datensätze fehlen in der Probe: Proben sind nur für eine begrenzte Zahl kostenlos.',
      fix: 'Die vollständige Übertragung kopiert sie.',
    },
    not_paid: {
      what: 'Diese Datensätze wurden nicht kopiert, weil sie niemand bezahlt hat.',
      fix: 'Bezahlen Sie sie, oder bitten Sie den Partner darum. Versuchen Sie sie dann noch einmal.',
    },
    held: {
      what: 'Diese Datensätze warten auf einen, zu dem sie gehören und der nicht angekommen ist.',
      fix: 'Sie folgen von selbst, sobald dieser ankommt.',
    },
    image_missing: {
      what: 'Das Beitragsbild dieser Datensätze wurde in {source} gelöscht.',
      fix: 'Wählen Sie in {destination} ein anderes, wenn Sie möchten.',
    },
    kept: {
      what: 'Diese Datensätze wurden nicht entfernt.',
      fix: 'Der Bericht sagt bei jedem, warum. Entfernen Sie sie von Hand, wenn sie weg sollen.',
    },
    link_left_out: {
      what: 'Diese Datensätze verweisen auf einen, der gelöscht ist oder den niemand sehen kann. Der Verweis fehlt.',
      fix: 'Sie müssen nichts tun.',
    },
    link_not_rewritten: {
      what: 'Links in diesen Texten führen noch zu {source}.',
      fix: 'Der verlinkte Datensatz kam erst später, und {destination} kann einen Text nicht ändern. Ändern Sie die Links dort von Hand, wenn sie wichtig sind.',
    },
    link_stray: {
      what: 'Links in diesen Texten nennen keine Website, und niemand kann sagen, zu welcher sie gehörten.',
      fix: 'Die Links bleiben, wie sie waren. Öffnen Sie einen Datensatz, um sie zu sehen, und schreiben Sie in {destination} die ganze Adresse.',
    },
    link_to_source: {
      what: 'Links in diesen Texten führen weiterhin zu {source}, weil die verlinkten Seiten nicht kopiert wurden.',
      fix: 'Öffnen Sie einen Datensatz, um die Adressen zu sehen, oder schlagen Sie sie im Bericht nach. Ändern Sie sie in {destination}, bevor Sie {source} aufgeben.',
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
    text_cut: {
      what: 'Diese Texte sind länger, als {destination} annimmt. Sie wurden gekürzt.',
      fix: 'Heben Sie die Originale auf, oder kürzen Sie sie in {source} und wiederholen Sie es.',
    },
    tiers_not_moved: {
      what: 'Nur einige Stufen von Mitgliedern können diese Datensätze in {source} lesen. Die Stufen wurden nicht kopiert.',
      fix: 'Prüfen Sie in {destination}, wer sie lesen kann.',
    },
    unknown: {
      what: 'Bei diesen Datensätzen lässt sich nicht feststellen, ob sie angekommen sind.',
      fix: 'Sie wurden nicht noch einmal gesendet. Bitte sehen Sie in {destination} nach; die Liste nennt sie.',
    },
    user_not_matched: {
      what: 'Diese Datensätze nennen Personen, die in {destination} kein Konto haben. Sie werden dort nicht genannt.',
      fix: 'Wählen Sie unter Personen jemanden für sie, und wiederholen Sie es.',
    },
    user_replaced: {
      what: 'Diese Datensätze nennen Personen, die in {destination} kein Konto haben. Die von Ihnen gewählte Person steht für sie.',
      fix: 'Wählen Sie unter Personen jemand anderen für sie, wenn Sie möchten.',
    },
    value_does_not_fit: {
      what: 'Ein Wert passt nicht in das Feld in {destination}. Es blieb leer.',
      fix: 'Schicken Sie das Feld in der Zuordnung woandershin, zum Beispiel in ein Textfeld.',
    },
    value_unreadable: {
      what: 'Ein Wert ist nicht lesbar als das, was seine Spalte enthält, zum Beispiel ein Tag, den es nicht gibt. Er wurde weggelassen.',
      fix: 'Öffnen Sie einen Datensatz, um Datei und Zeile zu sehen. Berichtigen Sie den Wert dort oder in {destination}.',
    },
    vanished: {
      what: 'Diese Datensätze verschwanden aus {source}, bevor sie kopiert waren.',
      fix: 'Sie sind nicht in {destination}. Sind sie wieder in {source}, versuchen Sie es noch einmal.',
    },
  },
  ofTexts: {
    embed_removed: 'Eingebettete Inhalte wie Videos oder Karten wurden aus diesen Texten entfernt.',
    form_removed: 'Ein Formular wurde aus diesen Texten entfernt. Seine Wörter sind noch da.',
    formatting_removed:
      '{destination} kann Wörter nicht unterstreichen, hoch- oder tiefstellen. Das fehlt in diesen Texten.',
    image_removed: 'Ein Bild ohne brauchbare Adresse wurde aus diesen Texten entfernt.',
    link_removed: 'Ein Link ohne brauchbare Adresse wurde aus diesen Texten entfernt. Seine Wörter sind noch da.',
    list_flattened: 'Eine Liste dieser Texte enthielt mehr als Zeilen. Alles darin wurde zu Zeilen.',
    markup_kept_as_text: 'Die Auszeichnungen dieser Texte waren nicht lesbar. Sie kamen so an, wie sie getippt wurden.',
    nesting_flattened: 'Diese Texte waren sehr tief verschachtelt. Die inneren Ebenen wurden zusammengelegt.',
    script_removed: 'Ein Skript wurde aus diesen Texten entfernt.',
    style_removed: 'Farben, Größen und andere Gestaltung wurden aus diesen Texten entfernt.',
    table_flattened: 'Eine Tabelle dieser Texte enthielt mehr als Zeilen. Alles in ihren Zellen wurde zu Zeilen.',
    table_span_removed: 'Eine Tabelle dieser Texte hatte verbundene Zellen. Sie kamen als einzelne Zellen an.',
    tag_removed: 'Ein unbekanntes Element wurde aus diesen Texten entfernt. Seine Wörter sind noch da.',
    too_complex:
      'Die Umwandlung dieser Texte dauerte zu lange. Ihre Wörter kamen als reiner Text an, ohne Formatierung.',
  },
  textFix: 'Vergleichen Sie einige dieser Texte mit ihren Originalen.',
  losses: {
    address_refused: '{destination} nimmt die E-Mail-Adresse dieser Personen nicht an. Sie kamen ohne sie an.',
    assignee_refused: 'In {destination} dürfen diese Personen nicht für Datensätze zuständig sein.',
    author_not_kept:
      'Diese Texte stehen in {destination} unter anderem Namen. Eine Zeile darin sagt, von wem sie sind.',
    author_replaced:
      'Wer diese Datensätze verfasst hat, hat in {destination} kein Konto. Sie stehen unter dem Namen des Inhabers der Website.',
    custom_value_refused: '{destination} hat einen Wert eines eigenen Feldes nicht angenommen.',
    due_kept_as_draft:
      'Diese Datensätze sollten zu einem Zeitpunkt erscheinen, der vorbei ist. Sie kamen als Entwürfe an.',
    milestone_refused: '{destination} hat den Meilenstein dieser Datensätze nicht angenommen.',
    moment_not_kept: '{destination} kann einen Zeitpunkt dieser Datensätze nicht aufbewahren, etwa einen vor 1970.',
    parent_refused: 'In {destination} durften diese Datensätze nicht unter einem anderen stehen.',
    private_kept_as_draft:
      'Diese Datensätze waren privat. Das gibt es in {destination} nicht; sie kamen als Entwürfe an.',
    relation_refused: '{destination} hat eine Verknüpfung zwischen diesen Datensätzen nicht angenommen.',
    status_refused: '{destination} hat den Status dieser Datensätze nicht angenommen.',
    watcher_refused: 'In {destination} dürfen diese Personen Datensätze nicht beobachten.',
  },
  lossFix: 'Vergleichen Sie diese Datensätze mit ihren Originalen.',
  fieldNotTaken: (field) => ({
    what: `{destination} hat kein Feld für „${field}“; es wird nicht kopiert.`,
    fix: 'Schicken Sie es in der Zuordnung in ein anderes Feld, wenn eines passt.',
  }),
}
