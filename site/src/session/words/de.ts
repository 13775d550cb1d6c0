import type { SessionWords } from "./session-words.ts";

// Without ß, so that the words are also right in Switzerland.
export default {
  common: {
    error_prefix: "Fehler: {title}",
    error_summary: "Bitte prüfen Sie Ihre Angaben",
    home: "Startseite",
  },
  account: {
    title: "Ihre Bestellungen",
    intro:
      "Das sind die Bestellungen, die dieser Browser kennt: hier aufgegebene und solche, die Sie über einen Link aus einer E-Mail geöffnet haben.",
    none: "Dieser Browser kennt keine Bestellung.",
    find: "Bestellung finden",
    placed: "Bestellt am {day}",
  },
  find: {
    title: "Bestellung finden",
    intro:
      "Geben Sie die Bestellnummer und die E-Mail-Adresse ein, mit der Sie bestellt haben. Wir schicken Ihnen einen Link zur Bestellung.",
    unknown_order:
      "Diese Bestellung kann in diesem Browser nicht angezeigt werden. Öffnen Sie sie über den Link in einer unserer E-Mails, oder fordern Sie hier einen neuen an.",
    unknown_key:
      "Dieser Link funktioniert nicht. Links gelten 90 Tage und müssen vollständig sein: Falls Ihr E-Mail-Programm ihn abgeschnitten hat, kopieren Sie ihn ganz. Sie können hier auch einen neuen anfordern.",
    number: "Bestellnummer",
    number_hint: "Sie steht in unseren E-Mails, zum Beispiel A-1042.",
    number_missing: "Geben Sie die Bestellnummer ein, zum Beispiel A-1042",
    email: "E-Mail-Adresse",
    email_hint: "Die Adresse, mit der Sie bestellt haben.",
    email_missing: "Geben Sie eine E-Mail-Adresse ein, zum Beispiel name@example.com",
    send: "Link anfordern",
    sent: "Falls es eine Bestellung mit dieser Nummer und E-Mail-Adresse gibt, haben wir einen Link dazu geschickt. Er kommt in wenigen Minuten an; sehen Sie auch im Spam-Ordner nach.",
    sent_none: "Es kommt nichts an? Prüfen Sie Nummer und Adresse, oder schreiben Sie uns: {email}",
  },
  order: {
    title: "Bestellung {number}",
    placed: "Bestellt am {day}",
    state: {
      received: "Wir haben Ihre Bestellung erhalten.",
      awaiting_payment: "Wir haben Ihre Bestellung erhalten und warten auf Ihre Zahlung.",
      partly_paid: "Wir haben einen Teil des Betrags erhalten.",
      paid: "Ihre Bestellung ist bezahlt, und wir bereiten sie vor.",
      accepted: "Wir haben Ihre Bestellung angenommen und bereiten sie vor.",
      on_hold: "Wir prüfen Ihre Bestellung.",
      completed: "Ihre Bestellung ist verschickt.",
      cancelled: "Ihre Bestellung ist storniert.",
      refunded: "Ihre Bestellung ist erstattet.",
      failed: "Die Zahlung ist fehlgeschlagen.",
    },
    next: {
      received: "Wir bestätigen sie in Kürze.",
      awaiting_payment:
        "Bitte überweisen Sie den Betrag wie unten beschrieben. Wir schicken die Ware, sobald die Zahlung da ist.",
      partly_paid: "Bitte überweisen Sie den Rest wie unten beschrieben. Wir schicken die Ware, sobald er da ist.",
      paid: "Als Nächstes schicken wir die Ware. Sie müssen nichts tun.",
      accepted: "Als Nächstes schicken wir die Ware. Bitte überweisen Sie den Betrag wie unten beschrieben.",
      on_hold: "Wir melden uns bei Ihnen. Bitte überweisen Sie bis dahin nichts.",
      completed: "Wenn etwas damit nicht stimmt, melden Sie sich bitte.",
      cancelled: "Sie müssen nichts bezahlen.",
      owed: "Wir zahlen zurück, was Sie bezahlt haben.",
      refunded: "Wie bald Ihre Bank den Betrag zeigt, ist verschieden; meist sind es einige Tage.",
      failed:
        "Es wird nichts geschickt, und Sie müssen nichts bezahlen. Wenn Sie die Ware noch möchten, melden Sie sich bitte.",
    },
    reason: "Grund: {reason}",
    open: "Bestellung ansehen",
    lines: "Ihre Artikel",
    article: "Artikel",
    quantity: "Menge",
    amount: "Betrag",
    items: "Artikel",
    delivery: "Lieferung",
    total: "Gesamtbetrag",
    included: "enthalten: {tax}",
    paid: "Bezahlt",
    refunded: "Erstattet",
    due: "Zu bezahlen",
    how_to_pay: "So bezahlen Sie",
    pay_by:
      "Überweisen Sie den Betrag auf dieses Konto. Schreiben Sie den Verwendungszweck genau so, damit wir Ihre Zahlung zuordnen können.",
    account_holder: "Kontoinhaber",
    bank: "Bank",
    reference: "Verwendungszweck",
    due_day: "Zu bezahlen bis",
    qr: "Code für Banking-Apps mit Konto, Betrag und Verwendungszweck",
    qr_hint: "Oder lesen Sie diesen Code mit Ihrer Banking-App ein.",
    shipping_address: "Lieferadresse",
    billing_address: "Rechnungsadresse",
    contact: "Kontakt",
    vat_id: "USt-IdNr.",
    buyer_reference: "Ihre Referenz",
    note: "Ihre Nachricht",
    seller: "Verkäufer",
    print: "Für eine Proforma-Rechnung drucken Sie diese Seite.",
    all: "Ihre Bestellungen",
    help: "Fragen? Schreiben Sie an {email} oder rufen Sie {phone} an, und nennen Sie die Bestellnummer.",
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
} satisfies SessionWords;
