import type { skipped as en } from '../en/skipped.ts'

const notCopied = (one: string, many: string) => (count: number, shown: string) =>
  count === 1 ? `1 ${one} wurde nicht kopiert.` : `${shown} ${many} wurden nicht kopiert.`

export const skipped: typeof en = {
  heading: 'Absichtlich weggelassen',
  stays: (source) => `Sie bleiben in ${source}.`,
  kinds: {
    activities_elsewhere: notCopied('Anruf, Termin oder Aufgabe', 'Anrufe, Termine und Aufgaben'),
    approvals: notCopied('Genehmigung', 'Genehmigungen'),
    article_translations: notCopied('Übersetzung eines Artikels', 'Übersetzungen von Artikeln'),
    articles: notCopied('Artikel der Wissensdatenbank', 'Artikel der Wissensdatenbank'),
    assets: notCopied('Inventareintrag', 'Inventareinträge'),
    custom_posts: notCopied('Text, der weder Beitrag noch Seite ist,', 'Texte, die weder Beiträge noch Seiten sind,'),
    deleted_tickets: notCopied('gelöschtes Ticket', 'gelöschte Tickets'),
    files_elsewhere: notCopied('Datei an einem Datensatz anderer Art', 'Dateien an Datensätzen anderer Art'),
    history_entries: notCopied(
      'Eintrag des Verlaufs, etwa ein Wechsel des Status,',
      'Einträge des Verlaufs, etwa Wechsel des Status,',
    ),
    invoices: notCopied('Rechnung', 'Rechnungen'),
    leads: notCopied('Lead', 'Leads'),
    menu_items: notCopied('Menüpunkt', 'Menüpunkte'),
    messages: notCopied('Nachricht aus einem Messenger', 'Nachrichten aus Messengern'),
    news: notCopied('Nachricht', 'Nachrichten'),
    newsletters: notCopied('Newsletter', 'Newsletter'),
    notes_elsewhere: notCopied('Notiz an einem Datensatz anderer Art', 'Notizen an Datensätzen anderer Art'),
    offers: notCopied('Angebot an Mitglieder', 'Angebote an Mitglieder'),
    other_help_centers: notCopied('Help Center einer anderen Marke', 'Help Center anderer Marken'),
    pingbacks: notCopied('Pingback oder Trackback', 'Pingbacks und Trackbacks'),
    products: notCopied('Artikel des Sortiments', 'Artikel des Sortiments'),
    reminders: notCopied('Erinnerung', 'Erinnerungen'),
    reusable_blocks: notCopied('wiederverwendbarer Block', 'wiederverwendbare Blöcke'),
    revisions: notCopied('frühere Fassung eines Textes', 'frühere Fassungen von Texten'),
    sales: notCopied('Verkauf', 'Verkäufe'),
    saved_queries: notCopied('gespeicherte Abfrage', 'gespeicherte Abfragen'),
    spam_comments: notCopied('als Spam markierter Kommentar', 'als Spam markierte Kommentare'),
    spam_tickets: notCopied('als Spam markiertes Ticket', 'als Spam markierte Tickets'),
    suspended_tickets: notCopied('zurückgestelltes Ticket', 'zurückgestellte Tickets'),
    system_users: notCopied('Benutzer des Systems selbst', 'Benutzer des Systems selbst'),
    tickets_elsewhere: notCopied('Ticket', 'Tickets'),
    tiers: notCopied('bezahlte Stufe', 'bezahlte Stufen'),
    trashed_comments: notCopied('Kommentar im Papierkorb', 'Kommentare im Papierkorb'),
    trashed_pages: notCopied('Seite im Papierkorb', 'Seiten im Papierkorb'),
    trashed_posts: notCopied('Beitrag im Papierkorb', 'Beiträge im Papierkorb'),
  },
}
