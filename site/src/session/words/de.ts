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
} satisfies SessionWords;
