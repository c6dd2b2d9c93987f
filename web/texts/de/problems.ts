import type { problems as en } from '../en/problems.ts'

export const problems: typeof en = {
  byCode: {
    edited: {
      what: 'Einige Datensätze wurden im Ziel geändert, seit sie kopiert wurden.',
      fix: 'Sie blieben so, wie sie dort sind.',
    },
    file_size_differs: {
      what: 'Einige Dateien haben eine andere Länge, als die Quelle angibt.',
      fix: 'Bitte vergleichen Sie sie.',
    },
    user_replaced: {
      what: 'Einige Personen haben im Ziel kein Konto; die von Ihnen gewählte Person steht für sie.',
      fix: 'Wählen Sie unter Personen jemand anderen für sie, wenn Sie möchten.',
    },
    link_not_rewritten: {
      what: 'Einige Links in Texten führen noch zur Quelle.',
      fix: 'Wohin sie führen, kam erst später, und das Ziel kann einen Text nicht ändern. Ändern Sie sie dort von Hand, wenn sie wichtig sind.',
    },
    kept: {
      what: 'Einige Datensätze wurden nicht entfernt.',
      fix: 'Der Bericht sagt bei jedem, warum. Entfernen Sie sie von Hand, wenn sie weg sollen.',
    },
    unknown: {
      what: 'Bei einigen Datensätzen lässt sich nicht feststellen, ob sie angekommen sind.',
      fix: 'Sie wurden nicht noch einmal gesendet. Bitte sehen Sie im Ziel nach; die Liste nennt sie.',
    },
    differs: {
      what: 'Einige Datensätze sind im Ziel nicht so, wie sie gesendet wurden.',
      fix: 'Vergleichen Sie sie einzeln; das Ziel hat nach eigenen Regeln etwas geändert.',
    },
    deleted: {
      what: 'Jemand hat diese Datensätze im Ziel gelöscht, nachdem sie kopiert waren.',
      fix: 'Sie bleiben gelöscht. Unten können Sie sie zurückholen.',
    },
    doubled: {
      what: 'Diese Datensätze sind mehr als einmal im Ziel.',
      fix: 'Das Ziel ließ uns den zweiten nicht entfernen. Bitte entfernen Sie ihn dort von Hand; die Liste nennt jeden.',
    },
    vanished: {
      what: 'Diese Datensätze verschwanden aus der Quelle, bevor sie kopiert waren.',
      fix: 'Sie sind nicht im Ziel. Sind sie wieder in der Quelle, versuchen Sie es noch einmal.',
    },
    fewer_than_counted: {
      what: 'Die Quelle hat mehr Datensätze gezählt, als sie herausgegeben hat.',
      fix: 'Meist sind einige für niemanden sichtbar oder wurden inzwischen gelöscht. Fehlen welche, verwenden Sie den Schlüssel eines Administrators.',
    },
    source_page_skipped: {
      what: 'Die Quelle hat diese Datensätze nicht herausgegeben; sie wurden übersprungen.',
      fix: 'Bitten Sie den Betreiber der Quelle, sie zu reparieren, und übertragen Sie dann die Änderungen seither: Übersprungenes wird noch einmal gelesen. Zählt die Quelle ihre Datensätze nicht, ist die Zahl die der übersprungenen Seiten.',
    },
    source_rest_skipped: {
      what: 'Die Quelle hat eine Seite nicht herausgegeben. Weder sie noch alles danach wurde gelesen.',
      fix: 'Bitten Sie den Betreiber der Quelle, sie zu reparieren, und übertragen Sie dann die Änderungen seither: Alles Fehlende wird noch einmal gelesen.',
    },
    entity_not_taken: {
      what: 'Das Ziel nimmt diese Datensätze gar nicht an.',
      fix: 'Hier lässt sich daran nichts ändern; sie bleiben in der Quelle.',
    },
    field_unreadable: {
      what: 'Einige Felder enthalten etwas Unerwartetes und wurden weggelassen.',
      fix: 'Sehen Sie sich diese Datensätze in der Quelle an.',
    },
    value_unreadable: {
      what: 'Einige Werte sind nicht lesbar als das, was ihre Spalte enthält, zum Beispiel ein Tag, den es nicht gibt. Sie wurden weggelassen.',
      fix: 'Öffnen Sie einen Datensatz, um Datei und Zeile zu sehen. Berichtigen Sie den Wert dort oder im Ziel.',
    },
    duplicate_id: {
      what: 'Mehrere Zeilen haben dieselbe Kennung. Jede wurde ein eigener Datensatz.',
      fix: 'Entfernen Sie im Ziel, was Sie nicht brauchen.',
    },
    row_skipped: {
      what: 'Einige Zeilen Ihrer Dateien sind nicht lesbar. Sie wurden weggelassen.',
      fix: 'Beim Hochladen wurden ihre Nummern genannt. Berichtigen Sie sie und laden Sie die Dateien noch einmal hoch.',
    },
    required_empty: {
      what: 'Einigen Datensätzen fehlt ein Feld, das sie haben sollten.',
      fix: 'Füllen Sie es in der Quelle aus, oder geben Sie in der Zuordnung einen Wert für alle an.',
    },
    value_does_not_fit: {
      what: 'Einige Werte passen nicht in das Feld des Ziels und blieben leer.',
      fix: 'Schicken Sie das Feld in der Zuordnung woandershin, zum Beispiel in ein Textfeld.',
    },
    refused: {
      what: 'Das Ziel hat einige Datensätze abgelehnt.',
      fix: 'Die Liste nennt bei jedem den Grund. Beheben Sie ihn und versuchen Sie es dann noch einmal.',
    },
    held: {
      what: 'Einige Datensätze warten auf einen, zu dem sie gehören und der nicht angekommen ist.',
      fix: 'Sie folgen von selbst, sobald dieser ankommt.',
    },
    file_too_large: {
      what: 'Einige Dateien sind größer, als das Ziel annimmt.',
      fix: 'Sie bleiben in der Quelle. Heben Sie eine Kopie auf, wenn Sie die Quelle aufgeben.',
    },
    file_missing: {
      what: 'Einige Dateien gibt es in der Quelle nicht mehr.',
      fix: 'Es ist nichts mehr da, was kopiert werden könnte.',
    },
    user_not_matched: {
      what: 'Einige Personen haben im Ziel kein Konto und werden dort nicht genannt.',
      fix: 'Wählen Sie unter Personen jemanden für sie, und wiederholen Sie es.',
    },
    option_not_offered: {
      what: 'Einige Auswahlwerte gibt es im Ziel nicht; sie blieben leer.',
      fix: 'Wählen Sie in der Zuordnung, was aus jedem wird.',
    },
    relation_lost: {
      what: 'Einige Verknüpfungen fehlen, weil der andere Datensatz nicht mitgenommen wurde.',
      fix: 'Nehmen Sie auch diese mit, wenn Sie die Verknüpfungen brauchen.',
    },
    only_first_kept: {
      what: 'Das Ziel nimmt einen Wert, wo die Quelle mehrere hat; der erste wurde behalten.',
      fix: 'Hier lässt sich daran nichts ändern.',
    },
    text_cut: {
      what: 'Einige Texte sind länger, als das Ziel annimmt, und wurden gekürzt.',
      fix: 'Heben Sie die Originale auf, oder kürzen Sie sie in der Quelle und wiederholen Sie es.',
    },
    text_too_complex: {
      what: 'Die Umwandlung einiger Texte dauerte zu lange. Ihre Wörter kamen als reiner Text an, ohne Formatierung.',
      fix: 'Formatieren Sie diese Texte im Ziel neu, oder vereinfachen Sie sie in der Quelle und wiederholen Sie es.',
    },
  },
  losses: {
    address_refused: 'Das Ziel nimmt einige E-Mail-Adressen nicht an; diese Personen kamen ohne sie mit.',
    assignee_refused: 'Im Ziel dürfen einige Personen nicht für Datensätze zuständig sein.',
    author_not_kept: 'Einige Texte stehen im Ziel unter anderem Namen; eine Zeile darin sagt, von wem sie sind.',
    custom_value_refused: 'Das Ziel hat einige Werte eigener Felder nicht angenommen.',
    milestone_refused: 'Das Ziel hat einige Meilensteine nicht angenommen.',
    moment_not_kept: 'Das Ziel kann einige Zeitpunkte nicht aufbewahren, etwa solche vor 1970.',
    parent_refused: 'Im Ziel durften einige Datensätze nicht unter einem anderen stehen.',
    relation_refused: 'Das Ziel hat einige Verknüpfungen nicht angenommen.',
    status_refused: 'Das Ziel hat den Status einiger Datensätze nicht angenommen.',
    watcher_refused: 'Im Ziel dürfen einige Personen Datensätze nicht beobachten.',
  },
  lossFix: 'Vergleichen Sie diese Datensätze mit ihren Originalen.',
  fieldNotTaken: (field) => ({
    what: `„${field}“ kommt nicht mit: Das Ziel hat kein Feld dafür, oder es wurde weggelassen.`,
    fix: 'Schicken Sie es in der Zuordnung in ein anderes Feld, wenn eines passt.',
  }),
  formatting: () => ({
    what: 'Einige Texte haben einen Teil ihrer Formatierung verloren.',
    fix: 'Die Wörter sind vollständig. Vergleichen Sie einige davon.',
  }),
}
