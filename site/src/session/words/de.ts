import type { SessionWords } from "./session-words.ts";

// Without ß, so that the words are also right in Switzerland.
export default {
  common: {
    error_prefix: "Fehler: {title}",
    error_summary: "Bitte prüfen Sie Ihre Angaben",
    home: "Startseite",
  },
  problem: {
    reference: "Wenn Sie uns schreiben, nennen Sie bitte diese Kennung: {reference}",
    bad_request: {
      title: "Diese Seite kann nicht angezeigt werden",
      text: "Etwas an der Adresse oder an den gesendeten Angaben stimmt nicht. Gehen Sie zurück und versuchen Sie es noch einmal.",
    },
    cookies_off: {
      title: "Ihr Browser speichert keine Cookies",
      text: "Der Warenkorb braucht ein einziges Cookie, das nur sagt, dass er Ihrer ist. Erlauben Sie Cookies für diesen Shop und legen Sie den Artikel noch einmal hinein.",
    },
    forbidden: {
      title: "Dieses Formular kam von einer anderen Website",
      text: "Zu Ihrem Schutz nimmt der Shop nur Formulare seiner eigenen Seiten an. Es wurde nichts geändert. Öffnen Sie die Seite im Shop und senden Sie das Formular noch einmal.",
    },
    internal_error: {
      title: "Etwas ist schiefgegangen",
      text: "Der Fehler liegt bei uns. Bitte versuchen Sie es später noch einmal.",
    },
    method_not_allowed: {
      title: "Diese Seite kann nicht angezeigt werden",
      text: "Diese Adresse nimmt nur Formulare an. Gehen Sie zurück zur Seite mit dem Formular.",
    },
    not_found: {
      title: "Seite nicht gefunden",
      text: "Unter dieser Adresse gibt es nichts, oder es ist nicht für diesen Browser bestimmt.",
    },
    payload_too_large: {
      title: "Es wurde zu viel gesendet",
      text: "Das Formular war grösser, als der Shop annimmt. Kürzen Sie Ihren Text und senden Sie es noch einmal.",
    },
    too_many_requests: {
      title: "Zu viele Anfragen",
      text: "Aus Ihrem Netz kamen zu viele Anfragen. Bitte warten Sie eine Weile und versuchen Sie es dann noch einmal.",
    },
    unavailable: {
      title: "Der Shop kann gerade nicht antworten",
      text: "Bitte versuchen Sie es in einigen Sekunden noch einmal. Falls Sie gerade eine Bestellung gesendet haben, sehen Sie zuerst in Ihre E-Mails.",
    },
    uri_too_long: {
      title: "Diese Adresse ist zu lang",
      text: "Prüfen Sie die Adresse, oder beginnen Sie auf der Startseite.",
    },
  },
  basket: {
    title: "Warenkorb",
    empty: "Ihr Warenkorb ist leer.",
    browse: "Zum Sortiment",
    article: "Artikel",
    availability: "Verfügbarkeit",
    price: "Preis",
    sku: "Art.-Nr.",
    in_stock: "Auf Lager",
    preorder: "Vorbestellbar: noch nicht erschienen",
    backorder: "Im Zulauf",
    out_of_stock: "Nicht lieferbar",
    archived: "Nicht mehr im Sortiment",
    expected: "(voraussichtlich ab {day})",
    each: "pro Stück",
    together: "zusammen",
    quantity: "Menge",
    quantity_of: "{name}: Geben Sie die Menge als ganze Zahl bis 999 ein",
    quantity_from_0: "Geben Sie eine ganze Zahl von 0 bis 999 ein; 0 entfernt die Zeile",
    quantity_from_1: "Geben Sie eine ganze Zahl von 1 bis 999 ein",
    at_most:
      "Mehr als 999 Stück einer Ausführung nimmt der Warenkorb nicht auf. Für grössere Mengen schreiben Sie an {email}.",
    price_was: "Der Preis hat sich geändert, seit Sie den Artikel hineingelegt haben. Er betrug {price}.",
    left_out:
      "Dieser Artikel ist gerade nicht bestellbar und deshalb nicht in der Summe enthalten. Entfernen Sie ihn, oder lassen Sie ihn für später hier.",
    update: "Mengen aktualisieren",
    remove: "Entfernen",
    not_added: "Noch nicht hineingelegt",
    rest: "Alles andere aus Ihrer Auswahl können Sie hineinlegen.",
    add: "In den Warenkorb",
    full: "Ein Warenkorb fasst höchstens 100 verschiedene Ausführungen; es wurde nichts hineingelegt. Entfernen Sie, was Sie nicht brauchen, oder bestellen Sie in zwei Teilen.",
    is_out_of_stock: "{name} ist nicht lieferbar.",
    is_archived: "{name} ist nicht mehr im Sortiment.",
    is_unknown: "Es gibt keine Ausführung mit der Artikelnummer {name}.",
    country: "Lieferung nach",
    show_delivery: "Kosten anzeigen",
    goods: "Waren",
    delivery: "Lieferung",
    days: { one: "{count} Werktag", other: "{count} Werktage" },
    days_between: "{min} bis {max} Werktage",
    free: "kostenlos",
    including: "darin {tax}",
    total: "Summe",
    tax_by_address:
      "Die Steuer hängt von Ihrer Adresse und Ihrer USt-IdNr. ab, die Sie an der Kasse angeben. Vor der Bestellung sehen Sie den genauen Betrag.",
    nothing_to_order: "Davon ist gerade nichts bestellbar.",
    offline: "Dieser Shop nimmt zurzeit keine Bestellungen online an. Schreiben Sie an {email}.",
    checkout: "Zur Kasse",
  },
  buy: {
    title: "Ihre Auswahl",
    about:
      "Jemand hat diese Auswahl für Sie zusammengestellt. Sehen Sie sie durch und legen Sie sie in Ihren Warenkorb.",
    add: "In meinen Warenkorb legen",
    nothing_yet: "Damit ist noch nichts bestellt. Die Mengen können Sie im Warenkorb ändern.",
    nothing: "Von dieser Liste ist nichts bestellbar.",
    unreadable: "Dieser Link ist nicht lesbar. Ein Link zu einer Auswahl sieht so aus:",
    grammar:
      "Nach jeder Artikelnummer kommen ein Doppelpunkt und die Menge, von 1 bis 999; Kommas trennen bis zu 100 Ausführungen. Eine Artikelnummer mit anderen Zeichen als Buchstaben, Ziffern, Punkt, Binde- und Unterstrich wird als ~ und ihr base64url ohne Auffüllzeichen geschrieben.",
    link: "Link zu dieser Auswahl",
    other_countries: "Für ein anderes Land hängen Sie ?country= und den Code an den Link:",
  },
} satisfies SessionWords;
